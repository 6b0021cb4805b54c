"""Cora, CiteSeer and PubMed from their Planetoid files, with the public split.

The eight files of a data set are

    x, y         features and one-hot classes of the labelled nodes     [20 C, D], [20 C, C]
    allx, ally   the same of all nodes but the test nodes; x is their beginning
    tx, ty       the same of the test nodes, in the order of test.index
    graph        the neighbours of every node, as lists
    test.index   the numbers of the test nodes

The 500 nodes after the labelled ones validate.
"""

import io
import pickle
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.data.files import read_checked
from pgcn.errors import DataError
from pgcn.graph import Graph, build_graph, row_normalized

NUM_VAL = 500
PUBLIC_SPLIT = "public Planetoid split"


# In the order of the labels 0, 1, ...
CLASS_NAMES = {
    # Compared node by node with the LINQS files, whose classes have names.
    "cora": (
        "Theory",
        "Reinforcement_Learning",
        "Genetic_Algorithms",
        "Neural_Networks",
        "Probabilistic_Methods",
        "Case_Based",
        "Rule_Learning",
    ),
    # By the sizes of the LINQS classes, all different: AI 249, ML 590, IR 668, DB 701, Agents 596, HCI 508.
    "citeseer": ("AI", "ML", "IR", "DB", "Agents", "HCI"),
    # LINQS numbers the classes 1 Experimental, 2 Type 1, 3 Type 2. Planetoid has the last two the other way:
    # - LINQS's classes have 4103, 7875 and 7739 papers, Planetoid's 4103, 7739 and 7875;
    # - column 0 is the word 'rat', as LINQS's first row shows: 74 % of class 0 has it, 5 % of the rest;
    # - columns are numbered by first appearance, which finds LINQS's first 27 rows among Planetoid's. What a
    #   language model said of their abstracts (TAPE's published predictions) fits this order in 26 of them;
    #   the other order would fit none of those that are not Experimental.
    "pubmed": (
        "Diabetes Mellitus, Experimental",
        "Diabetes Mellitus Type 2",
        "Diabetes Mellitus Type 1",
    ),
}


@dataclass(frozen=True)
class Statistics:
    """A column of the paper's Table I."""

    nodes: int
    edges: int
    classes: int
    features: int
    label_rate: float


TABLE_I = {
    "citeseer": Statistics(3327, 4732, 6, 3703, 0.036),
    "cora": Statistics(2708, 5429, 7, 1433, 0.052),
    "pubmed": Statistics(19717, 44338, 3, 500, 0.003),
}


def load_planetoid(name: str, folder: Path) -> Graph:
    """Return the data set in a folder of raw files, the features row-normalised."""
    parts = read_parts(name, folder)
    num_nodes, test_nodes = len(parts["graph"]), parts["test.index"]
    # One empty row at the end stands for the nodes that no file describes (15 in CiteSeer), as PyG has it.
    described = parts["allx"].shape[0] + len(test_nodes)
    row_of = np.full(num_nodes, described)
    row_of[: parts["allx"].shape[0]] = np.arange(parts["allx"].shape[0])
    row_of[test_nodes] = np.arange(parts["allx"].shape[0], described)
    empty = sp.csr_array((1, parts["allx"].shape[1]), dtype=np.float32)
    features = sp.vstack([parts["allx"], parts["tx"], empty], format="csr")[row_of]
    one_hot = np.vstack([parts["ally"], parts["ty"], np.zeros_like(parts["ty"][:1])])[row_of]
    undescribed = num_nodes - described
    return public_graph(
        name,
        features=features,
        edge_index=edge_index_of(parts["graph"]),
        y=one_hot.argmax(axis=1),
        num_labelled=parts["x"].shape[0],
        test_nodes=test_nodes,
        notes=[
            f"{undescribed} nodes are in the graph only, without words or class: "
            "as in PyG they have class 0 and are in no mask."
        ]
        if undescribed
        else [],
    )


def public_graph(name: str, *, features, edge_index, y, num_labelled: int, test_nodes, notes=()) -> Graph:
    """Return the graph with the public split: the first nodes are labelled, the next 500 validate."""
    masks = np.zeros((3, len(y)), dtype=bool)
    masks[0, :num_labelled] = True
    masks[1, num_labelled : num_labelled + NUM_VAL] = True
    masks[2, test_nodes] = True
    return build_graph(
        name=name,
        features=row_normalized(features),
        edge_index=edge_index,
        y=y,
        train_mask=masks[0],
        val_mask=masks[1],
        test_mask=masks[2],
        class_names=CLASS_NAMES[name],
        split=PUBLIC_SPLIT,
        notes=notes,
    )


def known_classes(graph: Graph) -> np.ndarray:
    """Return the classes [N] with -1 for nodes without any word: CiteSeer's files do not tell their class."""
    return np.where(np.diff(graph.features.indptr) > 0, graph.y.numpy(), -1)


def read_parts(name: str, folder: Path) -> dict:
    """Return the eight parts: sparse features, one-hot classes, neighbour lists, test nodes."""
    contents = read_checked(folder)
    parts = {file.removeprefix(f"ind.{name}."): data for file, data in contents.items()}
    test_nodes = np.array(parts.pop("test.index").split(), dtype=np.int64)
    opened: dict[str, Any] = {part: PlanetoidUnpickler(io.BytesIO(data)).load() for part, data in parts.items()}
    for part in ("x", "tx", "allx"):
        matrix = opened[part]
        opened[part] = sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    return {**opened, "test.index": test_nodes}


# As Python 2 wrote them; SciPy's and NumPy's old module names are going away, so they are not imported.
PICKLED_NAMES = {
    ("scipy.sparse.csr", "csr_matrix"): sp.csr_matrix,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): np.zeros(0).__reduce__()[0],
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
}


class PlanetoidUnpickler(pickle.Unpickler):
    """Reads what the files hold and can make nothing else."""

    def __init__(self, file) -> None:
        super().__init__(file, encoding="latin1")

    def find_class(self, module: str, name: str):
        if (module, name) not in PICKLED_NAMES:
            raise DataError(f"A Planetoid file names {module}.{name}, which does not belong there.")
        return PICKLED_NAMES[module, name]


def edge_index_of(neighbours: dict[int, list[int]]) -> np.ndarray:
    """Return every entry of the neighbour lists as a directed edge, shape [2, entries]."""
    source = np.repeat(list(neighbours), [len(nodes) for nodes in neighbours.values()])
    target = np.fromiter(chain.from_iterable(neighbours.values()), dtype=np.int64, count=len(source))
    return np.stack([source, target])


def paper_edge_count(neighbours: dict[int, list[int]]) -> int:
    """Return the number of edges as Table I counts them: half the entries of all neighbour lists.

    Each edge is listed at both ends and a self-loop twice at its node, so citations given twice count twice
    and self-citations count; the graph that is learned on has neither.
    """
    return sum(map(len, neighbours.values())) // 2
