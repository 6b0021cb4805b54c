"""N-GCN, a network of GCNs on powers of Â, of Abu-El-Haija et al. (2018). Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_NEURONS, MOST_RATE

OUTPUTS = ("wsum", "fc")


@dataclass(frozen=True, kw_only=True)
class NGCNConfig(RunConfig):
    """How an N-GCN is trained; the defaults are what the PGCN paper says of it, and what it leaves open.

    Open are the dropout, and how towers learn that weigh a twelfth each, which the weight decay would all but
    switch off. As in the authors' code each has a cross-entropy of its own (``tower_loss``), and the dropout is
    their input's: 0.7 on the inputs and on the hidden layers has the best mean validation accuracy over Cora,
    CiteSeer and PubMed, 2 or 3 seeds each, of 0.5 and 0.5, 0.7 and 0.7, 0.7 and 0.9.
    """

    powers: tuple[int, ...] = option(
        (0, 1, 2, 3), "The powers of Â, each that of a group of towers.", at_least=0, at_most=100, longest=100
    )
    replicas: int = option(3, "Towers of each power.", at_least=1, at_most=1_000)
    hidden: int = option(10, "Neurons of the hidden layer of each tower.", at_least=1, at_most=MOST_NEURONS)
    output: str = option(
        "wsum",
        "How the towers' outputs are combined: weighted sum, or a dense layer.",
        choices=OUTPUTS,
    )
    tower_loss: bool = option(True, "Every tower has a cross-entropy of its own beside that of the network.")
    dropout: float = option(0.7, "Share of hidden outputs dropped while training.", at_least=0, below=1)
    input_dropout: float = option(
        0.7, "Share of input features dropped while training, the same for all towers.", at_least=0, below=1
    )
    epochs: int = option(600, "Number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    learning_rate: float = option(0.01, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(1e-3, "L2 regularisation of all parameters.", at_least=0, at_most=MOST_FACTOR)
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize(widths=(len(self.powers) * self.replicas * self.hidden,))
