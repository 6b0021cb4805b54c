"""The plain PyG twin of each method: its network on the whole graph, as one would write it with PyG's layers.

Where a layer of PyG does what the original did it is used (GCNConv, SGConv, APPNP). Where it does not, the twin is
a MessagePassing with the same dropouts: PyG's GATConv drops neither z nor the inputs of every head by itself, and
N-GCN has no layer there. ``GATConvTwin`` is GAT as PyG's users write it all the same: less work, another network.
"""

import itertools
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.nn import APPNP, GATConv, GCNConv, MessagePassing, SGConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import add_remaining_self_loops, softmax

from pgcn.config import RunConfig
from pgcn.graph import Graph


class Twin(nn.Module):
    """A network whose ``forward`` returns logits [N, C], and what the loss needs beside them."""

    def __init__(self, graph: Graph, config: RunConfig) -> None:
        super().__init__()
        self.config = config
        self.edges = graph.to_pyg().edge_index
        self.build(graph.num_features, graph.num_classes, config)

    def build(self, features: int, classes: int, config) -> None:
        raise NotImplementedError

    def groups(self) -> list[dict]:
        """Return the parameters with their weight decay, as torch's Adam takes them."""
        return [{"params": list(self.parameters()), "weight_decay": self.config.weight_decay}]

    def loss(self, x: Tensor, mask: Tensor, y: Tensor) -> Tensor:
        """Return the loss of the masked nodes of classes y [n]."""
        return F.cross_entropy(self(x)[mask], y)

    def dropped(self, values: Tensor, rate: float) -> Tensor:
        return F.dropout(values, rate, self.training)


class GCNTwin(Twin):
    """Two GCNConv without bias, dropout before each; weight decay on the first."""

    def build(self, features: int, classes: int, config) -> None:
        widths = (features, *config.hidden, classes)
        self.layers = nn.ModuleList(self.layer(*pair, bias=config.bias) for pair in itertools.pairwise(widths))

    def layer(self, fan_in: int, fan_out: int, bias: bool) -> nn.Module:
        return GCNConv(fan_in, fan_out, bias=bias, cached=True)

    def through(self, layer: nn.Module, x: Tensor) -> Tensor:
        return layer(x, self.edges)

    def groups(self) -> list[dict]:
        first, *others = (list(layer.parameters()) for layer in self.layers)
        rest = [parameter for layer in others for parameter in layer]
        return [{"params": first, "weight_decay": self.config.weight_decay}, {"params": rest}]

    def forward(self, x: Tensor) -> Tensor:
        x = self.dropped(x, self.config.input_dropout)
        for layer in self.layers[:-1]:
            x = self.dropped(torch.relu(self.through(layer, x)), self.config.dropout)
        return self.through(self.layers[-1], x)


class MLPTwin(GCNTwin):
    """The same with linear layers."""

    def layer(self, fan_in: int, fan_out: int, bias: bool) -> nn.Module:
        return nn.Linear(fan_in, fan_out, bias=bias)

    def through(self, layer: nn.Module, x: Tensor) -> Tensor:
        return layer(x)


class SGCTwin(Twin):
    """One SGConv whose ÂᴷX is cached."""

    def build(self, features: int, classes: int, config) -> None:
        self.layer = SGConv(features, classes, K=config.hops, cached=True, bias=config.bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x, self.edges)


class APPNPTwin(Twin):
    """Two linear layers, then APPNP, which drops edges anew at every step; weight decay on the first."""

    def build(self, features: int, classes: int, config) -> None:
        self.hidden = nn.Linear(features, config.hidden, bias=False)
        self.output = nn.Linear(config.hidden, classes, bias=False)
        self.propagation = APPNP(config.hops, config.alpha, config.edge_dropout, cached=True)

    def groups(self) -> list[dict]:
        decayed = {"params": [self.hidden.weight], "weight_decay": self.config.weight_decay}
        return [decayed, {"params": [self.output.weight]}]

    def forward(self, x: Tensor) -> Tensor:
        hidden = torch.relu(self.hidden(self.dropped(x, self.config.dropout)))
        return self.propagation(self.output(self.dropped(hidden, self.config.dropout)), self.edges)


