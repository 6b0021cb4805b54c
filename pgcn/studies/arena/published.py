"""The paper's Tables II (accuracy), III (parameters) and IV (architectures), as printed. Standard library only.

Heidari & Iosifidis, Progressive Graph Convolutional Networks (arXiv 2003.12277). The paper took the accuracies of
all methods but its own from those methods' papers, so the rows follow different protocols: a mean of 100 runs
stands beside the best of 900. Every row says which.
"""

from dataclasses import dataclass

from pgcn.numbers import mean_sd

DATASETS = ("citeseer", "cora", "pubmed")
"""In the order of the paper's columns."""


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How a row of the table was come by.

    ``kind`` is "mean" (over ``runs``), "best" (the test accuracy of the best of ``runs`` by validation), "search"
    (a mean over what the best of ``architectures`` gave) or "unknown". ``text`` says it in words.
    """

    kind: str
    text: str
    runs: int | None = None
    architectures: int | None = None


@dataclass(frozen=True, kw_only=True)
class PublishedRow:
    """A method of the tables; ``counts`` says how its numbers of parameters can be derived, or that they cannot."""

    title: str
    protocol: Protocol
    counts: str


@dataclass(frozen=True, kw_only=True)
class Published:
    """What the paper prints for a method on a data set.

    Accuracies are in %. ``parameters`` are what ``parameters_text`` says, which is rounded; ``architecture`` are
    the neurons of the hidden layers, None where the paper prints none.
    """

    accuracy: float
    accuracy_sd: float | None
    parameters_text: str
    architecture: tuple[int, ...] | None

    @property
    def parameters(self) -> int:
        return round(1000 * float(self.parameters_text.removesuffix("k")))

    @property
    def accuracy_text(self) -> str:
        return mean_sd(self.accuracy, self.accuracy_sd)


GRID = Protocol(
    kind="best",
    runs=900,
    text="test accuracy of the best of 900 runs by validation: 45 settings (3 dropouts, 3 lambda1, 5 block "
    "widths), 20 runs each",
)

ROWS = {
    "gcn": PublishedRow(
        title="GCN",
        protocol=Protocol(kind="unknown", text="from the GCN paper; this paper does not say over how many runs"),
        counts="16D + 16C + 16 + C: with biases, which Kipf & Welling's code does not have",
    ),
    "ngcn": PublishedRow(
        title="N-GCN",
        protocol=Protocol(kind="best", runs=20, text="test accuracy of the best of 20 runs by validation"),
        counts="12 (10D + 10C + 10 + C), with biases; CiteSeer is printed 0.1k more than that",
    ),
    "gat": PublishedRow(
        title="GAT",
        protocol=Protocol(kind="mean", runs=100, text="mean ± sd of 100 runs"),
        counts="64D + 128 + 64C + 2C, no biases; on PubMed GAT used 8 output heads, 33.7k parameters, so the "
        "printed count is of a model that it did not use there",
    ),
    "graphnas": PublishedRow(
        title="GraphNAS",
        protocol=Protocol(
            kind="search", architectures=1000, text="mean ± sd of the top 5 of 1000 architectures by validation"
        ),
        counts="not derivable: the architectures are not printed, and the counts look rounded from mixed sources",
    ),
    "autognn": PublishedRow(
        title="Auto-GNN",
        protocol=Protocol(
            kind="search",
            architectures=1000,
            text="mean ± sd of 5 initialisations of the best of 1000 architectures by validation; the paper "
            "promises rows with and without parameter sharing and prints one",
        ),
        counts="not derivable: the architectures are not printed",
    ),
    "pgcn-ce": PublishedRow(
        title="PGCN (CE)",
        protocol=GRID,
        counts="Σ in·out + out over the printed topology: with biases, which the paper's equations do not have",
    ),
    "pgcn-mse": PublishedRow(
        title="PGCN (MSE)",
        protocol=GRID,
        counts="Σ in·out + out over the printed topology fits Cora; PubMed fits only without biases; CiteSeer fits "
        "neither (74.2k)",
    ),
}
"""The methods in the order of the paper's rows."""


def row(
    accuracies: tuple[float, float, float],
    parameters: tuple[str, str, str],
    *,
    sds: tuple[float | None, float | None, float | None] = (None, None, None),
    architectures: tuple[tuple[int, ...] | None, ...] = (None, None, None),
) -> dict[str, Published]:
    return {
        dataset: Published(accuracy=accuracy, accuracy_sd=sd, parameters_text=count, architecture=architecture)
        for dataset, accuracy, sd, count, architecture in zip(
            DATASETS, accuracies, sds, parameters, architectures, strict=True
        )
    }


PUBLISHED = {
    "gcn": row((70.3, 81.5, 79.0), ("59.4k", "23.1k", "8.1k"), architectures=((16,), (16,), (16,))),
    "ngcn": row((72.2, 83.0, 79.5), ("445.4k", "173k", "60.5k")),
    "gat": row((72.5, 83.0, 79.0), ("237.5k", "92.3k", "32.3k"), sds=(0.7, 0.7, 0.3)),
    "graphnas": row((73.1, 84.2, 79.6), ("230k", "188k", "30k"), sds=(0.9, 1.0, 0.4)),
    "autognn": row((73.8, 83.6, 79.7), ("710k", "50k", "70k"), sds=(0.7, 0.3, 0.4)),
    "pgcn-ce": row((74.3, 83.1, 80.2), ("56k", "14.7k", "5.04k"), architectures=((15, 20), (10, 20), (10,))),
    "pgcn-mse": row((72.7, 82.7, 80.0), ("74.3k", "22.1k", "7.5k"), architectures=((20,), (15, 25), (15,))),
}
"""What the paper prints, by method and data set."""


def published(method: str | None, dataset: str) -> Published | None:
    """Return what the paper prints for a method of its tables on a data set, None where it prints nothing."""
    return PUBLISHED.get(method or "", {}).get(dataset)
