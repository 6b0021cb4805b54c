"""Training one architecture: Adam, cross-entropy of the labelled nodes, the epoch of the lowest validation loss."""

import copy
import math
from collections.abc import Generator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import LaneDropout, Weights
from pgcn.engine.losses import score
from pgcn.engine.projection import projected
from pgcn.engine.threads import on_threads
from pgcn.events import EpochsTrained, Scores
from pgcn.methods.search import SearchConfig
from pgcn.methods.search.fields import SearchField
from pgcn.methods.search.model import ChildNet
from pgcn.methods.search.space import LAYERS


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What training came to, at the epoch of the lowest validation loss; ``weights`` None where it diverged."""

    val_accuracy: float
    val_loss: float
    epoch: int
    weights: Weights | None

    @property
    def rank(self) -> tuple[float, float]:
        """The larger, the better: validation accuracy, and the lowest loss among equals."""
        return self.val_accuracy, -self.val_loss


DIVERGED = Trained(val_accuracy=0.0, val_loss=math.inf, epoch=0, weights=None)


class Training:
    """A graph made ready for training any architecture."""

    def __init__(self, prepared: PreparedGraph, config: SearchConfig) -> None:
        self.prepared, self.config = prepared, config
        self._fields = {name: SearchField.around(prepared, name, LAYERS) for name in ("labelled", "val")}
        self._y = {name: prepared.y[prepared.nodes[name]] for name in self._fields}

    def train(
        self,
        model: ChildNet,
        generator: torch.Generator,
        *,
        epochs: int,
        patience: int | None,
        report_every: int,
    ) -> Generator[EpochsTrained, None, Trained]:
        """Yield losses now and then; return what it came to. The model is left with the weights of the end."""
        config = self.config
        optimizer = torch.optim.Adam(
            model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
        )
        dropout = LaneDropout([generator], torch.tensor([config.dropout], device=self.prepared.device))
        best, waited = DIVERGED, 0
        for epoch in range(1, epochs + 1):
            with on_threads(1):
                outputs = self.outputs(model, self._fields["labelled"], dropout)
                loss = F.cross_entropy(outputs, self._y["labelled"])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                val_loss, val_accuracy = self._measure(model)
            if not math.isfinite(loss.item() + val_loss):
                return DIVERGED
            waited += 1
            if val_loss < best.val_loss:
                weights, waited = copy.deepcopy(model.state_dict()), 0
                best = Trained(val_accuracy=val_accuracy, val_loss=val_loss, epoch=epoch, weights=weights)
            if epoch % report_every == 0 or epoch == epochs or waited == patience:
                yield EpochsTrained(epoch=epoch, epochs=epochs, loss=loss.item(), val_loss=val_loss)
            if waited == patience:
                break
        return best

    @torch.no_grad()
    def _measure(self, model: ChildNet) -> tuple[float, float]:
        outputs, y = self.outputs(model, self._fields["val"]), self._y["val"]
        return F.cross_entropy(outputs, y).item(), (outputs.argmax(dim=1) == y).double().mean().item()

    @torch.no_grad()
    def scores(self, model: ChildNet) -> Scores:
        """Return the scores of a network."""
        with on_threads(1):
            whole = SearchField.whole(self.prepared, LAYERS)
            return score("ce", self.outputs(model, whole).unsqueeze(0), self.prepared)[0]

    def outputs(self, model: ChildNet, field: SearchField, dropout: LaneDropout | None = None) -> Tensor:
        """Return the logits of a field's nodes, [n, C]."""
        first, second = model.stack
        weight, near = first.heads.weight, field.into[0]
        drop = masks(dropout, input=(1, field.features.num_values), **first.dropped(near))
        z = projected(field.features, weight.flatten(1), drop.pop("input"))
        hidden = first(z.view(len(z), *weight.shape[1:]), near, **drop)
        weight, near = second.heads.weight, field.into[1]
        drop = masks(dropout, input=tuple(hidden.shape), **second.dropped(near))
        mask = drop.pop("input")
        z = (hidden if mask is None else hidden * mask) @ weight.flatten(1)
        return second(z.view(len(z), *weight.shape[1:]), near, **drop)


def masks(dropout: LaneDropout | None, **shapes: tuple[int, ...]) -> dict[str, Tensor | None]:
    """Return a dropout mask of every shape, None where nothing is dropped."""
    if dropout is None or not dropout.active:
        return dict.fromkeys(shapes)
    drawn = dropout.masks([math.prod(shape) for shape in shapes.values()])
    return {name: mask.view(shape) for mask, (name, shape) in zip(drawn, shapes.items(), strict=True)}
