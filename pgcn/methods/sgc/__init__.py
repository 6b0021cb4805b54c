"""SGC, the simplified graph convolution of Wu et al. (2019). Its settings and presets; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_RATE


@dataclass(frozen=True, kw_only=True)
class SGCConfig(RunConfig):
    """How an SGC is trained.

    Published: two propagations, Adam at 0.2 for 100 epochs (150 on CiteSeer), no dropout, a bias, weight decay on
    everything. The authors search the weight decay between 1e-10 and 1e-4 for each data set by validation accuracy;
    ours is one for all: the best mean validation accuracy over Cora, CiteSeer and PubMed, 5 seeds each, of
    5e-6, 1e-5, 2e-5, 5e-5 and 1e-4.
    """

    hops: int = option(2, "Propagations Â before the linear layer (K in the paper).", at_least=0, at_most=1_000)
    epochs: int = option(100, "Number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    learning_rate: float = option(0.2, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(5e-5, "L2 regularisation of weight and bias.", at_least=0, at_most=MOST_FACTOR)
    bias: bool = option(True, "The linear layer has a bias.")
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize()


PRESETS: dict[str, SGCConfig] = {
    "citation": SGCConfig(),
    # The authors train longer there.
    "citeseer": SGCConfig(epochs=150),
}
