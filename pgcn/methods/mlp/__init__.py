"""The multi-layer perceptron of Kipf & Welling (2017), which sees no edges. Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.engine.architecture import ACTIVATIONS
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_NEURONS, MOST_RATE


@dataclass(frozen=True, kw_only=True)
class MLPConfig(RunConfig):
    """How an MLP is trained; the defaults are those of Kipf & Welling's GCN, as in their code."""

    hidden: tuple[int, ...] = option(
        (16,), "Neurons of each hidden layer.", at_least=1, at_most=MOST_NEURONS, longest=100
    )
    activation: str = option("relu", "Non-linearity of the hidden layers.", choices=ACTIVATIONS)
    epochs: int = option(200, "Maximum number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    learning_rate: float = option(0.01, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(5e-4, "L2 regularisation of the first layer.", at_least=0, at_most=MOST_FACTOR)
    dropout: float = option(0.5, "Share of hidden outputs dropped while training.", at_least=0, below=1)
    input_dropout: float = option(0.5, "Share of input features dropped while training.", at_least=0, below=1)
    early_stopping: int = option(
        10,
        "Stop when the validation loss exceeds its mean over this many epochs; 0 never stops.",
        at_least=0,
        at_most=MOST_EPOCHS,
    )
    bias: bool = option(False, "Layers have a bias (the original code has none).")
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize(widths=self.hidden)
