"""PGCN: a network that grows, block by block and layer by layer. Its settings and presets; no torch.

rule      when a block or a layer is accepted (Algorithm 1); improvement: the test it must pass
decisions what a person may decide instead; steer: the rule with undo
initial   the weights a candidate network starts from
readout   the closed-form solution of the output weights
trainer   initial weights, readout and fine-tuning together: what a candidate network becomes
grow      rules and trainer together: the steps of runs
margins   how thin decisions are, in nodes; explain: decisions in words
"""

from dataclasses import dataclass
from typing import Any

from pgcn.config import USUAL_NEURONS, NetworkSize, RunConfig, device_option, option, seed_option
from pgcn.engine.architecture import ACTIVATIONS, READOUTS, TELEPORT
from pgcn.errors import ConfigError, no_such
from pgcn.limits import MOST_EPOCHS, MOST_FACTOR, MOST_LAYERS, MOST_NEURONS, MOST_RATE

DECIDERS = ("rule", "person")


@dataclass(frozen=True, kw_only=True)
class GrowthConfig(RunConfig):
    """How a PGCN grows. The numbers in the comments are the rows of the comparison of paper and code."""

    block_width: int = option(5, "Neurons added at a time (B in the paper).", at_least=1, at_most=MOST_NEURONS)
    max_layers: int = option(10, "Growth stops at this many hidden layers.", at_least=1, at_most=MOST_LAYERS)
    max_width: int = option(100, "A hidden layer gets at most this many neurons.", at_least=1, at_most=MOST_NEURONS)
    activation: str = option("relu", "Non-linearity of the hidden layers.", choices=ACTIVATIONS)
    epochs: int = option(300, "Epochs of fine-tuning after each new block.", at_least=1, at_most=MOST_EPOCHS)
    learning_rate: float = option(
        0.01, "Adam's learning rate; Adam is reset for each block.", above=0, at_most=MOST_RATE
    )
    weight_decay: float = option(5e-4, "L2 regularisation inside Adam.", at_least=0, at_most=MOST_FACTOR)
    weight_decay_scope: str = option(
        "all",
        "Weights that decay: all, or only the first layer's.",
        choices=("all", "first_layer"),
    )
    dropout: float = option(0.5, "Share of hidden outputs dropped while training.", at_least=0, below=1)
    dropout_scope: str = option("all", "Which hidden layers' outputs are dropped.", choices=("all", "first_layer"))
    input_dropout: float = option(0.0, "Share of the input features dropped while training.", at_least=0, below=1)
    input_dropout_on: str = option(
        "propagated",
        "What the input dropout acts on: the propagated features ÂX, or X itself, as in GCN.",
        choices=("propagated", "features"),
        later=True,
    )
    lambda1: float = option(
        1.0, "Weight of the labelled nodes' error in the closed-form readout.", above=0, at_most=MOST_FACTOR
    )
    lambda2: float | None = option(
        None,
        "Weight of the graph smoothness in the readout; none means the paper's 1/N².",
        at_least=0,
        at_most=MOST_FACTOR,
    )
    epsilon_b: float = option(
        1e-4, "A block whose improvement rate is below this is rejected.", at_most=MOST_FACTOR
    )
    epsilon_l: float = option(
        1e-4, "A layer whose improvement rate is below this is rejected.", at_most=MOST_FACTOR
    )
    reject_equal: bool = option(False, "Also reject improvements of exactly epsilon.")
    metric: str = option(
        "labelled_accuracy",
        "What must improve for a block or layer to be accepted.",
        choices=("labelled_accuracy", "val_accuracy", "labelled_loss", "val_loss", "val_accuracy_and_loss"),
    )
    margin: float = option(
        0.0,
        "Smallest gain that is accepted, in standard errors of the accuracy, so that chance decides less often.",
        at_least=0,
        at_most=10,
        later=True,
    )
    patience: int = option(
        0,
        "Number of rejected blocks in a row after which a larger candidate is still tried.",
        at_least=0,
        at_most=MOST_NEURONS,
        later=True,
    )
    layer_baseline: str = option(
        "accepted",
        "What a layer is compared with: the network before it, or the block rejected last.",
        choices=("accepted", "rejected"),
    )
    loss: str = option("ce", "Fine-tuning loss: cross-entropy or squared error.", choices=("ce", "mse"))
    mse_objective: str = option(
        "j1",
        "Squared error as the paper's J₁ (a sum weighted by lambda1) or as a plain mean.",
        choices=("j1", "mean"),
    )
    ridge: bool = option(True, "Keep J₁'s penalty ½Tr(OᵀO) on the readout while fine-tuning.")
    readout: str = option(
        "linear",
        "The output layer SHO: linear (S = I), a graph convolution (Â), or personalised PageRank (Π).",
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
    keep_epoch: str = option(
        "last",
        "Weights a candidate ends with: the last epoch's, or those of the best validation accuracy.",
        choices=("last", "best"),
        later=True,
    )
    starts: int = option(
        1,
        "Random initialisations of each new block, trained side by side; the best by the metric is taken.",
        at_least=1,
        at_most=64,
        later=True,
    )
    bias: bool = option(False, "Hidden and output layers have a bias.")
    closed_form: str = option(
        "printed",
        "Readout from all nodes' HᵀH as printed, or from the labelled nodes' as derived.",
        choices=("printed", "derived"),
    )
    solve_for: str = option(
        "hidden",
        "Solve the readout for Y = HO, or for Y = SHO, which a graph or PageRank readout computes.",
        choices=("hidden", "propagated"),
    )
    solve_dropout: bool = option(False, "Leave dropout on while the readout is solved.")
    laplacian: str = option(
        "self_loops",
        "L̃ = I − Â, or the Laplacian of the graph without self-loops.",
        choices=("self_loops", "plain"),
    )
    laplacian_overwritten: bool = option(
        False,
        "Each solve starts from the last one's I + cL̃, so that the smoothness fades (a bug of the authors' code).",
    )
    carry_over: str = option(
        "all",
        "Trained weights a new block starts from: all, or only the first layer's.",
        choices=("all", "first_layer"),
    )
    init: str = option(
        "glorot",
        "New weights: Glorot's uniform range, or ±1/√(current layer width).",
        choices=("glorot", "layer_width"),
    )
    seed: int = seed_option()
    device: str = device_option()
    perturbation: float = option(
        0.0,
        "Relative size of a random change of new weights, to test the sensitivity to rounding "
        "(1e-7 is about one bit).",
        at_least=0,
        below=1,
        later=True,
    )
    perturbation_seed: int = seed_option("Seed of that change.", at_most=2**53 - 1, later=True)
    decider: str = option(
        "rule",
        "Who decides on each trained block and layer: the rule, or a person who is asked.",
        choices=DECIDERS,
        later=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_width < self.block_width:
            raise ConfigError(f"max_width must be at least block_width ({self.block_width}), got {self.max_width}.")
        if self.solve_for == "propagated" and self.readout == "linear":
            raise ConfigError(
                "solve_for=propagated needs readout=graph or pagerank: a linear readout does not propagate."
            )
        if self.margin and self.metric not in ("val_accuracy", "labelled_accuracy"):
            raise ConfigError(
                f"margin counts nodes: it needs metric=val_accuracy or labelled_accuracy, got {self.metric}. "
                "Choose one of these, or margin=0."
            )

    def size(self) -> NetworkSize:
        """Return what growth seldom exceeds; where it does, whoever counts follows its events."""
        usual = min(USUAL_NEURONS, self.max_width * self.max_layers)
        return NetworkSize(widths=(max(self.block_width, usual),), solves=True, copies=self.starts)


LANE_SETTINGS = (
    "seed",
    "dropout",
    "input_dropout",
    "lambda1",
    "lambda2",
    "learning_rate",
    "weight_decay",
    "perturbation",
    "perturbation_seed",
)
"""Settings that may differ between networks that are trained together (:mod:`pgcn.engine`, lanes)."""

PAPER = GrowthConfig()
"""The paper's text, word for word. Training accuracy soon reaches 1 and growth stops early.

Where the paper searches a grid (dropout 0.1 to 0.5, lambda1 0.1 to 10, block width 1 to 20) one point of it is the
default: dropout 0.5, lambda1 1, and block width 5, of which the topologies in its tables are multiples.
"""

PRESETS: dict[str, GrowthConfig] = {
    "paper": PAPER,
    # What the authors' published code means to do.
    "reference": PAPER.change(
        readout="graph",
        bias=True,
        metric="val_accuracy",
        epsilon_b=1e-3,
        epsilon_l=1e-3,
        reject_equal=True,
        max_layers=20,
        epochs=200,
        dropout_scope="first_layer",
        solve_dropout=True,
        lambda1=0.1,
        lambda2=1.0,
        laplacian_overwritten=True,
        carry_over="first_layer",
        init="layer_width",
        layer_baseline="rejected",
    ),
    # The paper with the one change that lets it find topologies like those in its tables.
    "reproduction": PAPER.change(metric="val_accuracy"),
    # Ours: what gave the best validation accuracy.
    "tuned": PAPER.change(
        readout="graph",
        solve_for="propagated",
        input_dropout=0.5,
        weight_decay_scope="first_layer",
        metric="val_accuracy",
    ),
    # Ours: a personalised-PageRank readout, fitted to squared error, and decisions that chance makes less often.
    "pagerank": PAPER.change(
        readout="pagerank",
        solve_for="propagated",
        loss="mse",
        mse_objective="mean",
        input_dropout=0.5,
        input_dropout_on="features",
        weight_decay_scope="first_layer",
        metric="val_accuracy",
        keep_epoch="best",
        margin=0.25,
    ),
}
DEFAULT_PRESET = "reproduction"


def growth_preset(name: str = DEFAULT_PRESET, **changes: Any) -> GrowthConfig:
    """Return a preset, with some settings changed."""
    if name not in PRESETS:
        raise ConfigError(no_such("preset", name, PRESETS))
    return PRESETS[name].change(**changes)
