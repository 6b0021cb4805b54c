"""Runs of any method: in this process, divided among processes, or in one that computes reproducibly."""

from collections.abc import Mapping, Sequence
from functools import partial

from pgcn.config import Config
from pgcn.engine.fields import PreparedGraph
from pgcn.errors import ConfigError
from pgcn.execution.processes import in_processes
from pgcn.graph import Graph
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.registry import method_named
from pgcn.methods.run import Run, RunRecord, Runs, check_same_graph


def start(
    method: str,
    graph: Graph,
    configs: Sequence[Config],
    *,
    report_every: int = 10,
    workers: int = 1,
    reproducible: bool | None = None,
    records: Mapping[int, RunRecord] | None = None,
    prepared: PreparedGraph | None = None,
) -> Runs:
    """Start runs of a method on one graph; nothing is computed before their events are asked for.

    Every run is the same as if it were alone. With ``workers`` above 1 the runs are divided among so many
    processes. With ``reproducible`` they give the same bits on every x86-64 CPU with AVX2
    (:mod:`pgcn.reproducible`), in a process of their own unless this one computes so already. A script that asks
    for either needs the usual ``if __name__ == "__main__":``. ``records`` holds what is known of runs that are to
    go on, by position.
    """
    if not configs:
        raise ConfigError("Runs need at least one config, got none.")
    if len({config.device for config in configs}) > 1:
        raise ConfigError("All configs of runs that are started together must name the same device.")
    trainer = method_named(method).load()
    more = {"records": records} if records else {}
    if prepared is not None:
        steps = trainer.steps(graph, configs, report_every, prepared=prepared, **more)
    else:
        work = partial(trainer.steps, **more)
        steps = in_processes(
            work, graph, configs, report_every, min(workers, len(configs)), reproducibly=reproducible
        )
    known = [records[run] for run in sorted(records)] if records else ()
    return Runs(configs, steps, lambda config, topology: trainer.architecture(config, graph, topology), known)


def grow(
    graph: Graph,
    config: GrowthConfig | None = None,
    *,
    report_every: int = 10,
    reproducible: bool | None = None,
    prepared: PreparedGraph | None = None,
) -> Run:
    """Grow a network on the labelled nodes of a graph; the default config is the preset ``reproduction``.

    ``reproducible`` as in :func:`start`. ``prepared`` is the graph made ready in another way than usual, such as
    with another propagation than Â.

    >>> run = grow(graph)
    >>> for event in run: print(event)
    >>> run.result.model.predict(graph.x, graph.edge_index)
    """
    configs = [config or growth_preset()]
    return Run(
        start("pgcn", graph, configs, report_every=report_every, reproducible=reproducible, prepared=prepared)
    )


def grow_many(
    graph: Graph,
    configs: Sequence[GrowthConfig],
    *,
    report_every: int = 10,
    workers: int = 1,
    reproducible: bool | None = None,
) -> Runs:
    """Grow many networks on one graph; those whose next block has the same shape are trained together.

    Configs may differ in anything; runs share a batch as long as they differ only in seed, dropout, lambda,
    learning rate and weight decay. ``workers`` and ``reproducible`` as in :func:`start`.
    """
    return start("pgcn", graph, configs, report_every=report_every, workers=workers, reproducible=reproducible)


def resume(graph: Graph, record: RunRecord, *, report_every: int = 10) -> Run:
    """Resume a run that was interrupted, from the last step it had taken.

    A step depends on nothing but the accepted weights and its own seed, so the run ends as it would have ended: a
    reproducible one on any machine, another one on this. The events are those that follow ``record.kept``; the
    result holds all of them.
    """
    method = method_named(record.started.method)
    if not method.resumable:
        raise ConfigError(f"A run of {method.title} cannot go on from where it was; start it again.")
    check_same_graph(graph, record.started)
    config = method.config.from_dict(record.started.config)
    how = {"report_every": report_every, "reproducible": record.started.reproducible}
    return Run(start(method.name, graph, [config], records={0: record}, **how))


def train_gcn(
    graph: Graph, config: GCNConfig | None = None, *, report_every: int = 10, reproducible: bool | None = None
) -> Run:
    """Train a GCN of fixed topology; iterate over its events, then ask for its result."""
    configs = [config or GCNConfig()]
    return Run(start("gcn", graph, configs, report_every=report_every, reproducible=reproducible))


def train_gcns(
    graph: Graph,
    configs: Sequence[GCNConfig],
    *,
    report_every: int = 10,
    workers: int = 1,
    reproducible: bool | None = None,
) -> Runs:
    """Train many GCNs; those that differ only in seed, dropout, learning rate and weight decay together.

    ``workers`` and ``reproducible`` as in :func:`start`.
    """
    return start("gcn", graph, configs, report_every=report_every, workers=workers, reproducible=reproducible)
