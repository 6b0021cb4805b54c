"""Zachary's karate club with four communities, as PyG ships it."""

from pgcn.data.pyg import pyg_datasets
from pgcn.data.splits import generator, masks_of, proportional_order
from pgcn.graph import Graph, build_graph


def load_karate(seed: int = 0) -> Graph:
    """Return the 34 members, one-hot features [34, 34], and one labelled member per community.

    PyG marks no validation or test nodes; the 30 others are divided between them by the seed.
    """
    data = pyg_datasets().KarateClub()[0]
    y, labelled = data.y.numpy(), data.train_mask.numpy()
    others = (~labelled).nonzero()[0]
    others = others[proportional_order(y[others], generator(seed))]
    _, val, test = masks_of(len(y), others[:0], others[: len(others) // 2], others[len(others) // 2 :])
    return build_graph(
        name="karate",
        features=data.x,
        edge_index=data.edge_index.numpy(),
        y=y,
        train_mask=labelled,
        val_mask=val,
        test_mask=test,
        class_names=[f"community {c}" for c in range(int(y.max()) + 1)],
        split=f"PyG's one labelled node per class; the others half validation, half test, seed {seed}",
    )
