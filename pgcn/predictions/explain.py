"""Why a network gives a node its class: which features, neighbours and edges carried the prediction.

Two looks, for the network of any method (it is only asked for logits and their gradient):

- gradient times input of the lead L = z_c - z_s of the predicted class c over the second s: the share of feature
  d of node j is x_jd dL/dx_jd. For a ReLU network without biases the shares add up to L exactly (Euler: L is then
  homogeneous of degree 1 in X); with biases, what is missing is theirs.
- leaving out: p_c(whole graph) - p_c(graph without one edge, or with one feature 0 everywhere), by computing the
  whole network again. Positive: it spoke for the class.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from pgcn.errors import GraphError
from pgcn.graph import Graph

MOST_NEIGHBOURS, MOST_NODES, MOST_EDGES, MOST_FEATURES = 12, 24, 40, 12
"""What is drawn and left out at most: the strongest."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What carried a prediction. Edges and features are the strongest first.

    node, predicted, second   the node, its class, the class that came next
    probability, lead         p_c, and z_c - z_s
    nodes                     (node, hops from the explained one, share of the lead), the explained one first
    edges                     (node, node, p_c minus p_c without this edge)
    features                  (feature, share of the lead, p_c minus p_c without this feature)
    """

    node: int
    predicted: int
    second: int
    probability: float
    lead: float
    nodes: tuple[tuple[int, int, float], ...]
    edges: tuple[tuple[int, int, float], ...]
    features: tuple[tuple[int, float, float], ...]


def gradient_times_input(model: nn.Module, graph: Graph, node: int) -> tuple[Tensor, Tensor, int, int]:
    """Return the shares X * dL/dX [N, D], the node's logits [C], its class and the one that came next."""
    x = graph.x.requires_grad_()
    logits = model(x, graph.edge_index, graph.edge_weight)[node]
    predicted, second = logits.detach().topk(2).indices.tolist()
    (slope,) = torch.autograd.grad(logits[predicted] - logits[second], x)
    return (x.detach() * slope), logits.detach(), predicted, second


def explain_node(
    model: nn.Module,
    graph: Graph,
    node: int,
    progress: Callable[[str], None] = lambda text: None,
    *,
    temperature: float = 1.0,
) -> Explanation:
    """Return what carried the prediction for a node; ``progress`` is called before each pass of the network.

    Probabilities are softmax(logits / ``temperature``).
    """
    if not 0 <= node < graph.num_nodes:
        raise GraphError(f"{graph.name} has nodes 0 to {graph.num_nodes - 1:,}, got {node}.")
    if graph.num_classes < 2:
        raise GraphError(f"{graph.name} has one class only: every node gets it, so there is nothing to explain.")
    shares, logits, predicted, second = gradient_times_input(model, graph, node)
    by_node, by_feature = shares.sum(dim=1).numpy(), shares.sum(dim=0).numpy()
    whole = torch.softmax(logits.double() / temperature, dim=0)[predicted].item()
    hops = neighbourhood(graph, node, by_node)
    edges, features = inner_edges(graph, hops), strongest(by_feature, MOST_FEATURES)
    passes, x = len(edges) + len(features), graph.x

    def change(x: Tensor, edge_index: Tensor, edge_weight: Tensor | None) -> float:
        with torch.no_grad():
            logits = model(x, edge_index, edge_weight)[node].double()
        return whole - torch.softmax(logits / temperature, dim=0)[predicted].item()

    found_edges, found_features = [], []
    for number, (one, other) in enumerate(edges, 1):
        progress(f"Without edge {number} of {len(edges)}…")
        found_edges.append((one, other, change(x, *without_edge(graph, one, other))))
    for number, feature in enumerate(features, len(edges) + 1):
        progress(f"Without a feature: pass {number} of {passes}…")
        column = x[:, feature].clone()
        x[:, feature] = 0
        found_features.append((feature, float(by_feature[feature]), change(x, graph.edge_index, graph.edge_weight)))
        x[:, feature] = column
    return Explanation(
        node=node,
        predicted=predicted,
        second=second,
        probability=whole,
        lead=(logits[predicted] - logits[second]).item(),
        nodes=tuple((member, distance, float(by_node[member])) for member, distance in hops.items()),
        edges=tuple(sorted(found_edges, key=lambda edge: -abs(edge[2]))),
        features=tuple(sorted(found_features, key=lambda feature: -abs(feature[2]))),
    )


def strongest(values: np.ndarray, most: int) -> list[int]:
    """Return the places of the largest absolute values that are not 0, largest first."""
    order = np.argsort(-np.abs(values), kind="stable")[:most]
    return [int(place) for place in order if values[place] != 0]


def neighbours_of(graph: Graph, nodes: list[int]) -> np.ndarray:
    """Return all nodes with an edge to one of these."""
    source, target = graph.edge_index.numpy()
    return np.unique(source[np.isin(target, nodes)])


def neighbourhood(graph: Graph, node: int, by_node: np.ndarray) -> dict[int, int]:
    """Return the node, its neighbours and theirs, of each the strongest, with their distance in hops."""
    found = {node: 0}
    for hop, most in ((1, MOST_NEIGHBOURS), (2, MOST_NODES - 1)):
        near = [member for member in neighbours_of(graph, list(found)).tolist() if member not in found]
        near.sort(key=lambda member: -abs(by_node[member]))
        found |= dict.fromkeys(near[: most - len(found) + 1], hop)
    return found


def inner_edges(graph: Graph, hops: dict[int, int]) -> list[tuple[int, int]]:
    """Return the edges between these nodes, each once, those nearest to the explained node first."""
    source, target = graph.edge_index.numpy()
    inside = np.isin(source, list(hops)) & np.isin(target, list(hops)) & (source < target)
    pairs: Iterator[tuple[int, int]] = zip(source[inside].tolist(), target[inside].tolist(), strict=True)
    return sorted(pairs, key=lambda pair: hops[pair[0]] + hops[pair[1]])[:MOST_EDGES]


def without_edge(graph: Graph, one: int, other: int) -> tuple[Tensor, Tensor | None]:
    """Return the edges [2, E - 2] and their weights without one undirected edge."""
    source, target = graph.edge_index
    kept = ~(((source == one) & (target == other)) | ((source == other) & (target == one)))
    return graph.edge_index[:, kept], None if graph.edge_weight is None else graph.edge_weight[kept]
