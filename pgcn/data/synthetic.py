"""Citation-like graphs of any size, made from a seed.

Edges follow a degree-corrected block model: node i is drawn with a probability proportional to its weight
θ_i, which has a heavy tail; a share ``homophily`` of the edges joins nodes of the same class. The others
start at nodes on the border of their class, each of which leans to one other class and has one neighbour in
its own: in citation networks, too, a few papers have most of the links to other fields.

Features are bags of words: the vocabulary's frequencies fall as 1/rank, every class owns a part of it, and a
word is drawn from the part of the node's class with probability ``topic``; at the border half of those words
come from the class it leans to.

Time and memory grow with the numbers of nodes and edges; there is no N x N anywhere.
"""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from pgcn.data.split_names import Split
from pgcn.data.splits import generator, random_split, ranks_in_class
from pgcn.data.synthetic_config import SyntheticConfig
from pgcn.graph import Graph, build_graph, row_normalized
from pgcn.graph.checks import sorted_unique

LABELLED_PER_CLASS = 20
# Chosen with the default of ``topic`` so that a two-layer GCN does about as well as on Cora.
BORDER_PER_FOREIGN_EDGE = 2.0
TAIL = 1.8
SLOTS_PER_WEIGHT = 2
RANK_OFFSET = 10
ROUNDS = 50


