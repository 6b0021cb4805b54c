"""What a study has come to in numbers: means, spreads and intervals over experiments. No torch."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pgcn.errors import PgcnError
from pgcn.studies.difficulty.contenders import CONTENDERS, REFERENCE
from pgcn.studies.difficulty.question import Study
from pgcn.studies.difficulty.task import Place
from pgcn.studies.outcomes import Averages, computed_before_recorded, dataset_rank, ended_runs, values_of
from pgcn.studies.statistics import Spread
from pgcn.tables import as_csv

if TYPE_CHECKING:
    from pgcn.store import Store


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one run of a study came to; ``run`` is its id in the store, accuracies are shares of 1.

    ``seconds`` are those of the machine that computed it, None where that does not matter here. ``recorded`` says
    that it came with the program, computed on another machine: it is never averaged with what was computed here.
    """

    dataset: str
    dims: int
    rate: float
    experiment: int
    method: str
    run: str
    status: str
    topology: tuple[int, ...]
    parameters: int
    seconds: float | None
    labelled_accuracy: float | None
    val_accuracy: float | None
    test_accuracy: float | None
    recorded: bool = False
    nodes: int | None = None
    """Of the data set, where it is not of the catalogue."""
    ended: float | None = field(default=None, compare=False)
    """When, in seconds since 1970; None of what was recorded."""

    @property
    def place(self) -> Place:
        return Place(dataset=self.dataset, dims=self.dims, rate=self.rate, nodes=self.nodes)


def stored_outcomes(study: Study, store: "Store") -> list[Outcome]:
    """Return what is stored of a study, in the order of its tasks."""
    outcomes = []
    for task, run in ended_runs(study.tasks(), store):
        asked = {"experiment": task.experiment, "method": task.contender}
        outcomes.append(Outcome(**vars(task.place), **asked, **values_of(run), ended=run.created))
    return outcomes


def outcome_from_dict(values: Mapping[str, Any]) -> Outcome:
    """Return the outcome that ``vars(outcome)`` gave, also after a trip through JSON."""
    try:
        return Outcome(**{**values, "topology": tuple(values["topology"])})
    except (TypeError, KeyError) as error:
        raise PgcnError(f"This is not an outcome of the difficulty study: {error}.") from error


@dataclass(frozen=True, kw_only=True)
class Cell(Averages[Outcome]):
    """What one method reached at one place."""

    place: Place
    method: str

    @property
    def seconds(self) -> Spread | None:
        """The training time of those computed here, None where none was."""
        known = [outcome.seconds for outcome in self.outcomes if outcome.seconds is not None]
        return Spread.of(known) if known else None


@dataclass(frozen=True, kw_only=True)
class Shared:
    """Experiments that several methods have, and the test accuracies (%) of each method in them."""

    experiments: tuple[int, ...]
    accuracies: tuple[tuple[float, ...], ...]
    recorded: bool


class Results:
    """The outcomes of a study by place and method; runs that failed are counted, not averaged.

    Where a place and a method have outcomes computed here, recorded ones are left out.
    """

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self.outcomes = tuple(outcomes)
        self.failed = [outcome for outcome in self.outcomes if outcome.test_accuracy is None]
        grouped: dict[tuple[Place, str, bool], list[Outcome]] = {}
        for outcome in self.outcomes:
            if outcome.test_accuracy is not None:
                grouped.setdefault((outcome.place, outcome.method, outcome.recorded), []).append(outcome)
        self._all_cells = {
            (place, method, recorded): Cell(
                place=place, method=method, outcomes=tuple(sorted(group, key=lambda one: one.experiment))
            )
            for (place, method, recorded), group in grouped.items()
        }
        self.cells = computed_before_recorded(self._all_cells)

    @property
    def shown(self) -> list[Outcome]:
        """The outcomes behind the cells."""
        return [outcome for cell in self.cells.values() for outcome in cell.outcomes]

    @property
    def places(self) -> list[Place]:
        there = {place for place, _ in self.cells}
        return sorted(there, key=lambda place: (dataset_rank(place.dataset), place.rate, place.dims))

    @property
    def datasets(self) -> list[str]:
        return list(dict.fromkeys(place.dataset for place in self.places))

    @property
    def methods(self) -> list[str]:
        return [name for name in CONTENDERS if any(method == name for _, method in self.cells)]

    def cell(self, place: Place, method: str) -> Cell | None:
        return self.cells.get((place, method))

    def in_order(self) -> list[Cell]:
        """Return all cells, place by place, the methods in their usual order."""
        return [
            cell
            for place in self.places
            for method in self.methods
            if (cell := self.cell(place, method)) is not None
        ]

    def difference(self, place: Place, method: str, other: str = REFERENCE) -> Spread | None:
        """Return method minus other in points of test accuracy, paired: experiments share split and projection.

        Both sides were computed here or, where no experiment has both from here, both are recorded.
        """
        shared = self.shared(place, method, other)
        if shared is None:
            return None
        ones, others = shared.accuracies
        return Spread.of([one - two for one, two in zip(ones, others, strict=True)], recorded=shared.recorded)

    def shared(self, place: Place, *methods: str) -> Shared | None:
        """Return the experiments that all of these methods have, computed here or, where none is, recorded."""
        for recorded in (False, True):
            known = [
                {outcome.experiment: 100 * outcome.test_accuracy for outcome in cell.outcomes} if cell else {}
                for cell in (self._all_cells.get((place, name, recorded)) for name in methods)
            ]
            experiments = sorted(set.intersection(*map(set, known)))
            if experiments:
                accuracies = tuple(tuple(one[number] for number in experiments) for one in known)
                return Shared(experiments=tuple(experiments), accuracies=accuracies, recorded=recorded)
        return None


def cell_row(results: Results, cell: Cell) -> dict[str, str]:
    """Return a cell as the columns of a table; nothing stands for what is not known."""
    place = cell.place
    difference = None if cell.method == REFERENCE else results.difference(place, cell.method)
    return {
        "D'": f"{place.dims:,}",
        "labelled": f"{place.rate:g} %",
        "N_L/D'": f"{place.labels_per_dimension:.3g}",
        "method": CONTENDERS[cell.method].label,
        "test (%)": cell.test.text(),
        "95 % CI": "" if cell.test.half_ci is None else f"± {cell.test.half_ci:.1f}",
        "to GCN (points)": "" if difference is None else difference.text(sign="+"),
        "validation (%)": cell.val.text(),
        "parameters": cell.parameters.text(0),
        "seconds": "" if cell.seconds is None else cell.seconds.text(),
        "n": str(cell.test.n),
        "computed": "recorded" if cell.recorded else "here",
        "topologies": "; ".join("-".join(map(str, outcome.topology)) for outcome in cell.outcomes),
    }


def outcomes_as_csv(outcomes: Sequence[Outcome]) -> str:
    """Return a table with a row for every run."""
    names = [name for name in Outcome.__dataclass_fields__ if name not in ("nodes", "ended")]
    rows = [
        {
            **{name: getattr(outcome, name) for name in names},
            "topology": "-".join(map(str, outcome.topology)),
            "labels_per_dimension": round(outcome.place.labels_per_dimension, 4),
        }
        for outcome in outcomes
    ]
    return as_csv([*names, "labels_per_dimension"], rows)
