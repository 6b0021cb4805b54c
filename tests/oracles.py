"""Slow, obvious twins of what the package does fast: dense matrices, the whole graph, one network at a time."""

import torch
import torch.nn.functional as F

from pgcn.engine.lanes import ACTIVATIONS


def dense_adjacency(graph, *, self_loops=True):
    """Return Â as a dense float64 matrix, entry by entry."""
    size = graph.num_nodes
    matrix = torch.eye(size, dtype=torch.float64) if self_loops else torch.zeros(size, size, dtype=torch.float64)
    for source, target in graph.edge_index.T.tolist():
        matrix[target, source] = 1.0
    degree = matrix.sum(dim=1)
    scale = torch.where(degree > 0, degree.rsqrt(), 0.0)
    return scale[:, None] * matrix * scale[None, :]


def dense_forward(architecture, weights, features, propagation):
    """Return (H, Y): the last hidden layer and the logits, of all nodes."""
    hidden = features
    for i in range(len(architecture.widths)):
        hidden = propagation @ hidden @ weights[f"hidden.{i}.weight"]
        if architecture.bias:
            hidden = hidden + weights[f"hidden.{i}.bias"]
        hidden = ACTIVATIONS[architecture.activation](hidden.clone())
    outputs = hidden @ weights["output.weight"]
    if architecture.readout == "graph":
        outputs = propagation @ outputs
    if architecture.bias:
        outputs = outputs + weights["output.bias"]
    return hidden, outputs


def dense_training(
    graph, architecture, weights, *, epochs, loss, learning_rate, weight_decay, decayed, lambda1=1.0
):
    """Train on the whole graph with torch's own Adam, no dropout, in float64; return the weights."""
    propagation, features = dense_adjacency(graph), graph.x.double()
    weights = {name: value.double().clone().requires_grad_() for name, value in weights.items()}
    groups = [
        {"params": [value], "weight_decay": weight_decay if name in decayed else 0.0}
        for name, value in weights.items()
    ]
    adam = torch.optim.Adam(groups, lr=learning_rate)
    y = graph.y[graph.train_mask]
    targets = F.one_hot(y, graph.num_classes)
    for _ in range(epochs):
        outputs = dense_forward(architecture, weights, features, propagation)[1][graph.train_mask]
        if loss == "ce":
            value = F.cross_entropy(outputs, y)
        elif loss == "mean":
            value = F.mse_loss(outputs, targets.double())
        else:
            value = weights["output.weight"].square().sum() / 2 + lambda1 / 2 * (outputs - targets).square().sum()
        adam.zero_grad()
        value.backward()
        adam.step()
    return {name: value.detach() for name, value in weights.items()}


def normal_equations(hidden, labelled, targets, laplacian, *, lambda1, c, printed):
    """Return the readout from the paper's equation with a dense N x N matrix in the middle."""
    size = len(hidden)
    hidden_labelled = hidden[labelled]
    if printed:
        system = hidden.T @ (torch.eye(size, dtype=torch.float64) + c * laplacian) @ hidden
    else:
        system = hidden_labelled.T @ hidden_labelled + c * hidden.T @ laplacian @ hidden
    system = system + torch.eye(hidden.shape[1], dtype=torch.float64) / lambda1
    return torch.linalg.inv(system) @ hidden_labelled.T @ targets
