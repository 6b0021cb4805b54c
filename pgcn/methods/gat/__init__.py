"""GAT, the graph attention network of Veličković et al. (2018). Its settings and presets; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_RATE

MOST_HEADS = 1_000


@dataclass(frozen=True, kw_only=True)
class GATConfig(RunConfig):
    """How a GAT is trained; the defaults are the authors' for Cora and CiteSeer."""

    heads: int = option(8, "Attention heads of the hidden layer, concatenated.", at_least=1, at_most=MOST_HEADS)
    hidden: int = option(8, "Neurons of each head of the hidden layer.", at_least=1, at_most=10_000)
    output_heads: int = option(1, "Attention heads of the output layer, averaged.", at_least=1, at_most=MOST_HEADS)
    dropout: float = option(
        0.6,
        "Share of each head's inputs, and again of its projected features, dropped while training.",
        at_least=0,
        below=1,
    )
    attention_dropout: float = option(
        0.6, "Share of attention coefficients dropped while training.", at_least=0, below=1
    )
    epochs: int = option(100_000, "Maximum number of epochs.", at_least=1, at_most=MOST_EPOCHS)
    patience: int = option(
        100,
        "Stop when neither validation accuracy nor loss has been as good as its best for this many epochs.",
        at_least=1,
        at_most=MOST_EPOCHS,
    )
    stopping: str = option(
        "both",
        "What early stopping and the choice of the best weights look at: validation accuracy "
        "and loss, or accuracy alone.",
        choices=("both", "accuracy"),
        later=True,
    )
    learning_rate: float = option(0.005, "Adam's learning rate.", above=0, at_most=MOST_RATE)
    weight_decay: float = option(
        5e-4, "L2 regularisation of all parameters, biases included.", at_least=0, at_most=MOST_FACTOR
    )
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        width = self.heads * self.hidden
        return NetworkSize(widths=(width,), more=(self.output_heads - 1) * width, edge=3 * width)


PRESETS: dict[str, GATConfig] = {
    "citation": GATConfig(),
    # The authors' changes for PubMed.
    "pubmed": GATConfig(output_heads=8, learning_rate=0.01, weight_decay=1e-3),
}