def synthetic_graph(**options) -> Graph:
    """Return a graph by the settings of :class:`SyntheticConfig`, the features row-normalised."""
    config = SyntheticConfig.of(**options)
    rng = generator(config.seed).spawn(1)[0]  # the split draws from the seed itself
    y = rng.permutation(np.repeat(np.arange(config.classes), config.class_sizes))
    at_border, leaning = borders(y, config, rng)
    edge_index = citation_edges(y, at_border, leaning, config, rng)
    notes = [config.describe()]
    if (made := edge_index.shape[1] // 2) < (wanted := sum(config.edge_counts)):
        notes.append(f"Only {made} of {wanted} distinct edges were generated.")
    per_class = min(LABELLED_PER_CLASS, max(1, int(config.class_sizes.min()) // 3))
    masks = random_split(y, per_class, seed=config.seed)
    return build_graph(
        name="synthetic",
        features=row_normalized(bags_of_words(y, leaning, config, rng)),
        edge_index=edge_index,
        y=y,
        train_mask=masks[0],
        val_mask=masks[1],
        test_mask=masks[2],
        class_names=[f"topic {c}" for c in range(config.classes)],
        split="synthetic, " + Split("random", per_class).describe(seed=config.seed),
        notes=notes,
    )


def borders(y, config: SyntheticConfig, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return which nodes [N] are on the border of their class, and the class each leans to (inside: its own).

    The border grows with the foreign edges, so that a node there has as many whatever the homophily.
    """
    share = min(0.5, BORDER_PER_FOREIGN_EDGE * (1 - config.homophily))
    order, rank = ranks_in_class(y, rng)
    at_border = np.zeros(len(y), dtype=bool)
    at_border[order] = rank < np.ceil(share * config.class_sizes)[y[order]]
    return at_border, np.where(at_border, other_classes(y, config, rng), y)


def other_classes(classes: np.ndarray, config: SyntheticConfig, rng: np.random.Generator) -> np.ndarray:
    """Return for each class named a random different one."""
    return (classes + 1 + rng.integers(config.classes - 1, size=len(classes))) % config.classes


class Urn:
    """Nodes in proportion to their weights, class beside class, so that a draw is one look-up.

    slots    int32, node i as often as its weight says, those of class c at start[c] : start[c] + size[c]
    """

    def __init__(self, nodes: np.ndarray, weights: np.ndarray, y: np.ndarray, num_classes: int) -> None:
        by_class = nodes[np.argsort(y[nodes], kind="stable")].astype(np.int32)
        self.slots = np.repeat(by_class, weights[by_class])
        self.size = np.bincount(y[nodes], weights=weights[nodes], minlength=num_classes).astype(np.int64)
        self.start = np.cumsum(self.size) - self.size

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw so many nodes of any class."""
        return self.slots[rng.integers(len(self.slots), size=count)]

    def draw_from(self, classes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw one node from each of the classes named."""
        slot = (rng.random(len(classes)) * self.size[classes]).astype(np.int64)
        return self.slots[self.start[classes] + slot]


def citation_edges(y, at_border, leaning, config: SyntheticConfig, rng: np.random.Generator) -> np.ndarray:
    """Return the edges in both directions, int32 [2, 2 edges]; every node has one if there are enough."""
    num_nodes, (num_own, num_foreign) = len(y), config.edge_counts
    pareto = np.minimum((1 - rng.random(num_nodes)) ** (-1 / TAIL), np.sqrt(num_nodes))
    weights = np.round(SLOTS_PER_WEIGHT * pareto).astype(np.int64)
    everyone, inside, border = (
        Urn(np.flatnonzero(mask), weights, y, config.classes)
        for mask in (np.ones(num_nodes, dtype=bool), ~at_border, at_border)
    )

    def own(nodes: np.ndarray, urn: Urn) -> np.ndarray:
        partners = urn.draw_from(y[nodes], rng)
        while len(alone := np.flatnonzero(partners == nodes)):
            partners[alone] = everyone.draw_from(y[nodes[alone]], rng)
        return edge_keys(nodes, partners, num_nodes)

    def foreign(nodes: np.ndarray, urn: Urn) -> np.ndarray:
        classes = np.where(at_border[nodes], leaning[nodes], other_classes(y[nodes], config, rng))
        return edge_keys(nodes, urn.draw_from(classes, rng), num_nodes)

    # First one edge for each node, then as the weights have it; on a small graph that may not be enough, and
    # the rest joins any two nodes.
    nodes = rng.permutation(num_nodes)
    own_edges = own(nodes[:num_own], inside)
    own_edges = filled(own_edges, num_own, lambda count: own(inside.draw(count, rng), inside))
    own_edges = filled(own_edges, num_own, lambda count: own(everyone.draw(count, rng), everyone))
    foreign_edges = foreign(nodes[num_own:][:num_foreign], inside)
    foreign_edges = filled(foreign_edges, num_foreign, lambda count: foreign(border.draw(count, rng), inside))
    foreign_edges = filled(foreign_edges, num_foreign, lambda count: foreign(everyone.draw(count, rng), everyone))
    low, high = np.divmod(np.concatenate([own_edges, foreign_edges]), num_nodes)
    edges = np.empty((2, 2 * len(low)), dtype=np.int32)
    edges[0, : len(low)] = edges[1, len(low) :] = low
    edges[1, : len(low)] = edges[0, len(low) :] = high
    return edges


def edge_keys(nodes: np.ndarray, partners: np.ndarray, num_nodes: int) -> np.ndarray:
    """Return the edges between the nodes and their partners as different, sorted keys low * N + high."""
    keys = np.minimum(nodes, partners).astype(np.int64) * num_nodes
    keys += np.maximum(nodes, partners)
    return sorted_unique(keys)


def filled(keys: np.ndarray, count: int, draw: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return the keys and as many new ones as make them ``count``, or fewer where draws bring up no more."""
    for _ in range(ROUNDS):
        if len(keys) >= count:
            break
        new = draw(count - len(keys))
        if len(keys):
            new = new[keys[np.minimum(np.searchsorted(keys, new), len(keys) - 1)] != new]
        # A stable sort merges two sorted runs without sorting them again.
        keys = np.sort(np.concatenate([keys, new]), kind="stable")
    return keys


def bags_of_words(y, leaning, config: SyntheticConfig, rng: np.random.Generator) -> sp.csr_array:
    """Return which words each node has, as ones, shape [N, features]."""
    frequency = 1 / (np.arange(config.features) + RANK_OFFSET)
    frequency /= frequency.sum()
    owner = np.arange(config.features) % config.classes
    by_owner = np.argsort(owner, kind="stable")
    ends = np.cumsum(frequency[by_owner]).astype(np.float32)
    mass = np.bincount(owner, weights=frequency).astype(np.float32)
    first = np.cumsum(mass) - mass
    position = rng.random((len(y), config.words_per_node), dtype=np.float32)  # the vocabulary has length 1
    kind = rng.random(position.shape, dtype=np.float32)
    for topic, chosen in ((y, kind < config.topic / 2), (leaning, kind >= 1 - config.topic / 2)):
        np.copyto(position, first[topic, None] + position * mass[topic, None], where=chosen)
    drawn = np.minimum(np.searchsorted(ends, position, side="right"), config.features - 1)
    columns = rng.permutation(config.features).astype(np.int32)[by_owner]  # a word's rank is not its column
    words = np.sort(columns[drawn], axis=1)
    new = np.ones(words.shape, dtype=bool)
    np.not_equal(words[:, 1:], words[:, :-1], out=new[:, 1:])
    row_ends = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    ones = np.ones(row_ends[-1], dtype=np.float32)
    return sp.csr_array((ones, words[new], row_ends), shape=(len(y), config.features))
