"""The events that open and end a run of any method."""

from importlib.metadata import version
from typing import Any

import torch

from pgcn import reproducible
from pgcn.config import RunConfig
from pgcn.errors import GraphError
from pgcn.events import RunFinished, RunStarted
from pgcn.graph import Graph
from pgcn.methods.endings import Ending, ending, failed
from pgcn.methods.network import Network


def run_started(graph: Graph, method: str, config: RunConfig) -> RunStarted:
    """Return the event that opens a run."""
    promised, notes = False, graph.notes
    if reproducible.is_on():
        obstacle = reproducible.obstacle()
        if config.device != "cpu":
            obstacle = f"it computes on {config.device}"
        promised = obstacle is None
        if obstacle:
            notes = (*notes, f"Reproducible mode: no guarantee on this machine: {obstacle}.")
    return RunStarted(
        method=method,
        **opening_facts(graph),
        config=config.to_dict(),
        versions={"pgcn": version("pgcn"), "torch": str(torch.__version__)},
        notes=notes,
        recipe=graph.source.to_recipe() if graph.source else None,
        reproducible=promised,
    )


def opening_facts(graph: Graph) -> dict[str, Any]:
    """Return what an opening event says of its graph."""
    sizes = {"val": int(graph.val_mask.sum()), "test": int(graph.test_mask.sum())}
    return {
        "dataset": graph.source.name if graph.source else graph.name,
        "split": graph.split,
        **graph.facts(),
        **sizes,
    }


def check_same_graph(graph: Graph, started: RunStarted) -> None:
    """Refuse to resume a run on another graph than the one it was started on."""
    for name, is_now in opening_facts(graph).items():
        was = getattr(started, name)
        if was != is_now:
            raise GraphError(f"The run was started on another graph: {name} was {was}, now it is {is_now}.")


def finished(network: Network, *, ending: Ending, seconds: float) -> RunFinished:
    """Return the event that ends a run which has come to a network."""
    return RunFinished(
        status="finished",
        ending=ending.kind,
        facts=dict(ending.facts),
        topology=network.topology,
        parameters=network.parameters,
        scores=network.scores,
        seconds=seconds,
    )


def diverged(*, epoch: int, learning_rate: float, seconds: float) -> RunFinished:
    """Return the event that ends a run whose loss is no longer a number: it has come to no network."""
    return failed(ending("diverged", epoch=epoch, learning_rate=learning_rate), seconds=seconds)
