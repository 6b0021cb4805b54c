"""The forward and backward pass of networks in lanes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import Field
from pgcn.engine.lanes import ACTIVATIONS, BACKWARD, FIRST, LaneDropout, Weights, weight_gradient
from pgcn.engine.sparse import SparseOperator


@dataclass(frozen=True, kw_only=True)
class LaneSettings:
    """The settings that may differ from lane to lane, each [K]."""

    learning_rate: Tensor
    weight_decay: Tensor
    dropout: Tensor
    input_dropout: Tensor
    lambda1: Tensor

    @classmethod
    def of(cls, configs: Sequence, device: torch.device) -> "LaneSettings":
        """Collect the settings of configs; a setting that a config does not have, and so does not use, is 1."""
        columns = {
            name: torch.tensor([getattr(config, name, 1.0) for config in configs], device=device)
            for name in cls.__dataclass_fields__
        }
        return cls(**columns)

    def alone(self, lane: int) -> "LaneSettings":
        """Return the settings of one lane."""
        return LaneSettings(**{name: getattr(self, name)[lane : lane + 1] for name in self.__dataclass_fields__})


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
        self.generators = generators
        self.dropout = LaneDropout(generators, settings.dropout)
        self.input_dropout = LaneDropout(generators, settings.input_dropout)

    @property
    def num_lanes(self) -> int:
        return len(self.generators)

    def alone(self, lane: int, state: Tensor) -> "LaneNetworks":
        """Return one of the networks by itself, its dropout drawn from a generator in the given state."""
        generator = torch.Generator()
        generator.set_state(state)
        return LaneNetworks(self.architecture, self.settings.alone(lane), [generator], self.dropout_scope)

    def hidden(self, weights: Weights, field: Field, *, dropout: bool, tape: "Tape | None" = None) -> Tensor:
        """Return the last hidden layer H = σ(Â … σ(ÂXW₁) … W_l), [K, rows, w_l].

        What :meth:`gradients` needs is recorded on the ``tape``.
        """
        activation = ACTIVATIONS[self.architecture.activation]
        drops_input = dropout and self.input_dropout.active
        input_mask = self.input_dropout.masks([field.input.num_values])[0] if drops_input else None
        kept = None if input_mask is None else field.input.dropped(input_mask)
        widths = self._widths(weights)
        masks = self._masks(field, widths) if dropout and self.dropout.active else []
        hidden = None
        for i, step in enumerate(self._steps(field)):
            inputs, weight = hidden, weights[f"hidden.{i}.weight"]
            if i == 0:
                hidden = field.input.times(weight, kept, width=widths[0])
            else:
                hidden = torch.bmm(inputs, weight)
            if step is not None:
                hidden = step.on_lanes(hidden)
            if self.architecture.bias:
                hidden = hidden + weights[f"hidden.{i}.bias"].unsqueeze(1)
            activated = hidden = activation(hidden)  # [K, rows_i, w_i]
            factor = None
            if i < len(masks):
                factor = masks[i]
                if self.architecture.activation == "relu":
                    # Dropped values are 0 after ReLU, where its slope is 0: the mask itself is not needed again.
                    hidden.mul_(factor)
                    factor = self.dropout.scale
                else:
                    hidden = hidden * factor
            if tape is not None:
                tape.layers.append((inputs, activated, factor))
        if tape is not None:
            tape.input_mask, tape.input, tape.hidden = input_mask, kept, hidden
        return hidden

    def _widths(self, weights: Weights) -> list[int]:
        """Return how many neurons each hidden layer has, padding included."""
        later = [f"hidden.{i}.weight" for i in range(1, len(self.architecture.widths))]
        return [weights[name].shape[1] for name in (*later, "output.weight")]

    def _masks(self, field: Field, widths: Sequence[int]) -> list[Tensor]:
        """Return a dropout mask [K, rows, w] for each hidden layer that has dropout."""
        shapes = list(zip(field.drawn_rows, widths, strict=False))
        if self.dropout_scope == "first_layer":
            shapes = shapes[:1]
        masks = self.dropout.masks([rows * width for rows, width in shapes])
        masks = [mask.view(-1, *shape) for mask, shape in zip(masks, shapes, strict=True)]
        if not field.whole:
            return masks
        return [F.pad(mask, (0, 0, 0, rows - mask.shape[1])) for mask, rows in zip(masks, field.rows, strict=False)]

    def _steps(self, field: Field) -> list[SparseOperator | None]:
        """Return the propagation into each hidden layer; None for the first where its input is ÂX."""
        steps = field.steps if field.raw else (None, *field.steps)
        return list(steps[: len(self.architecture.widths)])

    def outputs(self, weights: Weights, field: Field, hidden: Tensor) -> Tensor:
        """Return the logits HO or ÂHO at the field's nodes, [K, n, C]."""
        outputs = torch.bmm(hidden, weights["output.weight"])
        if self.architecture.propagates_outputs:
            outputs = field.steps[-1].on_lanes(outputs)
        if self.architecture.bias:
            outputs = outputs + weights["output.bias"].unsqueeze(1)
        return outputs[:, : field.count]

    def gradients(
        self, weights: Weights, field: Field, tape: "Tape", output_gradient: Tensor
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the name and gradient of every weight, backwards from the gradient of the outputs [K, n, C]."""
        backward = BACKWARD[self.architecture.activation]
        bias = self.architecture.bias
        rows = field.rows[-1]
        grad = F.pad(output_gradient, (0, 0, 0, rows - output_gradient.shape[1]))
        if bias:
            yield "output.bias", grad.sum(dim=1)
        if self.architecture.propagates_outputs:
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
                yield FIRST, field.input.weight_gradient(grad, tape.input, width=width)
                return
            yield f"hidden.{i}.weight", weight_gradient(inputs, grad)
            grad = torch.bmm(grad, weights[f"hidden.{i}.weight"].transpose(1, 2))

    def work(self, field: Field) -> int:
        """Return about how many multiplications a pass over the field takes."""
        widths = (*self.architecture.widths, self.architecture.num_classes)
        later = sum(rows * i * o for rows, i, o in zip(field.rows, widths, widths[1:], strict=False))
        return self.num_lanes * (field.input.num_values * widths[0] + later)


@dataclass
class Tape:
    """What a forward pass records for the backward pass: each layer's input, activation and dropout factor."""

    layers: list[tuple[Tensor | None, Tensor, Tensor | None]] = dataclass_field(default_factory=list)
    input_mask: Tensor | None = None
    input: Tensor | None = None
    hidden: Tensor | None = None
