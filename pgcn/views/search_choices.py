"""What a search decides: the layers of an architecture, and what its controller prefers. No torch."""

from collections.abc import Mapping, Sequence
from typing import Any

from pgcn.methods.search import PAPER_ARCHITECTURES
from pgcn.methods.search.events import ArchitectureJudged, FinalTrained
from pgcn.methods.search.space import HEADS, LayerChoice
from pgcn.numbers import counted
from pgcn.views.replay import STATUS
from pgcn.views.search import Search

ACCEPTED = STATUS["accepted"]
UNIFORM = 0.1
"""A controller whose choices all lie within so much of chance, as a share of it, has practically no preference."""


def architecture_values(search: Search, event: ArchitectureJudged | FinalTrained) -> dict[str, Any]:
    """Return an architecture as the canvas of the player takes a network: a block for every attention head.

    A head's number is the same in all architectures, so that one turns into the next.
    """
    started = search.started
    layers = search.space.architecture(event.choices, started.classes).layers
    blocks, shown = {}, []
    for number, layer in enumerate(layers, start=1):
        for head in range(1, layer.heads + 1):
            key = (number - 1) * max(HEADS.choices) + head
            neurons = counted(layer.hidden, "neuron")
            about = f"Layer {number}, head {head} of {layer.heads}: {neurons}.\n{kind_of(layer)}"
            blocks[key] = {"layer": number, "number": head, "width": layer.hidden, "about": [about]}
            shown.append([key, ACCEPTED])
    return {
        "id": "architecture",
        "run": {"features": started.features, "classes": started.classes},
        "blocks": blocks,
        "frame": {
            "title": event.text,
            "blocks": shown,
            "rejected": {},
            "kinds": [kind_of(layer) for layer in layers],
        },
    }


def kind_of(layer: LayerChoice) -> str:
    """Return what a layer computes, such as 'gat · sum · relu'."""
    combined = [f"+ {layer.combine}"] * (layer.combine != "identity")
    return " · ".join([layer.attention, layer.aggregator, *combined, layer.activation])


def preference_rows(search: Search) -> list[dict[str, Any]]:
    """Return for every decision its choices with their probability; ``likely`` is 1 where that is chance.

    Nothing where the search has no controller.
    """
    shares = next((event.preferences for event in reversed(search.judged) if event.preferences), ())
    space = search.space
    names = [f"{decision.name}, layer {layer + 1}" for layer in range(space.layers) for decision in space.decisions]
    decisions = [*space.decisions] * space.layers
    if len(shares) == len(space.decisions):  # the same for all layers
        names, decisions = [decision.name for decision in space.decisions], [*space.decisions]
    if len(shares) != len(decisions):
        return []
    return [
        {
            "name": name,
            "choices": [
                {"name": str(choice), "share": share, "likely": share * len(decision.choices)}
                for choice, share in zip(decision.choices, own, strict=True)
            ],
        }
        for name, decision, own in zip(names, decisions, shares, strict=True)
    ]


def preference_sentence(rows: Sequence[Mapping[str, Any]], search: Search) -> str:
    """Say what a controller prefers most, or that it practically prefers nothing."""
    choices = [(choice["likely"], choice, row) for row in rows for choice in row["choices"]]
    likely, choice, row = max(choices, key=lambda one: one[0])
    count = f"after {len(search.judged):,} of the papers' {PAPER_ARCHITECTURES:,} architectures"
    if max(abs(one[0] - 1) for one in choices) < UNIFORM:
        return (
            f"Practically uniform {count}: no choice is more than {100 * abs(likely - 1):.0f} % likelier than by "
            "chance. "
            "So far it searches as random search does."
        )
    chance = 1 / len(row["choices"])
    return (
        f"Strongest preference {count}: {row['name']} {choice['name']}, {100 * choice['share']:.0f} % where chance "
        f"is {100 * chance:.0f} %."
    )
