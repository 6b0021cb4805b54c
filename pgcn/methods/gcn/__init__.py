"""The 2-layer GCN of Kipf & Welling, and deeper ones of the same make. Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.engine.architecture import ACTIVATIONS, READOUTS, TELEPORT
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_NEURONS, MOST_RATE


@dataclass(frozen=True, kw_only=True)
class GCNConfig(RunConfig):
    """How a GCN of fixed topology is trained; the defaults are Kipf & Welling's."""

    hidden: tuple[int, ...] = option(
        (16,), "Neurons of each hidden layer.", at_least=1, at_most=MOST_NEURONS, longest=100
    )
    activation: str = option("relu", "Non-linearity of the hidden layers.", choices=ACTIVATIONS)
    epochs: int = option(200, "Maximum number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    learning_rate: float = option(0.01, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(5e-4, "L2 regularisation.", at_least=0, at_most=MOST_FACTOR)
    weight_decay_scope: str = option(
        "first_layer", "What the weight decay pulls on.", choices=("all", "first_layer")
    )
    dropout: float = option(0.5, "Share of hidden outputs dropped while training.", at_least=0, below=1)
    input_dropout: float = option(0.5, "Share of input features dropped while training.", at_least=0, below=1)
    loss: str = option(
        "ce", "Training loss: cross-entropy or mean squared error.", choices=("ce", "mse"), later=True
    )
    early_stopping: int = option(
        10,
        "Stop when the validation loss exceeds its mean over this many epochs; 0 never stops.",
        at_least=0,
        at_most=MOST_EPOCHS,
    )
    keep_best: bool = option(
        False,
        "Use the weights with the best validation accuracy, checked every 10 epochs, instead of the last ones.",
    )
    readout: str = option(
        "graph",
        "The output layer SHO: a graph convolution (S = Â), linear (I), or personalised PageRank (Π).",
        choices=READOUTS,
    )
    teleport: float = option(
        TELEPORT, "Restart probability of the PageRank readout.", above=0, at_most=1, later=True
    )
    pagerank_entries: int = option(
        32,
        "Largest entries of a node's PageRank vector used in training; evaluation uses all.",
        at_least=1,
        at_most=MOST_NEURONS,
        later=True,
    )
    bias: bool = option(False, "Layers have a bias (the original code has none).")
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize(widths=self.hidden)
