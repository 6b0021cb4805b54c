"""Decisions in words. Events hold facts; the sentences are made here, when they are shown. No torch."""

from pgcn.events import RunStarted, Scores
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, LayerAccepted, LayerJudged
from pgcn.methods.pgcn.improvement import has_diverged
from pgcn.methods.pgcn.margins import margin

NAMES = {
    "labelled_accuracy": "training accuracy",
    "val_accuracy": "validation accuracy",
    "labelled_loss": "the training loss",
    "val_loss": "the validation loss",
}


def progress(metric: str, before: Scores | None, after: Scores) -> str:
    """Return for example 'validation accuracy rose from 79.2 % to 79.8 %'."""

    def shown(scores: Scores) -> str:
        value = getattr(scores, metric)
        return f"{value:.4f}" if metric.endswith("_loss") else f"{100 * value:.1f} %"

    if before is None:
        return f"{NAMES[metric]} is {shown(after)}"
    old, new = getattr(before, metric), getattr(after, metric)
    if old == new:
        return f"{NAMES[metric]} stayed at {shown(after)}"
    return f"{NAMES[metric]} {'rose' if new > old else 'fell'} from {shown(before)} to {shown(after)}"


def why(event: BlockJudged | LayerJudged, *, reject_equal: bool) -> str:
    """Return why a block or a layer was accepted or rejected, with the numbers that decided."""
    accepted = isinstance(event, BlockAccepted | LayerAccepted)
    block = event if isinstance(event, BlockJudged) else None
    text = progress(event.metric, event.before, event.after)
    if block and has_diverged(block.loss, block.error_tuned):
        return f"Training diverged, the loss is {block.loss}: rejected."
    if event.before is None:
        return f"{'The first block of all' if block else 'The first hidden layer is accepted'}: {text}."
    if block and block.block == 1:
        return f"The first block of a layer is always accepted; {text}."
    if reject_equal:
        relation = ">" if accepted else "<="
    else:
        relation = ">=" if accepted else "<"
    verdict = "accepted" if accepted else "rejected"
    rate = f"r_{'b' if block else 'l'} = {event.rate:.4f} {relation} {event.epsilon:g}"
    return f"{text[0].upper()}{text[1:]}, {rate}: {verdict}."


def decision_sentence(event: BlockJudged | LayerJudged, started: RunStarted) -> str:
    """Return why a decision was made, and by how many nodes."""
    sentence, found = why(event, reject_equal=started.config["reject_equal"]), margin(event, started)
    return sentence if found is None else f"{sentence} Margin: {found.text()}."
