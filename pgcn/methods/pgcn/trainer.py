"""Turns candidates into outcomes: initialise, solve the readout, fine-tune, measure; many candidates at once."""

import math
from collections.abc import Generator, Sequence

import torch
from torch import Tensor

from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import Field, PreparedGraph
from pgcn.engine.lanes import LaneParameters, Weights, glorot_limit, mixed_seed, uniform
from pgcn.engine.losses import Objective, score
from pgcn.engine.networks import LaneNetworks, LaneSettings
from pgcn.engine.stopwatch import Stopwatch
from pgcn.engine.threads import on_threads, threads_for
from pgcn.engine.training import evaluated, fine_tune, measured_outputs
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.readout import regression_error, solve_readout
from pgcn.methods.pgcn.rule import Candidate, Outcome

LANE_SETTINGS = (
    "seed", "dropout", "input_dropout", "lambda1", "lambda2", "learning_rate", "weight_decay", "perturbation",
    "perturbation_seed",
)  # fmt: skip
_SHARED = {name: getattr(GrowthConfig(), name) for name in LANE_SETTINGS}


def batch_key(config: GrowthConfig, candidate: Candidate) -> tuple:
    """Return what two candidates must have in common to be trained in one batch."""
    shared = config.change(**_SHARED)
    return candidate.widths, candidate.layer, config.input_dropout > 0, shared


def architecture_of(
    config: GrowthConfig, num_features: int, widths: tuple[int, ...], num_classes: int
) -> Architecture:
    """Return the network a config grows, at given widths."""
    return Architecture(
        num_features=num_features,
        widths=widths,
        num_classes=num_classes,
        activation=config.activation,
        readout=config.readout,
        bias=config.bias,
    )


def initial_weights(
    config: GrowthConfig, architecture: Architecture, candidate: Candidate, generator: torch.Generator
) -> Weights:
    """Return the weights a candidate starts from; the readout's weight is left at zero, to be solved.

    Eq. 13: only the new block's columns are random, trained ones keep their values (``carry_over`` may keep
    fewer).
    """

    place = (candidate.layer, candidate.block, "perturbation", config.perturbation_seed)
    changes = torch.Generator().manual_seed(mixed_seed(config.seed, *place))

    def fresh(shape: tuple[int, ...], layer_width: int) -> Tensor:
        if config.init == "layer_width":
            drawn = uniform(shape, 1 / math.sqrt(layer_width), generator)
        else:
            drawn = uniform(shape, glorot_limit(*shape), generator) if len(shape) == 2 else torch.zeros(shape)
        return drawn * (1 + uniform(shape, config.perturbation, changes)) if config.perturbation else drawn

    weights: Weights = {}
    for name, shape in architecture.parameter_shapes().items():
        old = (candidate.base or {}).get(name)
        kept = config.carry_over == "all" or name == "hidden.0.weight"
        if name == "output.weight":
            weights[name] = torch.zeros(shape)
        elif old is None or not kept or name == "output.bias":
            weights[name] = fresh(shape, shape[-1])
        elif old.shape == shape:
            weights[name] = old.cpu().clone()
        else:
            new_columns = (*shape[:-1], shape[-1] - old.shape[-1])
            weights[name] = torch.cat([old.cpu(), fresh(new_columns, shape[-1])], dim=-1)
    return weights


def hidden_values(networks: LaneNetworks, parameters: LaneParameters, field: Field, *, dropout: bool) -> Tensor:
    """Return the last hidden layer at all rows of a field, [K, rows, w]."""

    def compute(these: LaneNetworks, weights: Weights) -> Tensor:
        return these.hidden(weights, field, dropout=dropout)

    return evaluated(networks, parameters, field, f"hidden, dropout {dropout}", compute)


