"""What all studies make of stored runs: the values of one run, and means over several. No torch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pgcn.data.catalogue import CATALOGUE
from pgcn.numbers import known
from pgcn.studies.statistics import Spread
from pgcn.studies.tasks import StudyTask

if TYPE_CHECKING:
    from pgcn.store import Store, StoredRun

ENDED = ("finished", "failed")
"""The states of runs that a study counts."""
ACCURACIES = ("labelled_accuracy", "val_accuracy", "test_accuracy")


Task = TypeVar("Task", bound=StudyTask)


def ended_runs(tasks: Sequence[Task], store: "Store") -> "Iterator[tuple[Task, StoredRun]]":
    """Yield the tasks whose run is stored and has ended, in their order, each with that run."""
    found = store.find([task.id for task in tasks])
    for task in tasks:
        run = found.get(task.id)
        if run is not None and run.status in ENDED:
            yield task, run


def values_of(run: "StoredRun") -> dict[str, Any]:
    """Return what an outcome of any study holds of its run; an accuracy that was not measured is None."""
    scores = run.scores or {}
    return {
        "run": run.id,
        "status": run.status,
        "topology": run.topology,
        "parameters": run.parameters,
        "seconds": run.seconds,
        **{name: known(scores.get(name)) for name in ACCURACIES},
    }


class Measured(Protocol):
    """What is averaged of an outcome."""

    @property
    def recorded(self) -> bool: ...
    @property
    def val_accuracy(self) -> float | None: ...
    @property
    def test_accuracy(self) -> float | None: ...
    @property
    def parameters(self) -> int: ...


AnyOutcome = TypeVar("AnyOutcome", bound=Measured)
Cell = TypeVar("Cell")


@dataclass(frozen=True, kw_only=True)
class Averages(Generic[AnyOutcome]):
    """Outcomes and their means, all of them computed here or all of them recorded; accuracies in %.

    A mean is asked for by every table and figure of a page, and computed once.
    """

    outcomes: tuple[AnyOutcome, ...]

    @property
    def recorded(self) -> bool:
        return self.outcomes[0].recorded

    def over(self, value: Callable[[AnyOutcome], float]) -> Spread:
        return Spread.of([value(outcome) for outcome in self.outcomes], recorded=self.recorded)

    @cached_property
    def test(self) -> Spread:
        return self.over(lambda outcome: 100 * outcome.test_accuracy)

    @cached_property
    def val(self) -> Spread:
        return self.over(lambda outcome: 100 * outcome.val_accuracy)

    @cached_property
    def parameters(self) -> Spread:
        return self.over(lambda outcome: outcome.parameters)


def computed_before_recorded(cells: Mapping[tuple[Any, str, bool], Cell]) -> dict[tuple[Any, str], Cell]:
    """Return cells by place and contender; of those that are there twice, the one computed here.

    The keys given end with whether the cell was recorded.
    """
    return {key[:2]: cells.get((*key[:2], False)) or cells[*key[:2], True] for key in cells}


def dataset_rank(name: str) -> tuple[bool, int, str]:
    """Return what data sets are sorted by: as the catalogue lists them, one's own graphs last and by name."""
    own = name not in CATALOGUE
    return own, 0 if own else list(CATALOGUE).index(name), name
