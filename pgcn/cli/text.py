"""A run as text: what the terminal shows while it goes on and when it has ended."""

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pgcn.events import EpochsTrained, Event, RunFinished, RunStarted, Scores
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockProposed,
    BlockRejected,
    LayerAccepted,
    LayerRejected,
    Undone,
)
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.registry import grows, method_title
from pgcn.numbers import percent

STYLES = {
    BlockAccepted: ("+", "green"),
    BlockRejected: ("×", "yellow"),
    LayerAccepted: ("✓", "bold green"),
    LayerRejected: ("×", "bold yellow"),
    Undone: ("↶", "bold yellow"),
    RunFinished: ("■", "bold"),
}


def opening_line(started: RunStarted, runs: int = 1) -> str:
    """Return what is run, on what; of many runs, ``started`` is the first's."""
    seeds = f"seed {started.config['seed']}" if runs == 1 else f"{runs} seeds"
    what = f"{'Growing' if grows(started.method) else 'Training'} {method_title(started.method)}"
    return (
        f"{what} on {started.dataset}: {started.nodes:,} nodes, {started.edges:,} edges, {started.features:,} "
        f"features, {started.classes} classes; {started.labelled} labelled, {started.val} validation, "
        f"{started.test} test nodes ({started.split}); {seeds}"
        f"{', reproducible' if started.reproducible else ''}."
    )


def decision_row(event: Event, started: RunStarted) -> Table | None:
    """Return a decision as a mark, a block or layer, and the reason with its margin; None for other events."""
    if type(event) not in STYLES:
        return None
    mark, style = STYLES[type(event)]
    if isinstance(event, BlockAccepted | BlockRejected):
        where = f"layer {event.layer}, block {event.block}"
    elif isinstance(event, LayerAccepted | LayerRejected):
        where = f"layer {event.layer}"
    else:
        where = "end"
    row = Table.grid(padding=(0, 1))
    if isinstance(event, Undone):
        reason = f"Undone: layer {event.layer}, block {event.block} is a candidate again."
    else:
        reason = ending_sentence(event) if isinstance(event, RunFinished) else decision_sentence(event, started)
    row.add_row(Text(f" {mark}", style), Text(f"{where:<17}", "bold"), Text(reason))
    return row


def scores_line(scores: Scores) -> str:
    return (
        f"accuracy: training {percent(scores.labelled_accuracy)}, validation {percent(scores.val_accuracy)}, "
        f"test {percent(scores.test_accuracy)} (test is never used to decide)"
    )


class RunView:
    """The state of one run: the network, its accuracy, the candidate block."""

    def __init__(self, started: RunStarted) -> None:
        self.started = started
        # What grows starts from nothing; of other methods the network is known at its end.
        self.topology: tuple[int, ...] | None = () if grows(started.method) else None
        self.parameters = 0
        self.scores: Scores | None = None
        self.proposed: BlockProposed | None = None
        self.trained: EpochsTrained | None = None

    def update(self, event: Event) -> None:
        """Follow an event of the run."""
        if isinstance(event, BlockProposed):
            self.proposed, self.trained = event, None
            widths = [*event.topology[:-1], event.topology[-1] - event.width]
            self.topology = tuple(width for width in widths if width)  # a resumed run begins with one
        elif isinstance(event, EpochsTrained):
            self.trained = event
        elif isinstance(event, BlockAccepted | BlockRejected | LayerRejected | Undone | RunFinished):
            self.proposed = self.trained = None
            self.topology, self.parameters = event.topology, event.parameters
            if isinstance(event, BlockAccepted):
                self.scores = event.after
            elif isinstance(event, Undone | RunFinished):
                self.scores = event.scores

    def network(self) -> Text:
        """Return the network as text: a bracket for each block, the candidate between question marks.

        Where blocks of a layer are not all of one width, as in a branch, it is one bracket.
        """
        width = self.started.config.get("block_width")
        text = Text.assemble((f"{self.started.features}", "cyan"))
        if self.topology is None:
            return text.append(" → … → ").append(f"{self.started.classes}", "cyan")
        layers = list(self.topology)
        candidate = self.proposed
        if candidate and candidate.layer > len(layers):
            layers.append(0)
        for number, neurons in enumerate(layers, start=1):
            text.append(" → ")
            alike = width and neurons % width == 0
            text.append(f"[{width}]" * (neurons // width) if alike else f"[{neurons}]", "green")
            if candidate and candidate.layer == number:
                text.append(f"?{candidate.width}?", "bold yellow")
        return text.append(" → ").append(f"{self.started.classes}", "cyan")

    def __rich__(self) -> Group:
        status = Table.grid(padding=(0, 1))
        if self.trained:
            done = self.trained
            where = f"layer {done.layer}, block {done.block}" if done.layer else "training"
            bar = ProgressBar(total=done.epochs, completed=done.epoch, width=30)
            status.add_row(f"   {where}", bar, f"epoch {done.epoch}/{done.epochs}, loss {done.loss:.4f}")
        facts = Text(f"   {self.parameters:,} parameters") if self.parameters else Text("")
        if self.scores:
            facts.append(f"; {scores_line(self.scores)}")
        return Group(Text(), Text("   ").append(self.network()), facts, status)
