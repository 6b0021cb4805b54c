"""Decisions in words. Events hold facts; the sentences are made here, when they are shown. No torch."""

from pgcn.events import DecisionAwaited, RunStarted, Scores
from pgcn.methods.pgcn.decisions import ACCEPT, NEW_LAYER, STOP
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockJudged,
    BlockMeasured,
    LayerAccepted,
    LayerJudged,
    LayerMeasured,
)
from pgcn.methods.pgcn.improvement import SMOOTHED, has_diverged, is_loss, metric_value
from pgcn.methods.pgcn.margins import margin

NAMES = {
    "labelled_accuracy": "training accuracy",
    "val_accuracy": "validation accuracy",
    "labelled_loss": "the training loss",
    "val_loss": "the validation loss",
    SMOOTHED: "smoothed validation accuracy",
}


def measured(value: float, metric: str) -> str:
    """Return a value of the metric for example as '79.2 %', a loss as '0.6931'."""
    return f"{value:.4f}" if is_loss(metric) else f"{100 * value:.1f} %"


def progress(metric: str, before: Scores | None, after: Scores) -> str:
    """Return for example 'validation accuracy rose from 79.2 % to 79.8 %'."""

    def shown(scores: Scores) -> str:
        return measured(metric_value(metric, scores), metric)

    if before is None:
        return f"{NAMES[metric]} is {shown(after)}"
    old, new = metric_value(metric, before), metric_value(metric, after)
    if old == new:
        return f"{NAMES[metric]} stayed at {shown(after)}"
    return f"{NAMES[metric]} {'rose' if new > old else 'fell'} from {shown(before)} to {shown(after)}"


def why(event: BlockMeasured | LayerMeasured, *, reject_equal: bool) -> str:
    """Return why a block or a layer was accepted or rejected, with the numbers that decided.

    Of a question to a person it is what the rule would do, and why.
    """
    if not isinstance(event, BlockJudged | LayerJudged):
        return f"The rule: {reason(event, accepted=is_for(event), reject_equal=reject_equal)}"
    accepted = isinstance(event, BlockAccepted | LayerAccepted)
    if not event.decision:
        return reason(event, accepted=accepted, reject_equal=reject_equal)
    verdict = reason(event, accepted=event.rule == ACCEPT, reject_equal=reject_equal)
    end = {NEW_LAYER: ", and a new layer begins", STOP: ", and growth ends"}.get(event.decision, "")
    return f"{verdict} Manual decision: {'accepted' if accepted else 'rejected'}{end}."


def is_for(event: BlockMeasured | LayerMeasured) -> bool:
    """Return whether the rule would accept what a person is asked about."""
    return isinstance(event, DecisionAwaited) and event.rule == ACCEPT


def reason(event: BlockMeasured | LayerMeasured, *, accepted: bool, reject_equal: bool) -> str:
    """Return what the rule does, and why."""
    block = event if isinstance(event, BlockMeasured) else None
    text = progress(event.metric, event.before, event.after)
    if block and has_diverged(block.loss, block.error_tuned):
        return f"Training diverged, the loss is {block.loss}: rejected."
    if event.before is None:
        return f"{'The first block' if block else 'The first hidden layer is accepted'}: {text}."
    if block and block.block == 1:
        return f"The first block of a layer is always accepted; {text}."
    if reject_equal:
        relation = ">" if accepted else "<="
    else:
        relation = ">=" if accepted else "<"
    verdict = "accepted" if accepted else "rejected"
    rate = f"r_{'b' if block else 'l'} = {event.rate:.4f} {relation} {event.epsilon:.3g}".replace("-", "−")
    return f"{text[0].upper()}{text[1:]}, {rate}: {verdict}."


def decision_sentence(event: BlockMeasured | LayerMeasured, started: RunStarted) -> str:
    """Return why a decision was made, and by how many nodes."""
    sentence, found = why(event, reject_equal=started.config["reject_equal"]), margin(event, started)
    return sentence if found is None else f"{sentence} Margin: {found.text()}."
