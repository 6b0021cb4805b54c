"""Why runs ended. An event holds the kind of ending and its numbers; the sentence is made here, when it is shown.

``reason`` of an event is text that came from outside, such as an error's, or a sentence of a run stored before; it
is shown as it is. No torch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pgcn.events import RunFinished
from pgcn.methods.pgcn.explain import NAMES
from pgcn.numbers import counted

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Ending:
    """Why a run ended: one of :data:`SENTENCES`, and the numbers that its sentence needs."""

    kind: str
    facts: Facts


def ending(kind: str, **facts: Any) -> Ending:
    """Return an ending, for example ``ending("epochs", epochs=200)``."""
    return Ending(kind, facts)


def failed(ending: Ending, *, seconds: float) -> RunFinished:
    """Return the event that ends a run which has come to no network."""
    return RunFinished(
        status="failed",
        ending=ending.kind,
        facts=dict(ending.facts),
        topology=(),
        parameters=0,
        scores=None,
        seconds=seconds,
    )


def patience_sentence(facts: Facts) -> str:
    missed = "validation accuracy and loss both stayed worse than their best"
    if facts["rule"] == "accuracy":
        missed = "validation accuracy stayed below its best"
    waited = counted(facts["patience"], "epoch")
    return f"Stopped after {counted(facts['epochs'], 'epoch')}: for {waited} {missed}."


def searched_sentence(facts: Facts) -> str:
    tried = counted(facts["tried"], "architecture")
    return f"Tried {tried}, then retrained {counted(facts['finals'], 'network')}."


def nothing_found_sentence(facts: Facts) -> str:
    tried = counted(facts["tried"], "architecture")
    return f"Training diverged for all of {tried}. Try a learning_rate below {facts['learning_rate']:g}."


SENTENCES: dict[str, str | Callable[[Facts], str]] = {
    "cancelled": "Cancelled before it finished.",
    "failed": "Failed before it finished.",
    "diverged": "Training diverged: the loss of epoch {epoch} is not a finite number. Try a learning_rate below "
    "{learning_rate:g}.",
    "epochs": "Trained for {epochs} epochs.",
    "patience": patience_sentence,
    "val_loss_rose": "Stopped after {epochs} epochs: the validation loss rose above its mean over the last "
    "{window} epochs.",
    "max_layers": lambda facts: (
        f"Growth ended because it reached the limit of {counted(facts['max_layers'], 'hidden layer')}."
    ),
    "layer_rejected": lambda facts: (
        f"Growth ended because layer {facts['layer']} did not improve {NAMES[facts['metric']]}."
    ),
    "layer_diverged": "Growth ended because training diverged in layer {layer}; a smaller learning_rate may help.",
    "stopped_by_hand": "Growth was stopped manually in layer {layer}.",
    "rejected_by_hand": "Growth ended because layer {layer} was rejected manually.",
    "searched": searched_sentence,
    "nothing_found": nothing_found_sentence,
    "nothing_to_match": "Nothing to match: {needed} diverged; a smaller learning_rate may help.",
}
"""By the kind of ending: a template that its facts fill in, or a function of them."""
WEIGHTS = {
    "both": "the last epoch at which both were at their best",
    "accuracy": "the last one with the best validation accuracy",
    "ranked": "with the best validation accuracy and, among equals, the lowest loss",
    "first": "with the best validation accuracy",
}
"""By the rule that says which epoch's weights are the result: what is told of that epoch."""


def ending_sentence(ended: RunFinished) -> str:
    """Return why a run ended, in words."""
    if ended.reason:
        return ended.reason
    known = SENTENCES.get(ended.ending)
    if known is None:  # an ending of a later version
        return f"It ended: {ended.ending.replace('_', ' ') or ended.status}."
    sentence = known.format_map(ended.facts) if isinstance(known, str) else known(ended.facts)
    if "best_epoch" in ended.facts:
        sentence += f" The weights are those of epoch {ended.facts['best_epoch']}, {WEIGHTS[ended.facts['rule']]}."
    return sentence
