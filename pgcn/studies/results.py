"""What a study has come to: means, spreads and confidence bands over experiments. No torch here."""

import csv
import io
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pgcn.data.sources import STATISTICS
from pgcn.errors import PgcnError
from pgcn.studies.difficulty import METHODS, Place, Study

if TYPE_CHECKING:
    from pgcn.store import Store

# Student's t at 97.5 % for 1 to 30 degrees of freedom; beyond, the expansion around the normal quantile.
T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def t_quantile(freedom: int) -> float:
    """Return Student's t at 97.5 % for so many degrees of freedom."""
    if freedom <= len(T_975):
        return T_975[freedom - 1]
    z = statistics.NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


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

    @property
    def place(self) -> Place:
        return Place(dataset=self.dataset, dims=self.dims, rate=self.rate)


def stored_outcomes(study: Study, store: "Store") -> list[Outcome]:
    """Return what is kept of a study, in the order of its tasks."""
    tasks = study.tasks()
    found = store.find([task.id for task in tasks])
    outcomes = []
    for task in tasks:
        run = found.get(task.id)
        if run is None or run.status not in ("finished", "failed"):
            continue
        scores = run.scores or {}
        accuracies = {name: scores.get(name) for name in ("labelled_accuracy", "val_accuracy", "test_accuracy")}
        outcomes.append(
            Outcome(
                **asdict(task.place), experiment=task.experiment, method=task.method, run=run.id, status=run.status,
                topology=run.topology, parameters=run.parameters, seconds=run.seconds, **accuracies,
            )
        )  # fmt: skip
    return outcomes


def outcome_from_dict(values: Mapping[str, Any]) -> Outcome:
    """Return the outcome that ``vars(outcome)`` gave, also after a trip through JSON."""
    try:
        return Outcome(**{**values, "topology": tuple(values["topology"])})
    except (TypeError, KeyError) as error:
        raise PgcnError(f"This is not an outcome of the difficulty study: {error}.") from error


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Mean and standard deviation over n values, and the 95 % confidence band of the mean (None for one value)."""

    n: int
    mean: float
    sd: float | None
    band: float | None
    recorded: bool = False

    @classmethod
    def of(cls, values: Sequence[float], *, recorded: bool = False) -> "Spread":
        sd = statistics.stdev(values) if len(values) > 1 else None
        band = None if sd is None else t_quantile(len(values) - 1) * sd / math.sqrt(len(values))
        return cls(n=len(values), mean=statistics.fmean(values), sd=sd, band=band, recorded=recorded)

    def text(self, digits: int = 1, *, sign: str = "") -> str:
        """Return mean ± sd; with ``sign`` "+" a difference."""
        return f"{self.mean:{sign}z,.{digits}f}" + ("" if self.sd is None else f" ± {self.sd:,.{digits}f}")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What one method reached at one place, all of it computed here or all of it recorded; accuracies in %."""

    place: Place
    method: str
    outcomes: tuple[Outcome, ...]

    @property
    def recorded(self) -> bool:
        return self.outcomes[0].recorded

    def over(self, value: Callable[[Outcome], float]) -> Spread:
        return Spread.of([value(outcome) for outcome in self.outcomes], recorded=self.recorded)

    @property
    def test(self) -> Spread:
        return self.over(lambda outcome: 100 * outcome.test_accuracy)

    @property
    def val(self) -> Spread:
        return self.over(lambda outcome: 100 * outcome.val_accuracy)

    @property
    def parameters(self) -> Spread:
        return self.over(lambda outcome: outcome.parameters)

    @property
    def seconds(self) -> Spread | None:
        """The training time of those computed here, None where none was."""
        known = [outcome.seconds for outcome in self.outcomes if outcome.seconds is not None]
        return Spread.of(known) if known else None


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
        self.cells = {
            (place, method): self._all_cells.get((place, method, False)) or self._all_cells[place, method, True]
            for place, method, _ in self._all_cells
        }

    @property
    def shown(self) -> list[Outcome]:
        """The outcomes behind the cells."""
        return [outcome for cell in self.cells.values() for outcome in cell.outcomes]

    @property
    def places(self) -> list[Place]:
        known, datasets = {place for place, _ in self.cells}, list(STATISTICS)
        return sorted(known, key=lambda place: (datasets.index(place.dataset), place.rate, place.dims))

    @property
    def datasets(self) -> list[str]:
        return list(dict.fromkeys(place.dataset for place in self.places))

    @property
    def methods(self) -> list[str]:
        return [name for name in METHODS if any(method == name for _, method in self.cells)]

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

    def difference(self, place: Place, method: str, other: str = "gcn") -> Spread | None:
        """Return method minus other in points of test accuracy, paired: experiments share split and projection.

        Both sides were computed here or, where no experiment has both from here, both are recorded.
        """
        for recorded in (False, True):
            ones, others = (
                {outcome.experiment: 100 * outcome.test_accuracy for outcome in cell.outcomes} if cell else {}
                for cell in (self._all_cells.get((place, name, recorded)) for name in (method, other))
            )
            shared = [ones[experiment] - others[experiment] for experiment in ones if experiment in others]
            if shared:
                return Spread.of(shared, recorded=recorded)
        return None


