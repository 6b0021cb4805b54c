"""What stored runs were asked for, and what they are called, alone or as a batch. No streamlit, no torch."""

import functools
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pgcn.data.catalogue import dataset_title
from pgcn.errors import PgcnError
from pgcn.events import RunStarted
from pgcn.methods.pgcn.lineage import point_name
from pgcn.methods.registry import grows, method_named, method_title

if TYPE_CHECKING:
    from pgcn.store import StoredRun

SEEDS = ("seed", "perturbation_seed")
"""Settings in which the runs of a batch differ: what is left to chance."""
NOT_SAID = "–"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a run was asked for, in words.

    ``basic``     the graph, the method and its preset
    ``settings``  all settings but seeds; ``changed`` names those that differ from the preset
    ``split_seed`` the seed of the graph's split and projection
    """

    basic: Mapping[str, str]
    settings: Mapping[str, str] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    split_seed: int = 0

    def of(self, name: str) -> str:
        return self.basic.get(name) or self.settings.get(name, NOT_SAID)

    @functools.cached_property
    def digest(self) -> str:
        """What all runs share that were asked for the same, but for seeds."""
        return hashlib.sha256(
            json.dumps([dict(self.basic), dict(self.settings)], sort_keys=True).encode()
        ).hexdigest()


def facts_of(run: "StoredRun", started: RunStarted | None) -> Facts:
    """Return what a run was asked for; of one whose opening cannot be read only what its row says."""
    basic = {"data set": dataset_title(run.dataset), "method": method_title(run.method)}
    if started is None:
        return Facts(basic=basic)
    recipe = dict(started.recipe or {})
    basic["split"] = recipe.pop("split", started.split) or NOT_SAID
    basic["D'"] = str(recipe.pop("dims", "all"))
    seed = recipe.pop("seed", 0)
    basic |= {name: as_text(value) for name, value in recipe.items() if name not in ("name", "content")}
    asked = {name: value for name, value in started.config.items() if name not in SEEDS}
    preset, settings, changed = preset_of(started.method, json.dumps(asked, sort_keys=True))
    basic |= {"preset": preset, "reproducible": "yes" if started.reproducible else "no"}
    if started.parent is not None:
        basic["branched from"] = f"{started.parent['run'][:8]} at {point_name(started.parent)}"
    return Facts(basic=basic, settings=settings, changed=changed, split_seed=seed)


@functools.lru_cache(maxsize=4096)
def preset_of(name: str, asked: str) -> tuple[str, dict[str, str], frozenset[str]]:
    """Return the nearest preset of settings (as JSON), all of these, and which differ from the preset."""
    values, changes, preset = json.loads(asked), {}, ""
    try:
        config = method_named(name).config.from_dict(values)
        values = config.to_dict()
        preset, changes = method_named(name).nearest(config)
    except PgcnError:  # of a later version
        pass
    settings = {key: as_text(value) for key, value in values.items() if key not in SEEDS}
    return preset or NOT_SAID, settings, frozenset(changes) - set(SEEDS)


def as_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(as_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class Row:
    """A run, or those runs of a batch that differ in nothing but seeds, in the order of these."""

    id: str
    runs: "tuple[StoredRun, ...]"
    facts: Facts
    split_seeds: Mapping[str, int]
    """The seed of the split by run."""

    def part(self, run: "StoredRun") -> "Row":
        """Return one of its runs as a row of its own."""
        return Row(id=run.id, runs=(run,), facts=self.facts, split_seeds=self.split_seeds)

    @property
    def is_batch(self) -> bool:
        return len(self.runs) > 1

    @property
    def finished(self) -> "list[StoredRun]":
        return [run for run in self.runs if run.status == "finished" and run.scores]

    @property
    def name(self) -> str:
        return batch_name(self.runs) if self.is_batch else run_name(self.runs[0])


def run_name(run: "StoredRun") -> str:
    """Return the name given to a run, else its data set and seed, and its method where it does not grow."""
    return run.name or f"{subject(run)}, seed {run.seed}"


def subject(run: "StoredRun") -> str:
    method = "" if grows(run.method) else f", {method_title(run.method)}"
    return dataset_title(run.dataset) + method


def batch_name(runs: "Sequence[StoredRun]") -> str:
    """Return the name that all runs of a batch have, else their data set and seeds."""
    names = {run.name for run in runs}
    if len(names) == 1 and names != {""}:
        return names.pop()
    return f"{subject(runs[0])}, {seeds_text([run.seed for run in runs])}"


def seeds_text(seeds: Sequence[int]) -> str:
    """Return for example 'seeds 0 to 19', '3 seeds', or 'seed 0, 20 times'."""
    known = sorted(set(seeds))
    if len(known) == 1:
        return f"seed {known[0]}, {len(seeds)} times"
    together = known == list(range(known[0], known[-1] + 1))
    return f"seeds {known[0]} to {known[-1]}" if together else f"{len(known)} seeds"


def rows_of(runs: "Iterable[StoredRun]", facts: Mapping[str, Facts]) -> list[Row]:
    """Return a row for every run, and one for all runs of a batch that differ in nothing but seeds.

    Rows are in the order of their newest run.
    """
    members: dict[str, list[StoredRun]] = {}
    for run in runs:
        members.setdefault(row_id(run, facts[run.id]), []).append(run)
    return [
        Row(
            id=name if len(those) > 1 else those[0].id,
            runs=tuple(sorted(those, key=lambda run: (run.seed, facts[run.id].split_seed, run.created))),
            facts=facts[those[0].id],
            split_seeds={run.id: facts[run.id].split_seed for run in those},
        )
        for name, those in members.items()
    ]


def row_id(run: "StoredRun", facts: Facts) -> str:
    """Return what runs of one row share: it stays the same, so that links can name it."""
    if not run.batch:
        return run.id
    asked = json.dumps([run.batch, run.method, run.dataset, facts.digest])
    return hashlib.sha256(asked.encode()).hexdigest()[:16]
