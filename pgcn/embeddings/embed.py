"""2-D or 3-D embeddings of a run's logits, step by step as the network grew.

Each embedding begins at the one before it and is turned to lie as near to it as can be, so that a node keeps its
place unless it has reason to move. The first begins at that of the input features, the GCN's at the last.

    work = embed(Store(), "99e4c8a2", EmbeddingConfig(method="tsne"))
    for event in work:     # what happens, as it happens; to stop is to stop asking
        print(event)
    work.frames            # embeddings, predictions, numbers
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.embeddings.metrics import median_move, separation
from pgcn.embeddings.nodes import described_nodes
from pgcn.embeddings.plan import EmbeddingConfig, PlannedFrame, plan_embedding
from pgcn.embeddings.preview import Preview
from pgcn.embeddings.reduce import Check, checked_features, reduce_features
from pgcn.embeddings.steps import input_features, predictions, step_features
from pgcn.errors import GraphError
from pgcn.events import Event, RunEvent
from pgcn.execution.graphs import load_source
from pgcn.generators import WithResult
from pgcn.methods.gcn import GCNConfig
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache

if TYPE_CHECKING:
    from torch import nn

    from pgcn.graph import Graph

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class EmbeddingProgressed(Event):
    """The embedding of ``frame`` (of ``frames``) is made up to ``share``, 0 to 1."""

    frame: int
    frames: int
    title: str
    share: float


@dataclass(frozen=True, kw_only=True)
class EmbeddingMade(Event):
    """An embedding is there: ``cached`` says that it had been made before."""

    frame: int
    frames: int
    title: str
    seconds: float
    cached: bool


def embed(store: Store, run: str, config: EmbeddingConfig | None = None, **how: Any) -> "Embedding":
    """Embed the logits of a run's accepted steps; iterate to have it done. Arguments as of :class:`Embedding`."""
    return Embedding(store, run, config or EmbeddingConfig(), **how)


