"""Forward pass, losses, fine-tuning and measuring of networks in lanes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import Field, PreparedGraph
from pgcn.engine.lanes import ACTIVATIONS, LaneAdam, LaneDropout, LaneParameters, Weights, lane_matmul
from pgcn.engine.threads import threads_for
from pgcn.events import Scores
from pgcn.topology import Architecture


@dataclass(frozen=True, kw_only=True)
class LaneSettings:
    """What may differ from lane to lane, each [K]."""

    learning_rate: Tensor
    weight_decay: Tensor
    dropout: Tensor
    input_dropout: Tensor
    lambda1: Tensor

    @classmethod
    def of(cls, configs: Sequence, device: torch.device) -> "LaneSettings":
        """Collect the settings of configs; those that a config does not have are 1 (it does not use them)."""
        columns = {
            name: torch.tensor([getattr(config, name, 1.0) for config in configs], device=device)
            for name in cls.__dataclass_fields__
        }
        return cls(**columns)


@dataclass(frozen=True, kw_only=True)
class Objective:
    """What fine-tuning minimises, the same for all lanes of a batch."""

    loss: str = "ce"
    mse_objective: str = "mean"
    ridge: bool = False
    weight_decay_scope: str = "all"

    def decayed(self, names: Iterable[str]) -> list[str]:
        """Return the names of the weights that weight decay pulls on."""
        return [name for name in names if self.weight_decay_scope == "all" or name == "hidden.0.weight"]

    def losses(self, outputs: Tensor, y: Tensor, lambda1: Tensor, readout: Tensor) -> Tensor:
        """Return each lane's training loss [K] from outputs [K, n, C], classes [n] and readouts [K, w, C]."""
        if self.loss == "ce" or self.mse_objective == "mean":
            return node_losses(self.loss, outputs, y).mean(dim=1)
        # J₁ = ½ Tr(OᵀO) + λ₁/2 ‖Y_L − T_L‖²_F
        error = lambda1 / 2 * node_losses("mse", outputs, y).sum(dim=1) * outputs.shape[2]
        return error + readout.square().sum(dim=(1, 2)) / 2 if self.ridge else error


def node_losses(loss: str, outputs: Tensor, y: Tensor) -> Tensor:
    """Return each node's cross-entropy, or its squared error averaged over classes: [K, n, C] -> [K, n]."""
    if loss == "ce":
        num_lanes, num_nodes, num_classes = outputs.shape
        flat = outputs.reshape(-1, num_classes)
        y = y.expand(num_lanes, num_nodes).reshape(-1)
        return F.cross_entropy(flat, y, reduction="none").view(num_lanes, num_nodes)
    return (outputs - F.one_hot(y, outputs.shape[2])).square().mean(dim=2)


class LaneNetworks:
    """K networks of one architecture with their dropout."""

    def __init__(
        self,
        architecture: Architecture,
        settings: LaneSettings,
        generators: Sequence[torch.Generator],
        dropout_scope: str = "all",
    ) -> None:
        self.architecture, self.settings, self.dropout_scope = architecture, settings, dropout_scope
        self.dropout = LaneDropout(generators, settings.dropout)
        self.input_dropout = LaneDropout(generators, settings.input_dropout)

    def hidden(self, weights: Weights, field: Field, *, dropout: bool) -> Tensor:
        """Return the last hidden layer H = σ(Â … σ(ÂXW₁) … W_l), [K, rows, w_l]."""
        activation = ACTIVATIONS[self.architecture.activation]
        drops_input = dropout and self.input_dropout.active
        mask = self.input_dropout.mask(field.input.num_values) if drops_input else None
        hidden = field.input.times(weights["hidden.0.weight"], mask)
        steps = iter(field.steps)
        if field.raw:
            hidden = next(steps).on_lanes(hidden)
        for i in range(len(self.architecture.widths)):
            if i > 0:
                hidden = next(steps).on_lanes(lane_matmul(hidden, weights[f"hidden.{i}.weight"]))
            if self.architecture.bias:
                hidden = hidden + weights[f"hidden.{i}.bias"].unsqueeze(1)
            hidden = activation(hidden)  # [K, rows_i, w_i]
            if dropout and self.dropout.active and (i == 0 or self.dropout_scope == "all"):
                hidden = hidden * self.dropout.mask(hidden[0].numel()).view(hidden.shape)
        return hidden

    def outputs(self, weights: Weights, field: Field, hidden: Tensor) -> Tensor:
        """Return the outputs before any softmax, HO or ÂHO, at the field's nodes: [K, n, C]."""
        outputs = lane_matmul(hidden, weights["output.weight"])
        if self.architecture.readout == "graph":
            outputs = field.steps[-1].on_lanes(outputs)
        if self.architecture.bias:
            outputs = outputs + weights["output.bias"].unsqueeze(1)
        return outputs[:, : field.count]

    def work(self, field: Field) -> int:
        """Return about how many products of numbers a pass over the field takes."""
        widths = (*self.architecture.widths, self.architecture.num_classes)
        above = sum(rows * i * o for rows, i, o in zip(field.rows, widths, widths[1:], strict=False))
        return len(self.settings.dropout) * (field.input.num_values * widths[0] + above)


def fine_tune(
    networks: LaneNetworks, parameters: LaneParameters, objective: Objective, field: Field, y: Tensor, epochs: int
) -> Iterator[tuple[int, Tensor]]:
    """Train all weights of all lanes on the field's nodes; yield (epoch, losses [K]) after every epoch."""
    settings = networks.settings
    decay = parameters.spread(settings.weight_decay, only=objective.decayed(parameters.shapes))
    optimizer = LaneAdam(parameters, settings.learning_rate, decay)
    work = networks.work(field)
    each_lane = torch.ones_like(settings.learning_rate)
    for epoch in range(1, epochs + 1):
        with threads_for(work), torch.enable_grad():
            weights = parameters.named(optimizer.weights)
            hidden = networks.hidden(weights, field, dropout=True)
            outputs = networks.outputs(weights, field, hidden)
            losses = objective.losses(outputs, y, settings.lambda1, weights["output.weight"])
            (gradient,) = torch.autograd.grad(losses, optimizer.weights, each_lane)
            optimizer.step(gradient)
        yield epoch, losses.detach()


def score(loss: str, outputs: Tensor, prepared: PreparedGraph) -> list[Scores]:
    """Return each lane's scores from the outputs of all nodes [K, N, C]."""
    columns = {}
    for name, nodes in prepared.nodes.items():
        there, y = outputs[:, nodes], prepared.y[nodes]
        columns[f"{name}_accuracy"] = (there.argmax(dim=2) == y).double().mean(dim=1).tolist()
        columns[f"{name}_loss"] = node_losses(loss, there.double(), y).mean(dim=1).tolist()
    return [
        Scores(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)
    ]
