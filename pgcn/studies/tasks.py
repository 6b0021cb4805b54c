"""One run of a study, carried out wherever there is a worker: load the graph of the recipe, train, hand back."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pgcn import reproducible
from pgcn.engine.architecture import count_parameters
from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, Event, RunFinished
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig
from pgcn.store import network_row
from pgcn.studies.difficulty import METHODS, Task

if TYPE_CHECKING:  # torch is imported only by those who carry tasks out, not by those who hand them out
    from pgcn.engine.model import GraphNet
    from pgcn.methods.run import Run

REPORT_EVERY = 25
"""Epochs between the losses that are kept: a study keeps many runs."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What PGCN found and what it took, for the networks that are made to match it."""

    topology: tuple[int, ...]
    parameters: int
    epochs: int

    @classmethod
    def of(cls, events: tuple[Event, ...]) -> "Found | None":
        """Return what a run found, None where it diverged and left no network."""
        if not events[-1].topology:
            return None
        blocks = sum(isinstance(event, BlockJudged) for event in events)
        epochs = blocks * events[0].config["epochs"]
        return cls(topology=events[-1].topology, parameters=events[-1].parameters, epochs=epochs)


@dataclass(frozen=True, kw_only=True)
class TaskResult:
    """A run as it is kept: its events, and its networks as rows of the store."""

    events: tuple[Event, ...]
    networks: tuple[dict[str, Any], ...]


def fixed_config(task: Task, found: Found, num_features: int, num_classes: int) -> GCNConfig:
    """Return the settings of a network of fixed topology that matches what PGCN found."""
    growth: GrowthConfig = task.config
    hidden = found.topology
    if task.method == "matched-gcn":
        hidden = (matched_width(found.parameters, num_features, num_classes, bias=growth.bias),)
    shared = ("activation", "learning_rate", "weight_decay", "weight_decay_scope", "dropout", "input_dropout")
    return GCNConfig(
        hidden=hidden,
        epochs=found.epochs,
        early_stopping=0,
        keep_best=True,
        readout=growth.readout if task.method == "same-topology" else "graph",
        bias=growth.bias,
        seed=growth.seed,
        device=growth.device,
        **{name: getattr(growth, name) for name in shared},
    )


def matched_width(parameters: int, num_features: int, num_classes: int, *, bias: bool) -> int:
    """Return the width of one hidden layer whose network has about so many parameters."""
    without = count_parameters(num_features, (0,), num_classes, bias=bias)
    per_neuron = count_parameters(num_features, (1,), num_classes, bias=bias) - without
    return max(1, round((parameters - without) / per_neuron))


def diverged(task: Task, needed: tuple[Event, ...]) -> TaskResult:
    """Return the run of a task that has nothing to match: the run it waited for, of these events, diverged."""
    config = GCNConfig(seed=task.config.seed, device=task.config.device)
    started = replace(needed[0], method="gcn", config=config.to_dict())
    ended = RunFinished(
        status="failed", reason=f"Nothing to match: {METHODS['pgcn-ce'].label} diverged. {needed[-1].reason}",
        topology=(), parameters=0, scores=None, seconds=0.0,
    )  # fmt: skip
    return TaskResult(events=(started, ended), networks=())


def start(task: Task, found: Found | None, data_dir: str | None = None) -> "Run":
    """Begin the run of a task."""
    if task.reproducible and not reproducible.is_on():
        raise PgcnError(
            "This worker does not compute reproducibly, as the study asks for. Start it with PGCN_REPRODUCIBLE=1."
        )
    from pgcn.execution.execute import graph_of
    from pgcn.execution.start import grow, train_gcn

    graph = graph_of(task.recipe, lambda text: None, data_dir=data_dir)
    if isinstance(task.config, GrowthConfig) and found is None:
        return grow(graph, task.config, report_every=REPORT_EVERY)
    config = task.config if found is None else fixed_config(task, found, graph.num_features, graph.num_classes)
    return train_gcn(graph, config, report_every=REPORT_EVERY)


def carry_out(task: Task, found: Found | None = None, data_dir: str | None = None) -> TaskResult:
    """Carry a task out in this process: what an executor is given."""
    run = start(task, found, data_dir)
    networks: dict[tuple[int, ...], GraphNet] = {}
    run.runs.listen(lambda said, model: model and networks.update({model.architecture.widths: model}))
    result = run.finish()
    rows = tuple(network_row(task.id, model) for model in networks.values())
    return TaskResult(events=result.events, networks=rows)
