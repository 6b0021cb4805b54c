"""A steered run beside the run of the rule with the same seed. No torch."""

from pgcn.events import RunFinished, Scores
from pgcn.numbers import known, percent


def beside_sentence(person: RunFinished, rule: RunFinished) -> str:
    """Return what a person reached and what the rule did: validation accuracy, which decides, and test accuracy."""
    return f"You: {reached(person)}; the rule: {reached(rule)}."


def reached(ended: RunFinished) -> str:
    if ended.scores is None:
        return "no network"
    return f"{accuracies(ended.scores)} with {ended.parameters:,} parameters"


def accuracies(scores: Scores) -> str:
    shown = {"validation": scores.val_accuracy, "test": scores.test_accuracy}
    return ", ".join(f"{name} {percent(value)}" for name, value in shown.items() if known(value) is not None)
