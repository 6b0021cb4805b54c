"""Fine-tuning and measuring networks in lanes, so that each gives what it gives alone: see README.md."""

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
    """Networks in lanes on their way through fine-tuning.

    The gradient is written out by hand: for networks this small, recording a graph of operations and walking it
    back would take longer than the operations.
    """

    def __init__(
        self, networks: LaneNetworks, parameters: LaneParameters, objective: Objective, field: Field, y: Tensor,
        *, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.networks, self.parameters, self.objective, self.field, self.y = (
            networks, parameters, objective, field, y,
        )  # fmt: skip
        settings = networks.settings
        decay = parameters.spread(settings.weight_decay, only=objective.decayed(parameters.shapes))
        self.optimizer = LaneAdam(parameters, settings.learning_rate, decay)
        self.weights = parameters.named(parameters.flat)  # views, which follow every step
        self.gradient = torch.zeros_like(parameters.flat)
        self._gradient_of = parameters.named(self.gradient)
        self._targets = F.one_hot(y, networks.architecture.num_classes).float()
        self.threads = threads or threads_worth(networks.work(field))

    def epoch(self, *, report: bool) -> Tensor | None:
        """Take one step; return the losses [K] where they are to be reported: the gradient does not need them."""
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

    def reached(self, lane: int) -> list[Tensor]:
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

    The first epoch is a check: the first and the last lane take it alone, on one thread, as well. Where a lane
    alone differs in any bit from the same lane among the others, or on several threads, this CPU has other kernels
    for the one than for the other, and the lanes are trained one by one.
    """
    together = Training(networks, parameters, objective, field, y)
    one_by_one: list[Training] = []
    for epoch in range(1, epochs + 1):
        report = epoch % report_every == 0 or epoch == epochs
        if epoch == 1 and (networks.num_lanes > 1 or together.threads > 1):
            losses, one_by_one = first_epoch(together)
            yield epoch, losses if report else None
            continue
        if not one_by_one:
            yield epoch, together.epoch(report=report)
            continue
        parts = [lane.epoch(report=report) for lane in one_by_one]
        for number, lane in enumerate(one_by_one):
            parameters.put(number, lane.parameters)
        yield epoch, torch.cat(parts) if report else None


def first_epoch(together: Training) -> tuple[Tensor, list[Training]]:
    """Take the first step; return the losses [K], and the lanes one by one where they must be trained so."""
    states = [generator.get_state() for generator in together.networks.generators]
    last = len(states) - 1
    apart = {lane: together.alone(lane, states[lane]) for lane in (0, last)}
    start = together.parameters.flat.clone()
    losses = together.epoch(report=True)
    agree = all(
        same_bits([losses[lane], *together.reached(lane)], [alone.epoch(report=True)[0], *alone.reached(0)])
        for lane, alone in apart.items()
    )
    if agree:
        return losses, []
    together.parameters.flat.copy_(start)
    one_by_one = [together.alone(lane, state) for lane, state in enumerate(states)]
    losses = torch.cat([lane.epoch(report=True) for lane in one_by_one])
    for number, lane in enumerate(one_by_one):
        together.parameters.put(number, lane.parameters)
    return losses, one_by_one


def same_bits(ones: Sequence[Tensor], others: Sequence[Tensor]) -> bool:
    """Return whether float32 tensors are equal to the last bit, a NaN with a NaN as well."""
    return all(
        torch.equal(one.contiguous().view(torch.int32), other.contiguous().view(torch.int32))
        for one, other in zip(ones, others, strict=True)
    )


Pass = Callable[..., Tensor]
"""A pass over a field: (networks, weights, inputs ...) -> [K, ...], where inputs are [K, ...] too."""


def evaluated(
    networks: LaneNetworks, parameters: LaneParameters, field: Field, name: str, compute: Pass, *inputs: Tensor
) -> Tensor:
    """Return what a pass computes for all lanes, each lane's as it comes out alone; ``name`` tells passes apart.

    As in :func:`fine_tune` the first and the last lane are computed alone on one thread as well, here once for each
    shape and number of threads; where they differ, all are.
    """
    lanes, threads = networks.num_lanes, torch.get_num_threads()
    if lanes == threads == 1:
        return compute(networks, parameters.named(parameters.flat), *inputs)
    key = (name, networks.architecture, lanes, parameters.roomy, threads)
    states = [generator.get_state() for generator in networks.generators]

    def alone(lane: int) -> Tensor:
        single, own = networks.alone(lane, states[lane]), parameters.alone(lane)
        with on_threads(1):
            found = compute(single, own.named(own.flat), *(part[lane : lane + 1] for part in inputs))
        networks.generators[lane].set_state(single.generators[0].get_state())
        return found

    if field.agreed.get(key, True):
        found = compute(networks, parameters.named(parameters.flat), *inputs)
        if key not in field.agreed:
            field.agreed[key] = all(same_bits([found[lane]], [alone(lane)[0]]) for lane in {0, lanes - 1})
        if field.agreed[key]:
            return found
    return torch.cat([alone(lane) for lane in range(lanes)])


def measured_outputs(networks: LaneNetworks, parameters: LaneParameters, field: Field) -> Tensor:
    """Return the outputs without dropout at the field's nodes, [K, n, C]."""

    def compute(these: LaneNetworks, weights: Weights) -> Tensor:
        return these.outputs(weights, field, these.hidden(weights, field, dropout=False))

    with threads_for(networks.work(field)), torch.no_grad():
        return evaluated(networks, parameters, field, "outputs", compute)
