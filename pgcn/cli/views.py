"""A run as text: what the terminal shows while it goes on and when it has ended."""

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pgcn.events import (
    BlockAccepted,
    BlockProposed,
    BlockRejected,
    EpochsTrained,
    Event,
    LayerAccepted,
    LayerRejected,
    RunFinished,
    RunStarted,
    Scores,
)
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.registry import grows, title_of

STYLES = {
    BlockAccepted: ("+", "green"),
    BlockRejected: ("×", "yellow"),
    LayerAccepted: ("✓", "bold green"),
    LayerRejected: ("×", "bold yellow"),
    RunFinished: ("■", "bold"),
}


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def opening_line(started: RunStarted) -> str:
    """Return what is run, on what."""
    config = started.config
    what = f"{'Growing' if grows(started.method) else 'Training'} a {title_of(started.method)}"
    return (
        f"{what} on {started.dataset}: {started.nodes:,} nodes, {started.edges:,} edges, {started.features:,} "
        f"features, {started.classes} classes; {started.labelled} labelled, {started.val} validation, "
        f"{started.test} test nodes ({started.split}); seed {config['seed']}"
        f"{', reproducible' if started.reproducible else ''}."
    )


def decision(event: Event, started: RunStarted) -> Table | None:
    """Return a decision as a mark, a place and a reason with its margin; None for events that decide nothing."""
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
    reason = event.reason if isinstance(event, RunFinished) else decision_sentence(event, started)
    row.add_row(Text(f" {mark}", style), Text(f"{where:<17}", "bold"), Text(reason))
    return row


def scores_line(scores: Scores) -> str:
    return (
        f"accuracy: training {percent(scores.labelled_accuracy)}, validation {percent(scores.val_accuracy)}, "
        f"test {percent(scores.test_accuracy)} (test is never used to decide)"
    )


class RunView:
    """Where one run stands: the network, how well it does, the candidate block."""

    def __init__(self, started: RunStarted) -> None:
        self.started = started
        self.topology = tuple(started.config.get("hidden", ()))  # a fixed network has it from the start
        self.parameters = 0
        self.scores: Scores | None = None
        self.proposed: BlockProposed | None = None
        self.trained: EpochsTrained | None = None

    def take(self, event: Event) -> None:
        """Bring the view up to date with an event."""
        if isinstance(event, BlockProposed):
            self.proposed, self.trained = event, None
        elif isinstance(event, EpochsTrained):
            self.trained = event
        elif isinstance(event, BlockAccepted | BlockRejected | LayerRejected | RunFinished):
            self.proposed = self.trained = None
            self.topology, self.parameters = event.topology, event.parameters
            if isinstance(event, BlockAccepted):
                self.scores = event.after
            elif isinstance(event, RunFinished):
                self.scores = event.scores

    def network(self) -> Text:
        """Return the network as text: a bracket per block, the candidate in question marks."""
        width = self.started.config.get("block_width")
        text = Text.assemble((f"{self.started.features}", "cyan"))
        layers = list(self.topology)
        trial = self.proposed
        if trial and trial.layer > len(layers):
            layers.append(0)
        for number, neurons in enumerate(layers, start=1):
            text.append(" → ")
            text.append(f"[{width}]" * (neurons // width) if width else f"[{neurons}]", "green")
            if trial and trial.layer == number:
                text.append(f"?{trial.width}?", "bold yellow")
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
