"""APPNP, predict then propagate by personalised PageRank, of Klicpera et al. (2019). Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_NEURONS, MOST_RATE


@dataclass(frozen=True, kw_only=True)
class APPNPConfig(RunConfig):
    """How an APPNP is trained; the defaults are the authors', for all citation graphs.

    The weights start as in the authors' PyTorch code, U(±1/√in).
    """

    hidden: int = option(64, "Neurons of the hidden layer.", at_least=1, at_most=MOST_NEURONS)
    hops: int = option(10, "Power steps of the propagation (K in the paper).", at_least=0, at_most=1_000)
    alpha: float = option(0.1, "Restart probability of the personalised PageRank.", above=0, at_most=1)
    dropout: float = option(
        0.5, "Share of input features and of hidden outputs dropped while training.", at_least=0, below=1
    )
    edge_dropout: float = option(
        0.5, "Share of the entries of Â dropped while training, redrawn at every power step.", at_least=0, below=1
    )
    epochs: int = option(10_000, "Maximum number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    patience: int = option(
        100,
        "Stop when neither validation accuracy nor loss has been as good as its best for this many epochs.",
        at_least=1,
        at_most=MOST_EPOCHS,
    )
    learning_rate: float = option(0.01, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(5e-3, "L2 regularisation of the first layer.", at_least=0, at_most=MOST_FACTOR)
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize(widths=(self.hidden,), edge=3 * self.hops)
