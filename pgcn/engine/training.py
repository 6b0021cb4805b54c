"""Fine-tuning and measuring networks in lanes; each gives the bits it gives alone. See README.md in this folder."""

from collections.abc import Callable, Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import Field
from pgcn.engine.lanes import LaneAdam, LaneParameters, Weights
from pgcn.engine.losses import Objective
from pgcn.engine.networks import LaneNetworks, Tape
from pgcn.engine.threads import on_threads, threads_for, threads_worth


class Training:
    """Fine-tuning of networks in lanes, epoch by epoch.

    The gradient is written out by hand: for networks this small, autograd would take longer than the operations it
    records.
    """

    def __init__(
        self,
        networks: LaneNetworks,
        parameters: LaneParameters,
        objective: Objective,
        field: Field,
        y: Tensor,
        *,
        threads: int | None = None,
    ) -> None:
        self.networks, self.parameters, self.objective = networks, parameters, objective
        self.field, self.y = field, y
        settings = networks.settings
        decay = parameters.spread(settings.weight_decay, only=objective.decayed(parameters.shapes))
        self.optimizer = LaneAdam(parameters, settings.learning_rate, decay)
        self.weights = parameters.named(parameters.flat)  # views, which change with every step
        self.gradient = torch.zeros_like(parameters.flat)
        self._gradient_of = parameters.named(self.gradient)
        self._targets = F.one_hot(y, networks.architecture.num_classes).float()
        self.threads = threads or threads_worth(networks.work(field))

    def epoch(self, *, report: bool) -> Tensor | None:
        """Take one step; return the losses [K] if they are reported: the gradient does not need them."""
        networks, weights, field, settings = self.networks, self.weights, self.field, self.networks.settings
        with on_threads(self.threads):
            tape = Tape()
            hidden = networks.hidden(weights, field, dropout=True, tape=tape)
            outputs = networks.outputs(weights, field, hidden)
            losses = None
            if report:
                losses = self.objective.losses(outputs, self.y, settings.lambda1, weights["output.weight"])
            output_gradient = self.objective.output_gradient(outputs, self._targets, settings.lambda1)
            for name, part in networks.gradients(weights, field, tape, output_gradient):
                self._gradient_of[name].copy_(part)
            ridge = self.objective.readout_gradient(weights["output.weight"])
            if ridge is not None:
                self._gradient_of["output.weight"].add_(ridge)
            self.optimizer.step(self.gradient)
        return losses

    def alone(self, lane: int, state: Tensor) -> "Training":
        """Return the training of one lane by itself on one thread, from its weights and a generator's state."""
        networks, parameters = self.networks.alone(lane, state), self.parameters.alone(lane)
        return Training(networks, parameters, self.objective, self.field, self.y, threads=1)

    def gradient_and_weights(self, lane: int) -> list[Tensor]:
        """Return a lane's gradient and weights."""
        vectors = (self.gradient, self.parameters.flat)
        return [part for vector in vectors for part in self.parameters.lane(lane, vector).values()]


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

    Losses are computed every ``report_every`` epochs and at the last one, and are None otherwise.

    The first epoch is a check: the first and the last lane are also trained alone, on one thread. Where a lane
    alone differs in any bit from the same lane among others, or on several threads, this CPU uses different kernels
    for the two, and the lanes are trained separately.
    """
    together = Training(networks, parameters, objective, field, y)
    separate: list[Training] = []
    for epoch in range(1, epochs + 1):
        report = epoch % report_every == 0 or epoch == epochs
        if epoch == 1 and (networks.num_lanes > 1 or together.threads > 1):
            losses, separate = first_epoch(together)
            yield epoch, losses if report else None
            continue
        if not separate:
            yield epoch, together.epoch(report=report)
            continue
        parts = [lane.epoch(report=report) for lane in separate]
        for number, lane in enumerate(separate):
            parameters.write_lane(number, lane.parameters)
        yield epoch, torch.cat(parts) if report else None


def first_epoch(together: Training) -> tuple[Tensor, list[Training]]:
    """Take the first step; return the losses [K], and the separate lanes if they must be trained that way."""
    states = [generator.get_state() for generator in together.networks.generators]
    last = len(states) - 1
    alone = {lane: together.alone(lane, states[lane]) for lane in (0, last)}
    start = together.parameters.flat.clone()
    losses = together.epoch(report=True)
    agree = all(
        same_bits(
            [losses[lane], *together.gradient_and_weights(lane)],
            [single.epoch(report=True)[0], *single.gradient_and_weights(0)],
        )
        for lane, single in alone.items()
    )
    if agree:
        return losses, []
    together.parameters.flat.copy_(start)
    separate = [together.alone(lane, state) for lane, state in enumerate(states)]
    losses = torch.cat([lane.epoch(report=True) for lane in separate])
    for number, lane in enumerate(separate):
        together.parameters.write_lane(number, lane.parameters)
    return losses, separate


def same_bits(ones: Sequence[Tensor], others: Sequence[Tensor]) -> bool:
    """Return whether float32 tensors are equal to the last bit, NaNs included."""
    return all(
        torch.equal(one.contiguous().view(torch.int32), other.contiguous().view(torch.int32))
        for one, other in zip(ones, others, strict=True)
    )


LanePass = Callable[..., Tensor]
"""A pass over a field: (networks, weights, *inputs) -> [K, ...], where each input is [K, ...] too."""


def evaluated(
    networks: LaneNetworks, parameters: LaneParameters, field: Field, name: str, compute: LanePass, *inputs: Tensor
) -> Tensor:
    """Return what a pass computes for all lanes, each with the bits it gives alone; ``name`` identifies the pass.

    As in :func:`fine_tune` the first and the last lane are also computed alone on one thread, here once for each
    shape and number of threads; where they differ, every lane is computed alone.
    """
    lanes, threads = networks.num_lanes, torch.get_num_threads()
    if lanes == threads == 1:
        return compute(networks, parameters.named(parameters.flat), *inputs)
    key = (name, networks.architecture, lanes, parameters.padded, threads)
    states = [generator.get_state() for generator in networks.generators]

    def alone(lane: int) -> Tensor:
        single, own = networks.alone(lane, states[lane]), parameters.alone(lane)
        with on_threads(1):
            result = compute(single, own.named(own.flat), *(part[lane : lane + 1] for part in inputs))
        networks.generators[lane].set_state(single.generators[0].get_state())
        return result

    if field.agreed.get(key, True):
        result = compute(networks, parameters.named(parameters.flat), *inputs)
        if key not in field.agreed:
            field.agreed[key] = all(same_bits([result[lane]], [alone(lane)[0]]) for lane in {0, lanes - 1})
        if field.agreed[key]:
            return result
    return torch.cat([alone(lane) for lane in range(lanes)])


def measured_outputs(networks: LaneNetworks, parameters: LaneParameters, field: Field) -> Tensor:
    """Return the logits without dropout at the field's nodes, [K, n, C]."""

    def compute(lanes: LaneNetworks, weights: Weights) -> Tensor:
        return lanes.outputs(weights, field, lanes.hidden(weights, field, dropout=False))

    with threads_for(networks.work(field)), torch.no_grad():
        return evaluated(networks, parameters, field, "outputs", compute)
