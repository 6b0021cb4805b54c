"""The 2-layer GCN of Kipf & Welling, and deeper ones of the same make. Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import Config, option
from pgcn.engine.architecture import ACTIVATIONS


@dataclass(frozen=True, kw_only=True)
class GCNConfig(Config):
    """How a GCN of fixed topology is trained; the defaults are Kipf & Welling's."""

    hidden: tuple[int, ...] = option((16,), "Neurons of each hidden layer.", at_least=1)
    activation: str = option("relu", "Non-linearity of the hidden layers.", choices=ACTIVATIONS)
    epochs: int = option(200, "Epochs at most.", at_least=1)
    learning_rate: float = option(0.01, "Adam's learning rate.", above=0)
    weight_decay: float = option(5e-4, "L2 regularisation.", at_least=0)
    weight_decay_scope: str = option(
        "first_layer", "What the weight decay pulls on.", choices=("all", "first_layer")
    )
    dropout: float = option(0.5, "Share of hidden outputs dropped while training.", at_least=0, below=1)
    input_dropout: float = option(0.5, "Share of input features dropped while training.", at_least=0, below=1)
    early_stopping: int = option(
        10, "Stop when the validation loss exceeds its mean over this many epochs; 0 never stops.", at_least=0
    )
    keep_best: bool = option(
        False, "Leave the weights of the best validation accuracy, looked at every 10 epochs, not the last ones."
    )
    readout: str = option(
        "graph", "The output layer: a graph convolution ÂHO, or linear HO.", choices=("graph", "linear")
    )
    bias: bool = option(False, "Layers have a bias (the original code has none).")
    seed: int = option(0, "Seed of all randomness in the run.", at_least=0)
    device: str = option("cpu", "Where to compute: cpu, cuda, cuda:1, ...")
