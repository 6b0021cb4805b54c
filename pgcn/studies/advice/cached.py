"""Advice saved in the store, under what was asked. The work of a page's job; no torch before it begins."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from pgcn.methods.pgcn import PRESETS
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.studies.advice.evidence import Advice
from pgcn.studies.identity import question_id

if TYPE_CHECKING:
    from pgcn.studies.advice.advising import Asked

FORMAT = 2
BUDGETS = (120, 600)
"""Seconds that a page asks for: at first, and where they were too few."""


def advice_key(source: GraphSource, seconds: float) -> str:
    """Return under which key advice is cached: another preset, or another budget, is another question."""
    presets = {name: config.to_dict() for name, config in PRESETS.items()}
    return question_id(advice=FORMAT, recipe=source.to_recipe(), presets=presets, seconds=seconds)


def cached_advice(store: Store, source: GraphSource) -> Advice | None:
    """Return the advice on a graph that had the largest budget, None where there is none."""
    cache = EmbeddingCache(store)
    for seconds in reversed(BUDGETS):
        if (cached := cache.get(advice_key(source, seconds))) is not None:
            return Advice.from_dict(cached.facts)
    return None


def cache_advice(store: Store, source: GraphSource, budget: float, advice: Advice) -> None:
    import numpy as np

    arrays = {"none": np.zeros(0, np.int8)}
    EmbeddingCache(store).put(advice_key(source, budget), Cached(facts=advice.to_dict(), arrays=arrays))


def asking(
    source: GraphSource, store: Store, budget: float, progress: Callable[[str], None], *, most: float | None = None
) -> "Asked[Advice]":
    """Return the work of a job that gives an advice and keeps it; it may compute for ``most`` seconds at most."""
    from pgcn.studies.advice.advising import Asked, advice_on

    def steps() -> Generator[None, None, Advice]:
        asked = advice_on(source, store, min(budget, most or budget), progress=progress)
        try:
            for _ in asked:
                yield
        finally:
            asked.cancel()
        advice = asked.finish()
        cache_advice(store, source, budget, advice)
        return advice

    return Asked(steps())
