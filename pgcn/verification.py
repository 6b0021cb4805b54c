"""Does this machine compute what was recorded?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pgcn.data import load_graph
from pgcn.errors import PgcnError
from pgcn.events import Event
from pgcn.execution.complete import complete_run
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import train, train_gcns
from pgcn.methods.registry import method_named
from pgcn.recorded import (
    first_events,
    first_gcn,
    first_gcn_events,
    recorded_arena,
    recorded_events,
    recorded_gcn,
    recorded_outcomes,
)
from pgcn.studies.arena import ArenaTask, arenas_of
from pgcn.studies.arena.outcomes import ArenaOutcome, reported_accuracies
from pgcn.studies.baseline import CONFIGS, Baseline
from pgcn.studies.difficulty import CONTENDERS, Study, Task, study_growth
from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.studies.difficulty.results import Outcome
from pgcn.studies.statistics import Spread

STUDIES = (
    Study(dataset="cora", dims=(10, 30, 50, 100, 300, 1433), methods=tuple(CONTENDERS), reproducible=True),
    Study(dataset="citeseer", dims=(10, 30, 50, 100, 300), reproducible=True),
    Study(dataset="pubmed", dims=(10, 30, 50, 100, 500), reproducible=True),
    Study(  # its GCN is that of the first
        dataset="cora",
        dims=(10, 30, 50, 100, 300, 1433),
        methods=tuple(name for name in CONTENDERS if name != REFERENCE),
        growth=study_growth("pagerank"),
        reproducible=True,
    ),
)
QUICK = {("cora", "gcn", 10), ("cora", "gcn", 1433), ("cora", "pgcn-ce", 300), ("citeseer", "gcn", 30)}
"""The outcomes that are verified if not all are: data set, method, D', of experiment 0."""
QUICK_ARENA = ("sgc", "gat", "ngcn-wsum", "appnp", "mlp", "pgcn-tuned-ce")
"""The contenders of the arena that are verified if not all are: on Cora, with seed 0."""
NOT_PROMISED = ("seconds", "versions", "notes", "reason", "ending", "facts")
"""What of an event is the clock's, the installation's, prose, or was not recorded then."""


@dataclass(frozen=True, kw_only=True)
class Verification:
    """One recorded thing, computed again: ``differences`` is empty where both are equal."""

    name: str
    differences: tuple[str, ...]


def verifications(*, everything: bool = False, data_dir: str | None = None) -> Iterator[Verification]:
    """Compute recorded things again in this process, which must be reproducible, and compare."""
    for events, gcn in ((first_events(), first_gcn()), (recorded_events(), recorded_gcn())):
        yield verify_run(data_dir, events)
        yield verify_gcn(data_dir, events, gcn)
    yield verify_run(data_dir, first_gcn_events())
    outcomes = recorded_outcomes()
    for study in STUDIES:
        for task in study.tasks():
            quick = (task.place.dataset, task.contender, task.place.dims) in QUICK and task.experiment == 0
            if everything or quick:
                yield verify_task(task, outcomes, data_dir)
    recorded = recorded_arena()
    for arena in arenas_of(reproducible=True):
        for met in arena.tasks():
            quick = (met.place.dataset, met.seed) == ("cora", 0) and met.contender.name in QUICK_ARENA
            if everything or quick:
                yield verify_task(met, recorded, data_dir)


def verify_run(data_dir: str | None, recorded: Sequence[Event]) -> Verification:
    started = recorded[0]
    graph = load_graph(**started.recipe, data_dir=data_dir)
    here = train(started.method, graph, RunSpec.of(started).config).finish().events
    title, seed = method_named(started.method).title, started.config["seed"]
    name = f"the recorded run: {title} on {started.dataset}, seed {seed}, {len(recorded)} events"
    return Verification(name=name, differences=tuple(event_differences(recorded, here)))


def event_differences(recorded: Sequence[Event], here: Sequence[Event]) -> Iterator[str]:
    """Yield the first difference of two event logs in a sentence, nothing where they are equal."""
    if len(recorded) != len(here):
        yield (
            f"{len(recorded)} events recorded, {len(here)} here; they end with {recorded[-1].topology} and "
            f"{here[-1].topology}"
        )
    for number, (one, other) in enumerate(zip(recorded, here, strict=False)):
        a, b = ({k: v for k, v in event.to_dict().items() if k not in NOT_PROMISED} for event in (one, other))
        different = [key for key in a if a[key] != b.get(key)]
        if different:
            key = different[0]
            yield f"event {number} ({type(one).__name__}): {key} was {a[key]}, here it is {b.get(key)}"
            return


def verify_gcn(data_dir: str | None, events: Sequence[Event], recorded: Baseline) -> Verification:
    results = train_gcns(load_graph(**events[0].recipe, data_dir=data_dir), CONFIGS).finish()
    here = {}
    for name, attribute in (("val", "val_accuracy"), ("test", "test_accuracy")):
        found = Spread.of([getattr(result.scores, attribute) for result in results])
        here |= {name: found.mean, f"{name}_sd": found.sd}
    differences = [
        f"{name} was {getattr(recorded, name)}, here it is {value}"
        for name, value in here.items()
        if getattr(recorded, name) != value
    ]
    return Verification(name=f"the GCN beside it, {recorded.seeds} seeds", differences=tuple(differences))


def verify_task(
    task: Task | ArenaTask, outcomes: Mapping[str, Outcome | ArenaOutcome], data_dir: str | None = None
) -> Verification:
    """Carry the run of a study out again and compare what it came to."""
    recorded = outcomes.get(task.id)
    name = f"{task.place.dataset}, {task.name}"
    if recorded is None:
        return Verification(name=name, differences=("it is not among the recorded outcomes",))
    before = None if task.needed is None else complete_run(task.needed.spec(), data_dir=data_dir).events
    events = complete_run(task.spec(before), data_dir=data_dir).events
    ended = events[-1]
    pairs = {"topology": (recorded.topology, ended.topology), "parameters": (recorded.parameters, ended.parameters)}
    for part in ("labelled_accuracy", "val_accuracy", "test_accuracy"):
        pairs[part] = (getattr(recorded, part), ended.scores and getattr(ended.scores, part))
    if isinstance(recorded, ArenaOutcome):
        pairs["reported"] = (recorded.reported, reported_accuracies(events))
    differences = [f"{part} was {was}, here it is {now}" for part, (was, now) in pairs.items() if was != now]
    return Verification(name=name, differences=tuple(differences))


def torch_recorded_with() -> str:
    """Return the release of torch with which everything was recorded."""
    started = recorded_events()[0]
    if not started.reproducible:
        raise PgcnError("The recorded run was not made in the reproducible mode: run 'pgcn record'.")
    return started.versions["torch"]
