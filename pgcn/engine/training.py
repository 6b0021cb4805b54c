"""Forward pass, losses, fine-tuning and measuring of networks in lanes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import TALL, Field, PreparedGraph
from pgcn.engine.lanes import (
    ACTIVATIONS,
    BACKWARD,
    FIRST,
    LaneAdam,
    LaneDropout,
    LaneParameters,
    Weights,
    weight_gradient,
)
from pgcn.engine.sparse import SparseOperator
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
        return [name for name in names if self.weight_decay_scope == "all" or name == FIRST]

    def losses(self, outputs: Tensor, y: Tensor, lambda1: Tensor, readout: Tensor) -> Tensor:
        """Return each lane's training loss [K] from outputs [K, n, C], classes [n] and readouts [K, w, C]."""
        if self.loss == "ce" or self.mse_objective == "mean":
            return node_losses(self.loss, outputs, y).mean(dim=1)
        # J₁ = ½ Tr(OᵀO) + λ₁/2 ‖Y_L − T_L‖²_F
        error = lambda1 / 2 * node_losses("mse", outputs, y).sum(dim=1) * outputs.shape[2]
        return error + readout.square().sum(dim=(1, 2)) / 2 if self.ridge else error

    def output_gradient(self, outputs: Tensor, targets: Tensor, lambda1: Tensor) -> Tensor:
        """Return the gradient of the loss by the outputs, [K, n, C], for target vectors [n, C]."""
        if self.loss == "ce":
            return (class_shares(outputs) - targets) / len(targets)
        if self.mse_objective == "mean":
            return (outputs - targets) * (2 / targets.numel())
        return (outputs - targets) * lambda1.view(-1, 1, 1)

    def readout_gradient(self, readout: Tensor) -> Tensor | None:
        """Return what the loss adds to the gradient of the readout by itself, [K, w, C]."""
        return readout if self.loss == "mse" and self.mse_objective == "j1" and self.ridge else None