class Heads(MessagePassing):
    """Attention heads as in the authors' code: dropout on each head's input, on α and on z."""

    def __init__(self, fan_in: int, heads: int, width: int, config) -> None:
        super().__init__(aggr="add", node_dim=0)
        self.config = config
        self.projections = nn.ModuleList(nn.Linear(fan_in, width, bias=False) for _ in range(heads))
        self.score_target, self.score_source = (
            nn.Parameter(nn.init.xavier_uniform_(torch.empty(heads, width))) for _ in range(2)
        )
        self.score_bias = nn.Parameter(torch.zeros(2, heads))
        self.bias = nn.Parameter(torch.zeros(heads, width))

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        rate = self.config.dropout
        heads = [project(F.dropout(x, rate, self.training)) for project in self.projections]
        z = torch.stack(heads, dim=1)  # [N, K, F]
        to = (z * self.score_target).sum(dim=2) + self.score_bias[0]
        come_from = (z * self.score_source).sum(dim=2) + self.score_bias[1]
        attention = self.edge_updater(edge_index, score=(come_from, to))
        return self.propagate(edge_index, z=F.dropout(z, rate, self.training), attention=attention) + self.bias

    def edge_update(self, score_j: Tensor, score_i: Tensor, index: Tensor, dim_size: int) -> Tensor:
        attention = softmax(F.leaky_relu(score_j + score_i, 0.2), index, num_nodes=dim_size)
        return F.dropout(attention, self.config.attention_dropout, self.training)

    def message(self, z_j: Tensor, attention: Tensor) -> Tensor:
        return attention.unsqueeze(-1) * z_j


class GATTwin(Twin):
    """Two layers of such heads."""

    def build(self, features: int, classes: int, config) -> None:
        self.edges, _ = add_remaining_self_loops(self.edges)
        self.hidden = Heads(features, config.heads, config.hidden, config)
        self.output = Heads(config.heads * config.hidden, config.output_heads, classes, config)

    def forward(self, x: Tensor) -> Tensor:
        hidden = F.elu(self.hidden(x, self.edges)).flatten(1)
        return self.output(hidden, self.edges).mean(dim=1)


class GATConvTwin(Twin):
    """Two GATConv with one dropout of the input for all heads, and none of z."""

    def build(self, features: int, classes: int, config) -> None:
        rate, width = config.attention_dropout, config.heads * config.hidden
        self.hidden = GATConv(features, config.hidden, config.heads, dropout=rate)
        self.output = GATConv(width, classes, config.output_heads, concat=False, dropout=rate)

    def forward(self, x: Tensor) -> Tensor:
        hidden = F.elu(self.hidden(self.dropped(x, self.config.dropout), self.edges))
        return self.output(self.dropped(hidden, self.config.dropout), self.edges)


class PowerConv(MessagePassing):
    """Âᵖ X W + b, W first: propagating few columns is cheaper."""

    def __init__(self, fan_in: int, fan_out: int, power: int) -> None:
        super().__init__(aggr="add")
        self.power, self.weight = power, nn.Linear(fan_in, fan_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(fan_out))

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor) -> Tensor:
        x = self.weight(x)
        for _ in range(self.power):
            x = self.propagate(edge_index, x=x, edge_weight=edge_weight)
        return x + self.bias

    def message(self, x_j: Tensor, edge_weight: Tensor) -> Tensor:
        return edge_weight.view(-1, 1) * x_j


class NGCNTwin(Twin):
    """Towers of two such layers, one after the other, and their weighted sum or a layer on all of them."""

    def build(self, features: int, classes: int, config) -> None:
        self.propagation = gcn_norm(self.edges, num_nodes=int(self.edges.max()) + 1)
        powers = [power for power in config.powers for _ in range(config.replicas)]
        self.hidden = nn.ModuleList(PowerConv(features, config.hidden, power) for power in powers)
        self.output = nn.ModuleList(PowerConv(config.hidden, classes, power) for power in powers)
        weighted = config.output == "wsum"
        self.mixture = nn.Parameter(torch.zeros(len(powers))) if weighted else None
        self.classifier = None if weighted else nn.Linear(len(powers) * classes, classes, bias=False)

    def towers(self, x: Tensor) -> Tensor:
        """Return the logits of every tower, [N, T, C]."""
        x, outputs = self.dropped(x, self.config.input_dropout), []
        for first, second in zip(self.hidden, self.output, strict=True):
            hidden = self.dropped(torch.relu(first(x, *self.propagation)), self.config.dropout)
            outputs.append(second(hidden, *self.propagation))
        return torch.stack(outputs, dim=1)

    def combined(self, towers: Tensor) -> Tensor:
        if self.classifier is not None:
            return self.classifier(towers.flatten(1))
        return torch.einsum("ntc,t->nc", towers, torch.softmax(self.mixture, dim=0))

    def forward(self, x: Tensor) -> Tensor:
        return self.combined(self.towers(x))

    def loss(self, x: Tensor, mask: Tensor, y: Tensor) -> Tensor:
        towers = self.towers(x)[mask]
        loss = F.cross_entropy(self.combined(towers), y)
        if self.config.tower_loss:
            loss = loss + sum(F.cross_entropy(tower, y) for tower in towers.unbind(dim=1))
        return loss


TWINS: dict[str, tuple[Callable[[Graph, RunConfig], Twin], ...]] = {
    "gcn": (GCNTwin,),
    "sgc": (SGCTwin,),
    "gat": (GATTwin, GATConvTwin),
    "ngcn": (NGCNTwin,),
    "appnp": (APPNPTwin,),
    "mlp": (MLPTwin,),
}
"""The twins of each method, that of the same dropouts first."""
