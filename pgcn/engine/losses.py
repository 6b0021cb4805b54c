"""The objective of fine-tuning, and the scores of networks, for every lane."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import TALL, PreparedGraph
from pgcn.engine.lanes import FIRST
from pgcn.engine.threads import on_threads
from pgcn.events import Scores


@dataclass(frozen=True, kw_only=True)
class Objective:
    """The objective of fine-tuning, the same for all lanes of a batch."""

    loss: str = "ce"
    mse_objective: str = "mean"
    ridge: bool = False
    weight_decay_scope: str = "all"

    def decayed(self, names: Iterable[str]) -> list[str]:
        """Return the names of the weights that weight decay acts on."""
        return [name for name in names if self.weight_decay_scope == "all" or name == FIRST]

    def losses(self, outputs: Tensor, y: Tensor, lambda1: Tensor, readout: Tensor) -> Tensor:
        """Return each lane's training loss [K] from outputs [K, n, C], classes [n] and readouts [K, w, C].

        All lanes at once: the first epoch of training checks that a lane alone gives the same bits.
        """
        if self.loss == "ce" or self.mse_objective == "mean":
            return node_losses(self.loss, outputs, y).mean(dim=1)
        # J₁ = ½ Tr(OᵀO) + λ₁/2 ‖Y_L − T_L‖²_F
        error = lambda1 / 2 * node_losses("mse", outputs, y).sum(dim=1) * outputs.shape[2]
        return error + readout.square().sum(dim=(1, 2)) / 2 if self.ridge else error

    def output_gradient(self, outputs: Tensor, targets: Tensor, lambda1: Tensor) -> Tensor:
        """Return the gradient of the loss with respect to the outputs, [K, n, C], for target vectors [n, C]."""
        if self.loss == "ce":
            return (class_probabilities(outputs) - targets) / len(targets)
        if self.mse_objective == "mean":
            return (outputs - targets) * (2 / targets.numel())
        return (outputs - targets) * lambda1.view(-1, 1, 1)

    def readout_gradient(self, readout: Tensor) -> Tensor | None:
        """Return the gradient of J₁'s penalty ½ Tr(OᵀO) on the readout, [K, w, C]; None where it has none."""
        return readout if self.loss == "mse" and self.mse_objective == "j1" and self.ridge else None


def class_probabilities(outputs: Tensor) -> Tensor:
    """Return the softmax of logits over classes, [K, n, C]; for many nodes class by class, which is faster."""
    if outputs.shape[1] < TALL:
        return torch.softmax(outputs, dim=2)
    # By hand, because the bits of torch.softmax depend on the number of threads here.
    powers = outputs.transpose(1, 2).contiguous()
    powers.sub_(powers.amax(dim=1, keepdim=True)).exp_()
    return powers.div_(powers.sum(dim=1, keepdim=True)).transpose(1, 2)


def node_losses(loss: str, outputs: Tensor, y: Tensor) -> Tensor:
    """Return each node's cross-entropy, or its squared error averaged over classes: [K, n, C] -> [K, n]."""
    if loss == "ce":
        num_lanes, num_nodes, num_classes = outputs.shape
        flat = outputs.reshape(-1, num_classes)
        y = y.expand(num_lanes, num_nodes).reshape(-1)
        return F.cross_entropy(flat, y, reduction="none").view(num_lanes, num_nodes)
    return (outputs - F.one_hot(y, outputs.shape[2])).square().mean(dim=2)


def lane_sums(values: Tensor) -> Tensor:
    """Return each lane's sum, [K, ...] -> [K]."""
    return lane_by_lane(torch.sum, values)


def lane_means(values: Tensor) -> Tensor:
    """Return each lane's mean, [K, ...] -> [K]."""
    return lane_by_lane(torch.mean, values)


def lane_by_lane(reduce: Callable[[Tensor], Tensor], values: Tensor) -> Tensor:
    """Return every lane reduced to one number, [K].

    Lane by lane and on one thread: the order of a sum depends on the whole shape and on the number of threads.
    """
    if torch.get_num_threads() > 1:
        with on_threads(1):
            return lane_by_lane(reduce, values)
    return reduce(values[0]).view(1) if len(values) == 1 else torch.stack([reduce(lane) for lane in values])


def score(loss: str, outputs: Tensor, prepared: PreparedGraph) -> list[Scores]:
    """Return each lane's scores from the logits of all nodes [K, N, C]."""
    columns = {}
    for name, nodes in prepared.nodes.items():
        logits, y = outputs[:, nodes], prepared.y[nodes]
        columns[f"{name}_accuracy"] = (logits.argmax(dim=2) == y).double().mean(dim=1).tolist()
        columns[f"{name}_loss"] = lane_means(node_losses(loss, logits.double(), y)).tolist()
    return [Scores(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)]
