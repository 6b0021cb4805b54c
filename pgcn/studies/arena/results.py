"""What an arena has come to by place and contender, with the runs behind every number. No torch."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pgcn.methods.registry import grows
from pgcn.numbers import counted
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.outcomes import (
    ArenaOutcome,
    known_outcomes,
    outcome_from_dict,
    outcomes_as_csv,
    recorded_for,
    stored_outcomes,
)
from pgcn.studies.arena.paired import Pair, Paired, compare
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.selection import BestOf, best_of, best_positions, pareto_front
from pgcn.studies.outcomes import Averages, dataset_rank
from pgcn.studies.statistics import Spread

__all__ = [
    "ArenaCell",
    "ArenaOutcome",
    "ArenaResults",
    "failures",
    "known_outcomes",
    "outcome_from_dict",
    "outcomes_as_csv",
    "recorded_for",
    "stored_outcomes",
]


@dataclass(frozen=True, kw_only=True)
class ArenaCell(Averages[ArenaOutcome]):
    """What one contender reached at one place."""

    place: ArenaPlace
    contender: str

    @property
    def title(self) -> str:
        return self.outcomes[0].title

    @property
    def searches(self) -> bool:
        """Whether its runs also look for an architecture, so that their seconds are those of a search."""
        return grows(self.outcomes[0].method) or (self.contender in ALL and ALL[self.contender].searches)

    @property
    def runs(self) -> tuple[str, ...]:
        """The ids of the stored runs behind its numbers."""
        return tuple(outcome.run for outcome in self.outcomes)

    @property
    def networks(self) -> list[float]:
        """The test accuracies of the networks that its searches retrained; none where it does not search."""
        return [100 * value for outcome in self.outcomes for value in outcome.reported]

    @cached_property
    def test(self) -> Spread:
        """Test accuracy over runs; of a search over the networks that its runs retrained."""
        return Spread.of(self.networks, recorded=self.recorded) if self.networks else super().test

    @property
    def over_text(self) -> str:
        """What its mean is taken over, such as '20 runs' or '5 networks retrained at the end of 1 search'."""
        n = len(self.outcomes)
        if not self.networks:
            return counted(n, "run")
        trained = counted(len(self.networks), "network")
        return f"{trained} retrained at the end of {counted(n, 'search', 'searches')}"

    @property
    def half_ci(self) -> float | None:
        """Half of the 95 % confidence interval of its mean; networks of one search are no sample of searches."""
        return None if self.networks else self.test.half_ci

    @property
    def best_text(self) -> str:
        """The test accuracy of its best run by validation, and of how many."""
        n = counted(len(self.networks), "network") if self.networks else str(len(self.outcomes))
        return f"{self.best_of().mean:.1f} (of {n})"

    @cached_property
    def seconds(self) -> Spread:
        return self.over(lambda outcome: outcome.seconds)

    @property
    def training_seconds(self) -> Spread | None:
        """The seconds of training, None where the run also looked for its architecture."""
        return None if self.searches else self.seconds

    @property
    def search_seconds(self) -> Spread | None:
        """The seconds of growing or searching, all training included; None where the architecture was given."""
        return self.seconds if self.searches else None

    @property
    def val_accuracies(self) -> list[float]:
        return [100 * outcome.val_accuracy for outcome in self.outcomes]

    @property
    def test_accuracies(self) -> list[float]:
        return [100 * outcome.test_accuracy for outcome in self.outcomes]

    def best_of(self, n: int | None = None) -> BestOf:
        """Return what to expect on test nodes of the best of n runs by validation, by default of all."""
        return best_of(self.val_accuracies, self.test_accuracies, n or len(self.outcomes))

    @property
    def best(self) -> tuple[ArenaOutcome, ...]:
        """The runs of best validation accuracy: several where they are equal, the smallest network first."""
        best = [self.outcomes[position] for position in best_positions(self.val_accuracies)]
        return tuple(sorted(best, key=lambda outcome: (outcome.parameters, outcome.split_seed, outcome.seed)))

    @property
    def usual(self) -> tuple[str, int]:
        """The architecture found most often, and how often; of equal ones the smaller network."""
        counts = Counter(outcome.found for outcome in self.outcomes)
        size = {outcome.found: outcome.parameters for outcome in self.outcomes}
        return max(counts.items(), key=lambda item: (item[1], -size[item[0]], item[0]))


class ArenaResults:
    """The outcomes of arenas by place and contender; runs that failed are counted, not averaged.

    Of outcomes computed here and recorded ones of the same place and contender those count of which there are more,
    of equally many those computed here: one run does not take the place of twenty.
    """

    def __init__(self, outcomes: Iterable[ArenaOutcome]) -> None:
        self.outcomes = tuple(outcomes)
        self.failed = [outcome for outcome in self.outcomes if outcome.status == "failed"]
        ended = [outcome for outcome in self.outcomes if outcome.val_accuracy is not None]
        self.untested = sorted({outcome.place.dataset for outcome in ended if outcome.test_accuracy is None})
        grouped: dict[tuple[ArenaPlace, str, bool], list[ArenaOutcome]] = {}
        for outcome in self.outcomes:
            if outcome.test_accuracy is not None and outcome.val_accuracy is not None:
                grouped.setdefault((outcome.place, outcome.contender, outcome.recorded), []).append(outcome)
        self._all_cells = {
            key: ArenaCell(
                place=key[0],
                contender=key[1],
                outcomes=tuple(sorted(group, key=lambda one: (one.split_seed, one.seed))),
            )
            for key, group in grouped.items()
        }
        self.cells: dict[tuple[ArenaPlace, str], ArenaCell] = {}
        for (place, contender, recorded), cell in self._all_cells.items():
            other = self._all_cells.get((place, contender, not recorded))
            if other is None or (len(cell.outcomes), not recorded) > (len(other.outcomes), recorded):
                self.cells[place, contender] = cell

    @property
    def places(self) -> list[ArenaPlace]:
        there = {place for place, _ in self.cells}
        return sorted(there, key=lambda place: (dataset_rank(place.dataset), place.split != "public", place.split))

    @property
    def contenders(self) -> list[str]:
        """The names of those who have an outcome, in their usual order; others than the usual ones come last."""
        names = dict.fromkeys(contender for _, contender in self.cells)
        return [*(name for name in ALL if name in names), *(name for name in names if name not in ALL)]

    def cell(self, place: ArenaPlace, contender: str) -> ArenaCell | None:
        return self.cells.get((place, contender))

    def computed_here(self, place: ArenaPlace, contender: str) -> tuple[ArenaOutcome, ...]:
        """Return the outcomes of a contender that were computed here, also where recorded ones are more."""
        cell = self._all_cells.get((place, contender, False))
        return cell.outcomes if cell else ()

    def cells_at(self, place: ArenaPlace) -> list[ArenaCell]:
        """Return the cells of a place, the contenders in their usual order."""
        return [cell for name in self.contenders if (cell := self.cell(place, name)) is not None]

    def front(self, place: ArenaPlace, cost: str = "parameters") -> list[ArenaCell]:
        """Return the cells of a place that no other dominates in mean test accuracy and mean cost.

        ``cost`` is "parameters" or "seconds". The cheapest comes first.
        """
        cells = self.cells_at(place)
        points = [(getattr(cell, cost).mean, cell.test.mean) for cell in cells]
        return [cells[position] for position in pareto_front(points)]

    def paired(self, place: ArenaPlace, contender: str, other: str) -> Paired | None:
        """Return contender minus other over the splits and seeds that both have met, None where there are none.

        Both sides were computed here or both are recorded, whichever makes more pairs.
        """
        computed, recorded = (self.pairs(place, contender, other, recorded=where) for where in (False, True))
        if not computed and not recorded:
            return None
        return compare(recorded, recorded=True) if len(recorded) > len(computed) else compare(computed)

    def pairs(self, place: ArenaPlace, contender: str, other: str, *, recorded: bool) -> list[Pair]:
        """Return the pairs of two contenders, both sides recorded or both computed here."""
        ones, others = (
            {(outcome.split_seed, outcome.seed): outcome for outcome in cell.outcomes} if cell else {}
            for cell in (self._all_cells.get((place, name, recorded)) for name in (contender, other))
        )
        return [
            Pair(
                run=one.run,
                other=others[key].run,
                split_seed=key[0],
                seed=key[1],
                difference=100 * (one.accuracy - others[key].accuracy),
            )
            for key, one in ones.items()
            if key in others
        ]


def failures(results: ArenaResults) -> list[str]:
    """Say which runs failed, or had no test nodes, and are in no mean."""
    counts = Counter((outcome.place.dataset, outcome.title) for outcome in results.failed)
    failed = [
        f"{title} failed in {count} run{'s' * (count != 1)} on {dataset}: excluded from the means."
        for (dataset, title), count in counts.items()
    ]
    return failed + [no_test_nodes(dataset) for dataset in results.untested]


def no_test_nodes(dataset: str) -> str:
    """Say why nothing is compared on a graph whose own split has no test nodes, as is usual for one's own."""
    return f"{dataset} has no test nodes. Compare methods on a random split: random:5 or fraction:0.3."
