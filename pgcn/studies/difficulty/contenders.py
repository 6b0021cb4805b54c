"""The networks that the difficulty study compares. No torch.

A contender is a method with its settings; some are made to match what another one found, and wait for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.config import Config
from pgcn.data.catalogue import GraphFacts
from pgcn.engine.architecture import count_parameters
from pgcn.events import Event
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.methods.registry import grows


@dataclass(frozen=True, kw_only=True)
class Found:
    """What PGCN found and what it took, for the networks that are made to match it."""

    topology: tuple[int, ...]
    parameters: int
    epochs: int

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Found | None":
        """Return what a run found, None where it diverged and left no network."""
        if not events[-1].topology:
            return None
        blocks = sum(isinstance(event, BlockJudged) for event in events)
        epochs = blocks * events[0].config["epochs"]
        return cls(topology=events[-1].topology, parameters=events[-1].parameters, epochs=epochs)


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One of the networks compared.

    ``configure(growth, seed)`` gives its settings. Where it is made to match what the contender ``after`` found,
    those are of the run to match, and ``match(growth, found, facts)`` gives its own.
    """

    label: str
    about: str
    method: str
    configure: Callable[[GrowthConfig, int], Config]
    after: str | None = None
    match: Callable[[GrowthConfig, Found, GraphFacts], Config] | None = None

    @property
    def grows(self) -> bool:
        return grows(self.method)


def grown_with(loss: str) -> Callable[[GrowthConfig, int], GrowthConfig]:
    return lambda growth, seed: growth.change(loss=loss, seed=seed)


def matched_gcn(growth: GrowthConfig, found: Found, facts: GraphFacts) -> GCNConfig:
    """Return a GCN of one hidden layer with about as many parameters as were found."""
    width = matched_width(found.parameters, facts.features, facts.classes, bias=growth.bias)
    return trained_alike(growth, found, hidden=(width,))


def same_topology(growth: GrowthConfig, found: Found, facts: GraphFacts) -> GCNConfig:
    """Return a network of the very topology that was found."""
    return trained_alike(growth, found, hidden=found.topology, **readout_of(growth))


def readout_of(growth: GrowthConfig) -> dict[str, Any]:
    """Return the settings of growth's readout that a fixed network has, too."""
    return {name: getattr(growth, name) for name in ("readout", "teleport", "pagerank_entries")}


def trained_alike(growth: GrowthConfig, found: Found, **network: Any) -> GCNConfig:
    """Return settings under which a fixed network is trained as long and in the same way as a grown one.

    What was found has run, so the match may be beyond the upper bounds of what people ask for.
    """
    shared = ("activation", "learning_rate", "weight_decay", "weight_decay_scope", "dropout", "input_dropout")
    training = {"epochs": found.epochs, "early_stopping": 0, "keep_best": True, "bias": growth.bias}
    same = {name: getattr(growth, name) for name in ("seed", "device", *shared)}
    return GCNConfig.from_dict({**training, **same, **network})


def matched_width(parameters: int, num_features: int, num_classes: int, *, bias: bool) -> int:
    """Return the width of one hidden layer whose network has about so many parameters."""
    without = count_parameters(num_features, (0,), num_classes, bias=bias)
    per_neuron = count_parameters(num_features, (1,), num_classes, bias=bias) - without
    return max(1, round((parameters - without) / per_neuron))


CONTENDERS = {
    "pgcn-ce": Contender(
        label="PGCN (CE)",
        about="grows, fine-tuned by cross-entropy",
        method="pgcn",
        configure=grown_with("ce"),
    ),
    "pgcn-mse": Contender(
        label="PGCN (MSE)",
        about="grows, fine-tuned by squared error",
        method="pgcn",
        configure=grown_with("mse"),
    ),
    "gcn": Contender(
        label="GCN",
        about="the 2-layer GCN of Kipf & Welling: 16 hidden neurons, early stopping",
        method="gcn",
        configure=lambda growth, seed: GCNConfig(seed=seed),
    ),
    "matched-gcn": Contender(
        label="matched GCN",
        about="one hidden layer with as many parameters as PGCN (CE) found, trained for as many epochs in all, "
        "with its dropout and weight decay; the weights of best validation accuracy",
        method="gcn",
        configure=grown_with("ce"),
        after="pgcn-ce",
        match=matched_gcn,
    ),
    "same-topology": Contender(
        label="same topology",
        about="the topology that PGCN (CE) found, trained from scratch for as many epochs in all, with its dropout "
        "and weight decay; the weights of best validation accuracy",
        method="gcn",
        configure=grown_with("ce"),
        after="pgcn-ce",
        match=same_topology,
    ),
}
REFERENCE = "gcn"
"""The contender that the others are compared with."""
DEFAULT_CONTENDERS = ("pgcn-ce", REFERENCE)