def class_shares(outputs: Tensor) -> Tensor:
    """Return the softmax of outputs over classes, [K, n, C]; of many nodes class by class, which is faster."""
    if outputs.shape[1] < TALL:
        return torch.softmax(outputs, dim=2)
    shares = outputs.transpose(1, 2).contiguous()
    shares.sub_(shares.amax(dim=1, keepdim=True)).exp_()  # torch.softmax depends on the number of threads here
    return shares.div_(shares.sum(dim=1, keepdim=True)).transpose(1, 2)


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

    def hidden(self, weights: Weights, field: Field, *, dropout: bool, tape: "Tape | None" = None) -> Tensor:
        """Return the last hidden layer H = σ(Â … σ(ÂXW₁) … W_l), [K, rows, w_l].

        A ``tape`` is given what :meth:`gradients` will need.
        """
        activation = ACTIVATIONS[self.architecture.activation]
        drops_input = dropout and self.input_dropout.active
        input_mask = self.input_dropout.masks([field.input.num_values])[0] if drops_input else None
        widths = self._widths(weights)
        masks = self._masks(field, widths) if dropout and self.dropout.active else []
        hidden = None
        for i, step in enumerate(self._steps(field)):
            inputs, weight = hidden, weights[f"hidden.{i}.weight"]
            if i == 0:
                hidden = field.input.times(weight, input_mask, width=widths[0])
            else:
                hidden = torch.bmm(inputs, weight)
            if step is not None:
                hidden = step.on_lanes(hidden)
            if self.architecture.bias:
                hidden = hidden + weights[f"hidden.{i}.bias"].unsqueeze(1)
            activated = hidden = activation(hidden)  # [K, rows_i, w_i]
            factor = None
            if i < len(masks):
                factor = masks[i].view(hidden.shape)
                if self.architecture.activation == "relu":
                    # Where ReLU's output is 0 its slope is 0: what is dropped need not be remembered once more.
                    hidden.mul_(factor)
                    factor = self.dropout.scale
                else:
                    hidden = hidden * factor
            if tape is not None:
                tape.layers.append((inputs, activated, factor))
        if tape is not None:
            tape.input_mask, tape.hidden = input_mask, hidden
        return hidden

    def _widths(self, weights: Weights) -> list[int]:
        """Return how many neurons each hidden layer has, with those it only has room for."""
        above = [f"hidden.{i}.weight" for i in range(1, len(self.architecture.widths))]
        return [weights[name].shape[1] for name in (*above, "output.weight")]

    def _masks(self, field: Field, widths: Sequence[int]) -> list[Tensor]:
        """Return a dropout mask for each hidden layer that has dropout."""
        sizes = [rows * width for rows, width in zip(field.rows, widths, strict=False)]
        return self.dropout.masks(sizes if self.dropout_scope == "all" else sizes[:1])

    def _steps(self, field: Field) -> list[SparseOperator | None]:
        """Return the propagation into each hidden layer; None for the first where its input has been propagated."""
        steps = field.steps if field.raw else (None, *field.steps)
        return list(steps[: len(self.architecture.widths)])

    def outputs(self, weights: Weights, field: Field, hidden: Tensor) -> Tensor:
        """Return the outputs before any softmax, HO or ÂHO, at the field's nodes: [K, n, C]."""
        outputs = torch.bmm(hidden, weights["output.weight"])
        if self.architecture.readout == "graph":
            outputs = field.steps[-1].on_lanes(outputs)
        if self.architecture.bias:
            outputs = outputs + weights["output.bias"].unsqueeze(1)
        return outputs[:, : field.count]

    def gradients(
        self, weights: Weights, field: Field, tape: "Tape", output_gradient: Tensor
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the name and gradient of every weight, from the gradient of the outputs [K, n, C] backwards."""
        backward = BACKWARD[self.architecture.activation]
        bias, graph_readout = self.architecture.bias, self.architecture.readout == "graph"
        rows = field.rows[-1]
        grad = F.pad(output_gradient, (0, 0, 0, rows - output_gradient.shape[1]))
        if bias:
            yield "output.bias", grad.sum(dim=1)
        if graph_readout:
            grad = field.steps[-1].transpose_on_lanes(grad)
        yield "output.weight", weight_gradient(tape.hidden, grad)
        grad = torch.bmm(grad, weights["output.weight"].transpose(1, 2))
        steps = self._steps(field)
        for i in reversed(range(len(steps))):
            inputs, activated, factor = tape.layers[i]
            if factor is not None:
                grad.mul_(factor)
            grad = backward(grad, activated)
            if bias:
                yield f"hidden.{i}.bias", grad.sum(dim=1)
            if steps[i] is not None:
                grad = steps[i].transpose_on_lanes(grad)
            if i == 0:
                width = weights[FIRST].shape[2]
                yield FIRST, field.input.weight_gradient(grad, tape.input_mask, width=width)
                return
            yield f"hidden.{i}.weight", weight_gradient(inputs, grad)
            grad = torch.bmm(grad, weights[f"hidden.{i}.weight"].transpose(1, 2))

    def work(self, field: Field) -> int:
        """Return about how many products of numbers a pass over the field takes."""
        widths = (*self.architecture.widths, self.architecture.num_classes)
        above = sum(rows * i * o for rows, i, o in zip(field.rows, widths, widths[1:], strict=False))
        return len(self.settings.dropout) * (field.input.num_values * widths[0] + above)


@dataclass
class Tape:
    """What a forward pass leaves for the way back: each layer's input, activation, and dropout's factor."""

    layers: list[tuple[Tensor | None, Tensor, Tensor | None]] = dataclass_field(default_factory=list)
    input_mask: Tensor | None = None
    hidden: Tensor | None = None


@torch.inference_mode()
def fine_tune(
    networks: LaneNetworks,
    parameters: LaneParameters,
    objective: Objective,
    field: Field,
    y: Tensor,
    epochs: int,
    *,
    report_every: int = 1,
) -> Iterator[tuple[int, Tensor | None]]:
    """Train all weights of all lanes on the field's nodes; yield (epoch, losses [K]) after every epoch.

    Losses are computed every ``report_every`` epochs and at the last one, and are None otherwise: the gradient
    does not need them.

    The gradient is written out by hand: for networks this small, recording a graph of operations and walking it
    back would take longer than the operations.
    """
    settings = networks.settings
    decay = parameters.spread(settings.weight_decay, only=objective.decayed(parameters.shapes))
    optimizer = LaneAdam(parameters, settings.learning_rate, decay)
    weights = parameters.named(parameters.flat)  # views, which follow every step
    gradient = torch.zeros_like(parameters.flat)
    gradient_of = parameters.named(gradient)
    targets = F.one_hot(y, networks.architecture.num_classes).float()
    work = networks.work(field)
    for epoch in range(1, epochs + 1):
        with threads_for(work):
            tape = Tape()
            hidden = networks.hidden(weights, field, dropout=True, tape=tape)
            outputs = networks.outputs(weights, field, hidden)
            losses = None
            if epoch % report_every == 0 or epoch == epochs:
                losses = objective.losses(outputs, y, settings.lambda1, weights["output.weight"])
            output_gradient = objective.output_gradient(outputs, targets, settings.lambda1)
            for name, part in networks.gradients(weights, field, tape, output_gradient):
                gradient_of[name].copy_(part)
            ridge = objective.readout_gradient(weights["output.weight"])
            if ridge is not None:
                gradient_of["output.weight"].add_(ridge)
            optimizer.step(gradient)
        yield epoch, losses


def score(loss: str, outputs: Tensor, prepared: PreparedGraph) -> list[Scores]:
    """Return each lane's scores from the outputs of all nodes [K, N, C]."""
    columns = {}
    for name, nodes in prepared.nodes.items():
        there, y = outputs[:, nodes], prepared.y[nodes]
        columns[f"{name}_accuracy"] = (there.argmax(dim=2) == y).double().mean(dim=1).tolist()
        columns[f"{name}_loss"] = node_losses(loss, there.double(), y).mean(dim=1).tolist()
    return [Scores(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)]