def cell_row(results: Results, cell: Cell) -> dict[str, str]:
    """Return a cell as the columns of a table; nothing stands for what is not known."""
    place = cell.place
    difference = None if cell.method == "gcn" else results.difference(place, cell.method)
    return {
        "D'": f"{place.dims:,}",
        "labelled": f"{place.rate:g} %",
        "N_L/D'": f"{place.labels_per_dimension:.3g}",
        "method": METHODS[cell.method].label,
        "test (%)": cell.test.text(),
        "95 % CI": "" if cell.test.band is None else f"± {cell.test.band:.1f}",
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
    rows = [
        {**vars(outcome), "topology": "-".join(map(str, outcome.topology)),
         "labels_per_dimension": round(outcome.place.labels_per_dimension, 4)}
        for outcome in outcomes
    ]  # fmt: skip
    text = io.StringIO(newline="")
    names = [*Outcome.__dataclass_fields__, "labels_per_dimension"]
    table = csv.DictWriter(text, fieldnames=names)
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def divergences(results: Results) -> list[str]:
    """Say where runs diverged and are in no mean."""
    counts = Counter((outcome.place, outcome.method) for outcome in results.failed)
    return [
        f"{METHODS[method].label} diverged in {count} run{'s' * (count != 1)} at D' = {place.dims:,} and "
        f"{place.rate:g} % labelled ({place.dataset}): in no mean."
        for (place, method), count in counts.items()
    ]


def findings(results: Results, method: str = "pgcn-ce", other: str = "gcn") -> list[str]:
    """Say in words what the numbers show, place by place, also where they do not favour the method."""
    return [
        sentence for place in results.places if (sentence := finding(results, place, method, other)) is not None
    ]


def finding(results: Results, place: Place, method: str, other: str) -> str | None:
    """Return for example: At D' = 30 … PGCN (CE) leads GCN by 23.8 ± 1.1 points … with 8.1 times the parameters."""
    lead, one, two = (
        results.difference(place, method, other),
        results.cell(place, method),
        results.cell(place, other),
    )
    if lead is None or one is None or two is None:
        return None
    name, rival = METHODS[method].label, METHODS[other].label
    spread = "" if lead.sd is None else f" ± {lead.sd:.1f}"
    doubt = "" if lead.band is None or abs(lead.mean) > lead.band else ", not significant at 95 %"
    if round(abs(lead.mean), 1):
        verdict = f"{'leads' if lead.mean > 0 else 'trails'} {rival} by {abs(lead.mean):.1f}{spread} points{doubt}"
    else:
        verdict = f"is level with {rival}, 0.0{spread} points apart"
    times = one.parameters.mean / two.parameters.mean
    size = f"{times:.1f} times the parameters" if times >= 1.05 else f"{100 * times:.0f} % of the parameters"
    return (
        f"At D' = {place.dims:,} and {place.rate:g} % labelled (N_L/D' = {place.labels_per_dimension:.3g}) "
        f"{name} {verdict} (test {one.test.mean:.1f} against {two.test.mean:.1f} %, "
        f"{lead.n if lead.n > 1 else 'only one'} experiment{'s' * (lead.n != 1)}), "
        f"with {size if abs(times - 1) >= 0.05 else 'as many parameters'}."
    )


def origins(results: Results, place: Place) -> str | None:
    """Say what PGCN's lead over GCN comes from: from size and time, from the topology, from growing itself.

    The matched GCN has the parameters and epochs but one hidden layer; the same topology has all but the growth.
    """
    chain = ("gcn", "matched-gcn", "same-topology", "pgcn-ce")
    parts = [results.difference(place, method, other) for other, method in (("gcn", "pgcn-ce"), *pairwise(chain))]
    if None in parts:
        return None
    total, size, topology, growing = (part.text(sign="+") for part in parts)
    return (
        f"PGCN (CE) minus GCN at D' = {place.dims:,} and {place.rate:g} % labelled is {total} points: {size} with "
        f"as many parameters, epochs and dropout in one hidden layer (matched GCN), {topology} with the topology "
        f"it found (trained from scratch), {growing} with growing it block by block."
    )
