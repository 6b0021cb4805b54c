"""What the searches of architectures share: GraphNAS, Auto-GNN and random search. Settings and events; no torch.

space       the architectures that are searched
events      what happens in a search
steps       the networks it accepts: each best architecture so far
model       the network of an architecture
fields      the nodes that its training computes
child       training one architecture
strategy    what proposes architectures, and what the controllers share
sharing     weights that architectures hand on to each other
run         the search itself: propose, train, judge, learn; then train the best anew
trainer     the same as the registry wants it
"""

from dataclasses import dataclass, replace

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_NEURONS, MOST_RATE
from pgcn.methods.search.space import HEADS, HIDDEN

MOST_ARCHITECTURES = 100_000
PAPER_ARCHITECTURES = 1_000
"""Architectures that the papers of GraphNAS and Auto-GNN try."""
WIDEST = max(HEADS.choices) * max(HIDDEN.choices)
PAPER_BUDGET = {"architectures": PAPER_ARCHITECTURES, "max_width": WIDEST, "max_parameters": 100_000_000}
"""What the presets of the papers try: no architecture of their spaces is too large."""


@dataclass(frozen=True, kw_only=True)
class SearchConfig(RunConfig):
    """How architectures are searched for, and how each is trained."""

    architectures: int = option(
        30, "Architectures tried; the papers try 1000.", at_least=1, at_most=MOST_ARCHITECTURES
    )
    max_seconds: int | None = option(
        None, "Stop trying architectures after this many seconds of training.", at_least=1, at_most=10_000_000
    )
    child_epochs: int = option(200, "Epochs for which an architecture is trained.", at_least=1, at_most=MOST_EPOCHS)
    patience: int | None = option(
        50,
        "Stop training an architecture after this many epochs without a lower validation loss "
        "(not when retraining).",
        at_least=1,
        at_most=MOST_EPOCHS,
    )
    final_runs: int = option(5, "Networks retrained at the end; their mean is reported.", at_least=1, at_most=1_000)
    dropout: float = option(
        0.6,
        "Share of each layer's inputs, and of its attention coefficients, dropped while training.",
        at_least=0,
        below=1,
    )
    learning_rate: float = option(0.005, "Adam's learning rate for the architectures.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(
        5e-4, "L2 regularisation of all parameters of an architecture.", at_least=0, at_most=MOST_FACTOR
    )
    max_width: int = option(
        256,
        "Maximum neurons per layer, over all heads; larger architectures are skipped.",
        at_least=4,
        at_most=MOST_NEURONS,
    )
    max_parameters: int = option(
        2_000_000,
        "Maximum number of parameters; larger architectures are skipped.",
        at_least=1,
        at_most=1_000_000_000,
    )
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        widest = min(self.max_width, WIDEST)
        return NetworkSize(widths=(widest,), edge=3 * widest)


@dataclass(frozen=True, kw_only=True)
class ControllerConfig(SearchConfig):
    """What the searches have in common whose controller learns; defaults are those of GraphNAS's code."""

    controller_size: int = option(100, "Neurons of the controller, an LSTM.", at_least=1, at_most=10_000)
    controller_learning_rate: float = option(
        3.5e-4, "Adam's learning rate, of the controller; the PGCN paper prints 0.0035.", above=0, at_most=MOST_RATE
    )
    baseline_decay: float = option(0.95, "Decay of the moving average of rewards.", at_least=0, below=1)
    temperature: float = option(5.0, "Temperature of the controller's logits.", above=0, at_most=1e6)
    tanh_constant: float = option(2.5, "Bound of the controller's logits (tanh constant).", above=0, at_most=1e6)

    def size(self) -> NetworkSize:
        gates = 8 * self.controller_size**2  # an LSTM's four, each of its input and of its state
        return replace(super().size(), more=gates)
