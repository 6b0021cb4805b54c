"""Slow, obvious twins of the fast code: dense matrices, the whole graph, one network at a time."""

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
    elif architecture.readout == "pagerank":
        outputs = dense_pagerank(propagation, architecture.teleport) @ outputs
    if architecture.bias:
        outputs = outputs + weights["output.bias"]
    return hidden, outputs


def dense_pagerank(propagation, teleport, steps=10):
    """Return Π = α Σ_{t<K} (1−α)^t Â^t + (1−α)^K Â^K, term by term."""
    powers = [torch.linalg.matrix_power((1 - teleport) * propagation, t) for t in range(steps + 1)]
    return teleport * sum(powers[:-1]) + powers[-1]


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


def dense_gat(weights, features, neighbours, masks=None):
    """Return the logits of all nodes by N x N attention matrices, head by head; masks as in dense_gat_masks."""

    def head(name, k, inputs):
        drop = masks[name, k] if masks else {"input": 1.0, "attention": 1.0, "z": 1.0}
        z = (inputs * drop["input"]) @ weights[f"{name}.weight"][:, k]
        to = z @ weights[f"{name}.score_target"][k] + weights[f"{name}.score_bias"][0, k]
        come_from = z @ weights[f"{name}.score_source"][k] + weights[f"{name}.score_bias"][1, k]
        scores = F.leaky_relu(to[:, None] + come_from[None, :], 0.2)
        attention = torch.softmax(scores.masked_fill(~neighbours, -torch.inf), dim=1)
        return (attention * drop["attention"]) @ (z * drop["z"]) + weights[f"{name}.bias"][k]

    heads, output_heads = (weights[f"{name}.weight"].shape[1] for name in ("hidden", "output"))
    hidden = torch.cat([F.elu(head("hidden", k, features)) for k in range(heads)], dim=1)
    return sum(head("output", k, hidden) for k in range(output_heads)) / output_heads


def dense_gat_training(graph, weights, *, epochs, learning_rate, weight_decay):
    """Train on the whole graph in float64 without dropout; yield (loss, val_loss, weights) after every epoch."""
    neighbours, features = dense_adjacency(graph) > 0, graph.x.double()
    weights = {name: value.double().clone().requires_grad_() for name, value in weights.items()}
    adam = torch.optim.Adam(weights.values(), lr=learning_rate)
    for _ in range(epochs):
        loss = F.cross_entropy(
            dense_gat(weights, features, neighbours)[graph.train_mask], graph.y[graph.train_mask]
        )
        penalty = weight_decay / 2 * sum(value.square().sum() for value in weights.values())
        adam.zero_grad()
        (loss + penalty).backward()
        adam.step()
        with torch.no_grad():
            outputs = dense_gat(weights, features, neighbours)
            val_loss = F.cross_entropy(outputs[graph.val_mask], graph.y[graph.val_mask])
        yield loss.item(), val_loss.item(), {name: value.detach().clone() for name, value in weights.items()}


def dense_appnp(weights, features, propagation, *, hops, alpha):
    """Return the logits of all nodes by power steps with a dense matrix."""
    outputs = predicted = torch.relu(features @ weights["hidden"]) @ weights["output"]
    for _ in range(hops):
        outputs = (1 - alpha) * propagation @ outputs + alpha * predicted
    return outputs


def dense_towers(weights, features, propagation, *, powers, replicas):
    """Return the logits of all nodes and towers of N-GCN, [N, T, C], tower by tower, with dense powers."""
    towers = []
    for power in powers:
        powered = torch.linalg.matrix_power(propagation, power)
        for _ in range(replicas):
            t = len(towers)
            hidden = torch.relu(powered @ features @ weights["hidden"][:, t] + weights["hidden_bias"][t])
            towers.append(powered @ hidden @ weights["output"][t] + weights["output_bias"][t])
    return torch.stack(towers, dim=1)


def dense_fitting(graph, weights, outputs, *, epochs, learning_rate, weight_decay, decayed, more_loss=None):
    """Train on the whole graph in float64 without dropout; yield (loss, val_loss, weights) after every epoch.

    ``outputs(weights)`` returns the logits of all nodes; ``more_loss(weights)`` is added to the cross-entropy.
    """
    weights = {name: value.detach().double().clone().requires_grad_() for name, value in weights.items()}
    adam = torch.optim.Adam(weights.values(), lr=learning_rate)
    for _ in range(epochs):
        loss = F.cross_entropy(outputs(weights)[graph.train_mask], graph.y[graph.train_mask])
        loss = loss + more_loss(weights) if more_loss else loss
        penalty = weight_decay / 2 * sum(weights[name].square().sum() for name in decayed)
        adam.zero_grad()
        (loss + penalty).backward()
        adam.step()
        with torch.no_grad():
            val_loss = F.cross_entropy(outputs(weights)[graph.val_mask], graph.y[graph.val_mask])
        yield loss.item(), val_loss.item(), {name: value.detach().clone() for name, value in weights.items()}