class Embedding(Iterator[RunEvent]):
    """Embeddings in the making. Each is cached in the store as soon as it is there."""

    def __init__(
        self,
        store: Store,
        run: str,
        config: EmbeddingConfig,
        *,
        graph: "Graph | None" = None,
        until: int | None = None,
        progress: Progress = lambda text: None,
        preview: Preview | None = None,
        **loading: Any,
    ) -> None:
        """``graph`` is that of the run where it is only in memory; ``until`` is the last step to embed.

        ``progress`` is called with a sentence about what is done, ``loading`` goes to
        :func:`pgcn.execution.graphs.load_source`. A ``preview`` is told what can be shown before an embedding is
        there; what is computed does not depend on it.
        """
        self.config, self.plan, self.until = config, plan_embedding(store, run, config, graph), until
        self.frames: list[Cached] = []
        """The embeddings so far, in the order of the plan."""
        self.nodes: Cached | None = None
        self._store, self._cache, self._progress = store, EmbeddingCache(store), progress
        self._graph, self._loading, self._preview = graph, loading, preview
        self._features: dict[str, np.ndarray] = {}
        self._models: dict[int, nn.Module] | None = None
        self._events = self._steps()

    def __next__(self) -> RunEvent:
        return RunEvent(run=0, event=next(self._events))

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list[RunEvent]:
        """Stop; the embeddings that are there stay."""
        self._events.close()
        return []

    def finish(self) -> "Embedding":
        """Work until all embeddings are there."""
        for _ in self:
            pass
        return self

    def logits(self) -> dict[str, Cached]:
        """Return the logits that are cached, by their keys."""
        keys = self._cache.known([planned.logits for planned in self.plan.frames if planned.logits])
        found = {key: self._cache.get(key) for key in keys}
        return {key: cached for key, cached in found.items() if cached is not None}

    @property
    def graph(self) -> "Graph":
        if self._graph is None:
            source = GraphSource.from_recipe(self.plan.started.recipe)
            self._graph = load_source(source, self._store, progress=self._progress, **self._loading)
        return self._graph

    def _steps(self) -> Generator[Event]:
        self.nodes = self._cache.get(self.plan.nodes_key)
        if self.nodes is None:
            self.nodes = described_nodes(self.graph, self.config)
            self._cache.put(self.plan.nodes_key, self.nodes, run=self.plan.run.id)
        last = self.until or len(self.plan.steps)
        wanted = [frame for frame in self.plan.frames if frame.step is None or frame.step.number <= last]
        if self._preview is not None:
            self._show_previews(wanted, self._preview)
        for number, planned in enumerate(wanted):
            began, cached = time.monotonic(), self._cache.get(planned.key)
            place = {"frame": number, "frames": len(wanted), "title": planned.title}
            known = cached is not None
            if cached is None:
                yield EmbeddingProgressed(**place, share=0.0)
                making = WithResult(self._make(planned))
                for share in making:
                    yield EmbeddingProgressed(**place, share=share)
                cached = making.result
                cached.facts["seconds"] = time.monotonic() - began
                self._cache.put(planned.key, cached, run=self.plan.run.id)
            if planned.logits and self._cache.get(planned.logits) is None:
                logits = Cached(facts={}, arrays={"logits": self._known_features(planned)})
                self._cache.put(planned.logits, logits, run=self.plan.run.id)
            self._features.pop(planned.key, None)
            yield EmbeddingMade(**place, seconds=time.monotonic() - began, cached=known)
            self.frames.append(cached)

    def _show_previews(self, wanted: list[PlannedFrame], preview: Preview) -> None:
        """Show the principal components of all that will be embedded, but of a GCN that is not trained yet.

        Networks first: their logits are few and quickly there.
        """
        there = self._cache.known([planned.key for planned in wanted])
        missing = [planned for planned in wanted if planned.kind != "gcn" and planned.key not in there]
        for planned in sorted(missing, key=lambda planned: planned.kind == "input"):
            features = self._known_features(planned)
            with contextlib.suppress(GraphError):  # it is said when its turn comes
                checked_features(features, planned.title)
                preview.add(planned.key, features, self.config.dimensions, logits=bool(planned.logits))

    def _make(self, planned: PlannedFrame) -> Generator[float, None, Cached]:
        """Compute logits, embedding and numbers of one frame."""
        config, y = self.config, self.nodes.arrays["y"]
        features = self._known_features(planned)
        arrays: dict[str, np.ndarray] = {}
        if planned.kind != "input":
            arrays["predicted"], arrays["confidence"] = predictions(features)
        try:
            checked_features(features, "the input" if planned.kind == "input" else planned.title)
        except GraphError as error:  # the other steps may have an embedding
            nothing = np.zeros((0, config.dimensions), dtype=np.float32)
            return Cached(facts={"missing": str(error)}, arrays={"map": nothing})
        last = next((frame.arrays["map"] for frame in reversed(self.frames) if len(frame.arrays["map"])), None)
        afresh = planned.kind == "gcn" or not any(len(frame.arrays["map"]) for frame in self.frames[1:])
        self._progress("")
        preview = self._preview or Preview()
        made = yield from reduce_features(
            features,
            last,
            method=config.method,
            dimensions=config.dimensions,
            perplexity=config.perplexity,
            seed=config.seed,
            afresh=afresh,
            check=lambda: self._progress(""),
            watch=lambda points: preview.watch(planned.key, points, last),
        )
        facts: dict[str, Any] = {
            "features": separation(features, y),
            "map": separation(made, y),
            "move": None if last is None else median_move(last, made),
        }
        return Cached(facts=facts, arrays={"map": made, **arrays})

    def _known_features(self, planned: PlannedFrame) -> np.ndarray:
        """Return the features of a frame, computed once; logits may be known from another embedding of the run."""
        if planned.key not in self._features:
            self._progress(f"{planned.title}: computing features…")
            known = self._cache.get(planned.logits) if planned.logits else None
            self._features[planned.key] = self.features(planned) if known is None else known.arrays["logits"]
        return self._features[planned.key]

    def features(self, planned: PlannedFrame) -> np.ndarray:
        """Return what a frame is an embedding of: the features of the nodes shown, [n, d]."""
        ids = self.nodes.arrays["nodes"]
        if planned.kind == "input":
            return input_features(self.graph, ids, self.config.seed)
        if planned.kind == "gcn":
            model = gcn_model(self.graph, self._store, check=lambda: self._progress("Training a GCN…"))
            return step_features(model, self.graph)[ids]
        if self._models is None:
            from pgcn.execution.recorder import stored_models

            self._models = stored_models(self._store, self.plan.run.id)
        return step_features(self._models[planned.step.number], self.graph)[ids]


def gcn_model(graph: "Graph", store: Store, *, check: Check = lambda: None):
    """Return the GCN that is compared with: the GCN baseline's first where it is stored, else one trained now.

    ``check`` is called now and then while it is trained, and may raise to end it.
    """
    from pgcn.execution.recorder import stored_model
    from pgcn.execution.start import train_gcn
    from pgcn.studies.baseline import baseline_batch

    if graph.source is not None:
        for run in store.runs(batch=baseline_batch(graph.source)):
            if run.seed == 0 and run.status == "finished":
                return stored_model(store, run.id)
    run = train_gcn(graph, GCNConfig(seed=0))
    for _ in run:
        check()
    return run.model
