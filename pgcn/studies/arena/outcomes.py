"""What single runs of an arena came to: from a store, from a file, and as CSV. No torch."""

import csv
import io
import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pgcn.errors import PgcnError
from pgcn.events import Event
from pgcn.methods.search.steps import reported
from pgcn.numbers import known
from pgcn.studies.arena.question import Arena, ArenaPlace, ArenaTask
from pgcn.studies.outcomes import ended_runs, values_of

if TYPE_CHECKING:
    from pgcn.store import Store, StoredRun

Describe = Callable[["Store", str], "Found"]


@dataclass(frozen=True, kw_only=True)
class ArenaOutcome:
    """What one run of the arena came to; ``run`` is its id in the store, accuracies are shares of 1.

    ``seconds`` are of all that the run computed. ``architecture`` says in words what a search found, "" where the
    topology says it, and ``reported`` are the test accuracies of the networks that it retrained at its end: a
    search reports their mean. ``recorded`` says that it came with the program, computed on another machine: it is
    never averaged with what was computed here.
    """

    dataset: str
    split: str
    split_seed: int
    seed: int
    contender: str
    title: str
    method: str
    run: str
    status: str
    topology: tuple[int, ...]
    architecture: str
    parameters: int
    seconds: float
    labelled_accuracy: float | None
    val_accuracy: float | None
    test_accuracy: float | None
    recorded: bool = False
    reported: tuple[float, ...] = ()

    @property
    def place(self) -> ArenaPlace:
        return ArenaPlace(dataset=self.dataset, split=self.split)

    @property
    def accuracy(self) -> float | None:
        """The test accuracy that stands for the run: of a search the mean of the networks it retrained."""
        return statistics.fmean(self.reported) if self.reported else self.test_accuracy

    @property
    def found(self) -> str:
        """The architecture as text: what a search says, or the neurons of the hidden layers."""
        return self.architecture or "-".join(map(str, self.topology)) or "none"


@dataclass(frozen=True)
class Found:
    """What a search has come to: its architecture in words, and what it reports the mean of."""

    architecture: str = ""
    reported: tuple[float, ...] = ()


def task_outcome(task: ArenaTask, run: "StoredRun", found: Found = Found()) -> ArenaOutcome:
    """Return what the stored run of a task came to."""
    return ArenaOutcome(
        **asdict(task.place),
        split_seed=task.split_seed,
        seed=task.seed,
        contender=task.contender.name,
        title=task.title,
        method=task.contender.method,
        architecture=found.architecture,
        reported=found.reported,
        **values_of(run),
    )


def stored_outcomes(arena: Arena, store: "Store", describe: "Describe | None" = None) -> list[ArenaOutcome]:
    """Return what is stored of an arena, in the order of its tasks.

    ``describe`` says what a search has come to; whoever asks often remembers it.
    """
    describe = describe or described
    outcomes = []
    for task, run in ended_runs(arena.tasks(), store):
        searched = task.contender.searches and run.step is not None
        outcomes.append(task_outcome(task, run, describe(store, run.id) if searched else Found()))
    return outcomes


def described(store: "Store", run: str) -> Found:
    """Return what a search has come to, as its network describes it and its events tell."""
    text = store.network(run).description.get("architecture", "")
    return Found(text if isinstance(text, str) else json.dumps(text), reported_accuracies(store.events(run)))


def reported_accuracies(events: Sequence[Event]) -> tuple[float, ...]:
    """Return the test accuracies of the networks that a search retrained, none of a run that is no search."""
    scores = [event.scores for event in reported(events) if event.scores]
    return tuple(one.test_accuracy for one in scores if known(one.test_accuracy) is not None)


def outcome_from_dict(values: Mapping[str, Any]) -> ArenaOutcome:
    """Return the outcome that ``vars(outcome)`` gave, also after a trip through JSON."""
    try:
        lists = {"topology": tuple(values["topology"]), "reported": tuple(values.get("reported", ()))}
        return ArenaOutcome(**{**values, **lists})
    except (TypeError, KeyError) as error:
        raise PgcnError(f"This is not an outcome of the arena: {error}.") from error


def recorded_for(tasks: Iterable[ArenaTask], recorded: Mapping[str, ArenaOutcome]) -> list[ArenaOutcome]:
    """Return what was recorded for these tasks, under the names of their contenders."""
    pairs = ((task, recorded.get(task.recorded_id)) for task in tasks)
    return [
        replace(outcome, contender=task.contender.name, title=task.title)
        for task, outcome in pairs
        if outcome is not None
    ]


def known_outcomes(
    arena: Arena, store: "Store", recorded: Mapping[str, ArenaOutcome], describe: "Describe | None" = None
) -> list[ArenaOutcome]:
    """Return what is stored of an arena and what was recorded of it.

    Of a contender whose runs are stored in both modes, those of the mode that has more of them: they are not
    averaged with each other.
    """
    other = replace(arena, reproducible=not arena.reproducible)
    asked, otherwise = (stored_outcomes(one, store, describe) for one in (arena, other))
    count, count_otherwise = (Counter(one.contender for one in outcomes) for outcomes in (asked, otherwise))
    stored = [one for one in asked if count[one.contender] >= count_otherwise[one.contender]]
    stored += [one for one in otherwise if count[one.contender] < count_otherwise[one.contender]]
    same = arena if arena.reproducible else other  # whose ids are known by now: those that were recorded
    return [*stored, *recorded_for(same.tasks() if recorded else (), recorded)]


def outcomes_as_csv(outcomes: Sequence[ArenaOutcome]) -> str:
    """Return a table with a row for every run."""
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, fieldnames=list(ArenaOutcome.__dataclass_fields__))
    table.writeheader()
    for outcome in outcomes:
        lists = {"topology": "-".join(map(str, outcome.topology)), "reported": " ".join(map(str, outcome.reported))}
        table.writerow({**vars(outcome), **lists})
    return text.getvalue()
