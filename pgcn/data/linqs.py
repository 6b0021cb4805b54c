"""Cora from its LINQS files, made identical to Planetoid's Cora.

Planetoid numbers the papers in an order of its own. ``cora_planetoid_order.txt`` lists the paper ids in that
order; it was found by matching every feature row, every citation and every class.
"""

from importlib.resources import files
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from pgcn.data.files import read_checked
from pgcn.data.planetoid import CLASS_NAMES, public_graph
from pgcn.graph import Graph

NUM_LABELLED = 140
FIRST_TEST_NODE = 1708


def load_linqs_cora(folder: Path) -> Graph:
    """Return Cora in Planetoid's order, with the public split, from cora.content and cora.cites."""
    contents = read_checked(folder)
    node_of = planetoid_numbers()
    words: list[np.ndarray] = [np.zeros(0)] * len(node_of)
    y = np.zeros(len(node_of), dtype=np.int64)
    for line in contents["cora.content"].splitlines():
        paper, _, rest = line.partition(b"\t")
        flags, _, label = rest.rpartition(b"\t")
        node = node_of[paper]
        # The flags are 0 or 1 with tabs between, so that every second byte is one.
        words[node] = np.frombuffer(flags, dtype=np.uint8)[::2] == ord("1")
        y[node] = CLASS_NAMES["cora"].index(label.decode())
    cites = [node_of[paper] for paper in contents["cora.cites"].split()]
    cited, citing = np.array(cites).reshape(-1, 2).T
    return public_graph(
        "cora",
        features=sp.csr_array(np.stack(words), dtype=np.float32),
        edge_index=np.stack([np.r_[cited, citing], np.r_[citing, cited]]),
        y=y,
        num_labelled=NUM_LABELLED,
        test_nodes=np.arange(FIRST_TEST_NODE, len(y)),
    )


def planetoid_numbers() -> dict[bytes, int]:
    """Return Planetoid's node number of each LINQS paper id."""
    order = files("pgcn.data").joinpath("cora_planetoid_order.txt").read_bytes().split()
    return {paper: node for node, paper in enumerate(order)}
