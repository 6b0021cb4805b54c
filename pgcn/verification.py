"""Does this machine compute what was recorded?"""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pgcn.data import load_graph
from pgcn.errors import PgcnError
from pgcn.events import Event
from pgcn.execution.start import grow, train_gcns
from pgcn.methods.pgcn import GrowthConfig
from pgcn.recorded import recorded_events, recorded_gcn, recorded_outcomes
from pgcn.studies.baseline import CONFIGS
from pgcn.studies.difficulty import METHODS, Study, Task
from pgcn.studies.results import Outcome
from pgcn.studies.running import needed_by
from pgcn.studies.tasks import Found, carry_out

STUDIES = (
    Study(dataset="cora", dims=(10, 30, 50, 100, 300, 1433), methods=tuple(METHODS), reproducible=True),
    Study(dataset="citeseer", dims=(10, 30, 50, 100, 300), reproducible=True),
    Study(dataset="pubmed", dims=(10, 30, 50, 100, 500), reproducible=True),
)  # fmt: skip
QUICK = {("cora", "gcn", 10), ("cora", "gcn", 1433), ("cora", "pgcn-ce", 300), ("citeseer", "gcn", 30)}
"""The outcomes that are verified if not all are: data set, method, D', of experiment 0."""
NOT_PROMISED = ("seconds", "versions", "notes", "reason")
"""What of an event is the clock's, the installation's, or prose."""


@dataclass(frozen=True, kw_only=True)
class Verification:
    """One recorded thing, computed again: ``differences`` is empty where both are equal."""

    name: str
    differences: tuple[str, ...]


def verifications(*, everything: bool = False) -> Iterator[Verification]:
    """Compute recorded things again in this process, which must be reproducible, and compare."""
    yield verify_run()
    yield verify_gcn()
    outcomes = recorded_outcomes()
    for study in STUDIES:
        for task in study.tasks():
            quick = (task.place.dataset, task.method, task.place.dims) in QUICK and task.experiment == 0
            if everything or quick:
                yield verify_task(task, outcomes)


def verify_run() -> Verification:
    recorded = recorded_events()
    graph = load_graph(**recorded[0].recipe)
    here = grow(graph, GrowthConfig.from_dict(recorded[0].config)).finish().events
    name = f"the recorded run: {recorded[0].dataset}, seed {recorded[0].config['seed']}, {len(recorded)} events"
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


def verify_gcn() -> Verification:
    recorded = recorded_gcn()
    results = train_gcns(load_graph(**recorded_events()[0].recipe), CONFIGS).finish()
    here = {}
    for name, attribute in (("val", "val_accuracy"), ("test", "test_accuracy")):
        values = [getattr(result.scores, attribute) for result in results]
        here |= {name: statistics.fmean(values), f"{name}_sd": statistics.stdev(values)}
    differences = [
        f"{name} was {getattr(recorded, name)}, here it is {value}"
        for name, value in here.items()
        if getattr(recorded, name) != value
    ]
    return Verification(name=f"the GCN beside it, {recorded.seeds} seeds", differences=tuple(differences))


def verify_task(task: Task, outcomes: dict[str, Outcome]) -> Verification:
    recorded = outcomes.get(task.id)
    name = f"{task.place.dataset}, {task.name}"
    if recorded is None:
        return Verification(name=name, differences=("it is not among the recorded outcomes",))
    needed = needed_by(task)
    found = None if needed is None else Found.of(carry_out(needed).events)
    ended = carry_out(task, found).events[-1]
    pairs = {"topology": (recorded.topology, ended.topology), "parameters": (recorded.parameters, ended.parameters)}
    for part in ("labelled_accuracy", "val_accuracy", "test_accuracy"):
        pairs[part] = (getattr(recorded, part), ended.scores and getattr(ended.scores, part))
    differences = [f"{part} was {was}, here it is {now}" for part, (was, now) in pairs.items() if was != now]
    return Verification(name=name, differences=tuple(differences))


def torch_recorded_with() -> str:
    """Return the release of torch with which everything was recorded."""
    started = recorded_events()[0]
    if not started.reproducible:
        raise PgcnError("The recorded run was not made in the reproducible mode: 'pgcn record' makes it anew.")
    return started.versions["torch"]