def train_candidates(
    prepared: PreparedGraph,
    configs: Sequence[GrowthConfig],
    candidates: Sequence[Candidate],
    *,
    report_every: int = 1,
) -> Generator[tuple[int, Tensor | None], None, list[Outcome]]:
    """Train candidates of one :func:`batch_key` as lanes; yield (epoch, losses [K]); return their outcomes.

    The losses are None but every ``report_every`` epochs and at the last one.
    """
    clock = Stopwatch()
    graph, device, config = prepared.graph, prepared.device, configs[0]
    architecture = architecture_of(config, graph.num_features, candidates[0].widths, graph.num_classes)
    # A step draws from its own generator, so it can be repeated, or resumed after, without the steps before it.
    generators = [
        torch.Generator().manual_seed(mixed_seed(lane.seed, candidate.layer, candidate.block))
        for lane, candidate in zip(configs, candidates, strict=True)
    ]
    starts = [
        initial_weights(lane, architecture, candidate, generator)
        for lane, candidate, generator in zip(configs, candidates, generators, strict=True)
    ]
    raw = False if any(lane.input_dropout for lane in configs) else None  # Input dropout acts on ÂX.
    field = prepared.field("labelled", architecture.hops, raw=raw)
    parameters = LaneParameters(architecture, starts, device, roomy=field.tall)
    networks = LaneNetworks(architecture, LaneSettings.of(configs, device), generators, config.dropout_scope)
    targets = prepared.target_vectors("labelled")
    labelled = prepared.nodes["labelled"]
    whole = prepared.whole(architecture.hops)

    def errors(outputs: Tensor, weights: Weights) -> list[float]:
        there = outputs[:, labelled]
        readouts = weights["output.weight"]
        with on_threads(1):
            return [
                regression_error(lane, targets, readout, lane_config.lambda1)
                for lane, readout, lane_config in zip(there, readouts, configs, strict=True)
            ]

    with threads_for(networks.work(whole)), torch.no_grad():
        weights = parameters.named(parameters.flat)
        hidden = hidden_values(networks, parameters, whole, dropout=config.solve_dropout)
        regressors = hidden
        if config.solve_for == "propagated":
            regressors = evaluated(
                networks,
                parameters,
                whole,
                "propagated",
                lambda *given: whole.steps[-1].on_lanes(given[-1]),
                hidden,
            )
        smoothing = prepared.smoothing(config.laplacian)
        width = architecture.widths[-1]
        with on_threads(1):  # several would divide the sums over nodes in another way
            for lane, (lane_config, candidate) in enumerate(zip(configs, candidates, strict=True)):
                own = regressors[lane, : whole.count, :width]
                readout = solve_readout(own, labelled, targets, smoothing, lane_config, candidate.solves)
                weights["output.weight"][lane, :width].copy_(readout)
        if config.solve_dropout:
            hidden = hidden_values(networks, parameters, whole, dropout=False)
        outputs = evaluated(
            networks,
            parameters,
            whole,
            "read out",
            lambda these, own, given: these.outputs(own, whole, given),
            hidden,
        )
        solved, errors_solved = score(config.loss, outputs, prepared), errors(outputs, weights)
        del hidden, regressors, outputs

    objective = Objective(
        loss=config.loss,
        mse_objective=config.mse_objective,
        ridge=config.ridge,
        weight_decay_scope=config.weight_decay_scope,
    )
    losses = torch.full((len(configs),), math.nan)
    y = prepared.y[labelled]
    training = fine_tune(networks, parameters, objective, field, y, config.epochs, report_every=report_every)
    for epoch, losses in training:
        clock.pause()
        yield epoch, losses
        clock.go_on()

    outputs = measured_outputs(networks, parameters, whole)
    tuned, errors_tuned = score(config.loss, outputs, prepared), errors(outputs, weights)
    return [
        Outcome(
            weights=parameters.lane(lane),
            solved=solved[lane],
            scores=tuned[lane],
            error_solved=errors_solved[lane],
            error_tuned=errors_tuned[lane],
            loss=losses[lane].item(),
            seconds=clock.seconds / len(configs),
        )
        for lane in range(len(configs))
    ]
