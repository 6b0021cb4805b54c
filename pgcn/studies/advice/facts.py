"""What can be counted on a graph before anything is trained. Test nodes are not looked at."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pgcn.graph import Graph


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Counts of a graph with its split and its projection.

    ``features_before`` are those before a projection, None without one. ``homophily`` is the share of
    ``known_edges`` that join two nodes of the same class: edges whose ends are both training or validation nodes;
    None without any. ``smallest_class`` and ``largest_class`` are shares of the training nodes. ``own_features``
    says that features tell nothing of a node but which one it is.
    """

    dataset: str
    split: str
    nodes: int
    edges: int
    features: int
    features_before: int | None
    classes: int
    labelled: int
    validation: int
    homophily: float | None
    known_edges: int
    smallest_class: float
    largest_class: float
    own_features: bool

    @property
    def labels_per_feature(self) -> float:
        """N_L / D."""
        return self.labelled / max(1, self.features)

    @property
    def label_rate(self) -> float:
        return self.labelled / max(1, self.nodes)

    def rows(self) -> list[tuple[str, str]]:
        """Return what was counted, for people: what it is, and how much."""
        per = f"{self.labels_per_feature:.3g}  ({self.labelled:,} labels, {self.features:,} features)"
        if self.features_before is not None:
            before = self.labelled / max(1, self.features_before)
            per += f", {before:.3g} before the projection ({self.features_before:,} features)"
        rows = [
            ("labels per feature N_L/D", per),
            ("label rate", f"{100 * self.label_rate:.3g} % of {self.nodes:,} nodes"),
            ("edge homophily", homophily_words(self.homophily, self.known_edges)),
            (
                "class balance",
                f"the smallest of {self.classes} classes has {100 * self.smallest_class:.1f} % of the labels, the "
                f"largest {100 * self.largest_class:.1f} %",
            ),
            ("validation nodes", f"{self.validation:,}"),
        ]
        if self.own_features:
            rows.append(("features", "none: the matrix is the identity, each node its own feature"))
        return rows


def homophily_words(homophily: float | None, edges: int) -> str:
    """Return for example '0.81, on 62 edges among training and validation nodes'."""
    among = "among training and validation nodes"
    if homophily is None:
        return f"not known: no edge {among}"
    return f"{homophily:.2f}, on {edges:,} edge{'s' * (edges != 1)} {among}"


def count_facts(graph: "Graph", *, features_before: int | None = None) -> Facts:
    """Return what can be counted on a graph."""
    import numpy as np

    y, seen = graph.y.numpy(), (graph.train_mask | graph.val_mask).numpy()
    one, other = graph.edge_index.numpy()
    known = seen[one] & seen[other] & (one < other)
    trained = y[graph.train_mask.numpy()]
    sizes = np.bincount(trained, minlength=graph.num_classes) / max(1, len(trained))
    return Facts(
        dataset=graph.source.name if graph.source else graph.name,
        split=graph.split,
        **graph.facts(),
        features_before=features_before,
        validation=int(graph.val_mask.sum()),
        homophily=float((y[one] == y[other])[known].mean()) if known.any() else None,
        known_edges=int(known.sum()),
        smallest_class=float(sizes.min()),
        largest_class=float(sizes.max()),
        own_features=is_identity(graph),
    )


def is_identity(graph: "Graph") -> bool:
    """Return whether every node has one feature, and no other node has it."""
    import numpy as np

    features, count = graph.features, graph.num_nodes
    if not count == graph.num_features == features.nnz:
        return False
    return bool((np.diff(features.indptr) == 1).all() and len(np.unique(features.indices)) == count)
