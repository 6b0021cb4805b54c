"""A search of architectures as text: what the terminal shows while it goes on and when it has ended."""

from collections.abc import Sequence

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pgcn.events import EpochsTrained, Event, RunStarted
from pgcn.methods.search import PAPER_ARCHITECTURES
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.steps import reported
from pgcn.numbers import percent
from pgcn.studies.statistics import Spread


def search_row(event: Event) -> Table | None:
    """Return what an architecture came to, None for other events."""
    if isinstance(event, ArchitectureJudged):
        mark, where = ("★" if event.best else "·"), f"{event.number} of {event.budget}"
        reached = "diverged" if event.diverged else f"validation {percent(event.val_accuracy)}"
        more = ", tried before" if event.repeated else f", {event.seconds:.1f} s"
    elif isinstance(event, FinalTrained):
        mark, where = ("★" if event.best else "·"), f"retrained {event.number} of {event.count}"
        scores = event.scores
        reached = f"validation {percent(scores.val_accuracy)}" if scores else "diverged"
        more = f", test {percent(scores.test_accuracy)}" if scores else ""
    else:
        return None
    style = "bold green" if mark == "★" else ""
    row = Table.grid(padding=(0, 1))
    row.add_row(
        Text(f" {mark}", style),
        Text(f"{where:<12}", "bold"),
        Text(f"{reached}, {event.parameters:,} parameters{more}  {event.text}", style),
    )
    return row


def reported_line(events: Sequence[Event]) -> str:
    """Say what the search reports: the mean over the networks that were retrained, and its budget."""
    tried = sum(isinstance(event, ArchitectureJudged) for event in events)
    budget = f"{tried:,} architecture{'s' * (tried != 1)} tried; the papers try {PAPER_ARCHITECTURES:,}"
    test = [100 * event.scores.test_accuracy for event in reported(events) if event.scores]
    if not test or any(value != value for value in test):  # there are no test nodes
        return budget
    over = "of the network" if len(test) == 1 else f"mean ± sd of {len(test)} networks"
    return f"test accuracy {Spread.of(test).text()} %, {over} retrained; {budget}"


class SearchView:
    """The state of one search: the best architecture so far, and the one that is trained."""

    def __init__(self, started: RunStarted) -> None:
        self.started = started
        self.best: ArchitectureJudged | FinalTrained | None = None
        self.proposed: ArchitectureProposed | None = None
        self.trained: EpochsTrained | None = None

    def update(self, event: Event) -> None:
        """Follow an event of the search."""
        if isinstance(event, ArchitectureProposed):
            self.proposed, self.trained = event, None
        elif isinstance(event, EpochsTrained):
            self.trained = event
        elif isinstance(event, ArchitectureJudged | FinalTrained):
            self.proposed = self.trained = None
            self.best = event if event.best else self.best

    def __rich__(self) -> Group:
        best, now = Text(), Table.grid(padding=(0, 1))
        if self.best:
            accuracy = self.best.scores and self.best.scores.val_accuracy
            best = Text(f"   best so far: validation {percent(accuracy)}, {self.best.parameters:,} parameters")
            best.append(f"\n   {self.best.text}", "green")
        if self.trained:
            where = f"architecture {self.proposed.number}" if self.proposed else "retraining the best"
            bar = ProgressBar(total=self.trained.epochs, completed=self.trained.epoch, width=30)
            now.add_row(f"   {where}", bar, f"epoch {self.trained.epoch}/{self.trained.epochs}")
        return Group(Text(), best, now)
