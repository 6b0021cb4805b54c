"""Runs of any method: in this process, divided among processes, or in one that computes reproducibly."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pgcn.config import RunConfig
from pgcn.engine.fields import PreparedGraph
from pgcn.errors import ConfigError
from pgcn.execution.processes import in_processes
from pgcn.graph import Graph
from pgcn.limits import MOST_EPOCHS, MOST_PARAMETERS, MOST_RUNS, MOST_WORKERS, checked_number
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.registry import method_named
from pgcn.methods.run import Run, RunRecord, Runs
from pgcn.methods.run_events import check_same_graph


def start(
    method: str,
    graph: Graph,
    configs: Sequence[RunConfig],
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
    checked_number("The number of configs", len(configs), at_most=MOST_RUNS)
    checked_number("report_every", report_every, at_least=1, at_most=MOST_EPOCHS)
    checked_number("workers", workers, at_least=1, at_most=MOST_WORKERS)
    if len({config.device for config in configs}) > 1:
        raise ConfigError("All configs of runs that are started together must name the same device.")
    known = method_named(method)
    if len(configs) > 1 and any(getattr(config, "decider", "rule") == "person" for config in configs):
        raise ConfigError("A person decides one run at a time: start it alone, or let the rule decide.")
    for config in configs:
        if not isinstance(config, known.config):
            wanted, got = known.config.__name__, type(config).__name__
            raise ConfigError(f"The settings of {known.title} are a {wanted}, got a {got}.")
        count = config.size().parameters(graph.num_features, graph.num_classes)
        if count > MOST_PARAMETERS and not records:
            raise ConfigError(
                f"A network of these settings would have about {count:,} parameters on {graph.name}; at most "
                f"{MOST_PARAMETERS:,} are possible. Choose narrower layers."
            )
    trainer = known.load()
    more = {"records": records} if records else {}
    if prepared is not None:
        steps = trainer.steps(graph, configs, report_every, prepared=prepared, **more)
    else:
        work = partial(trainer.steps, **more)
        steps = in_processes(
            work, graph, configs, report_every, min(workers, len(configs)), reproducibly=reproducible
        )
    resumed = {
        run: (record, trainer.accepted(graph, configs[run], record)) for run, record in (records or {}).items()
    }
    return Runs(known, configs, steps, resumed)


def train(
    method: str,
    graph: Graph,
    config: RunConfig | None = None,
    *,
    preset: str | None = None,
    report_every: int = 10,
    reproducible: bool | None = None,
    **settings: Any,
) -> Run:
    """Train any method on the labelled nodes of a graph: with a config, or with a preset and changed settings.

    The default preset is the one of the published settings for the data set. ``reproducible`` as in :func:`start`.

    >>> run = train("gat", graph, seed=3)
    >>> run.finish().scores.test_accuracy
    """
    if config is not None and preset is not None:
        raise ConfigError("Runs take a config or a preset, not both.")
    known = method_named(method)
    chosen = config or known.settings(preset or known.preset_for(graph.name))
    return Run(
        start(method, graph, [chosen.change(**settings)], report_every=report_every, reproducible=reproducible)
    )


def train_many(
    method: str,
    graph: Graph,
    configs: Sequence[RunConfig],
    *,
    report_every: int = 10,
    workers: int = 1,
    reproducible: bool | None = None,
) -> Runs:
    """Train many networks of any method on one graph. ``workers`` and ``reproducible`` as in :func:`start`."""
    return start(method, graph, configs, report_every=report_every, workers=workers, reproducible=reproducible)


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
    reproducible one on any machine, another one on this. The events are those that follow ``record.standing``; the
    result holds all of them.
    """
    method = method_named(record.started.method)
    check_same_graph(graph, record.started)
    config = method.config.from_dict(record.started.config)
    mode = record.started.reproducible
    records = {0: record}
    return Run(start(method.name, graph, [config], records=records, report_every=report_every, reproducible=mode))


def branch(
    graph: Graph, record: RunRecord, step: int, *, parent: str = "", report_every: int = 10, **changes: Any
) -> Run:
    """Grow on from an accepted block of a run with some settings changed; ``parent`` is the id of that run.

    With nothing changed it is the rest of that run, bit for bit. What may not differ is the graph, and what the
    network computes: its activation, its readout and whether it has a bias.

    >>> run = branch(graph, record, step=3, seed=7, dropout=0.2)
    """
    from pgcn.methods.pgcn.branch import branch_record

    return resume(graph, branch_record(record, parent, step, changes), report_every=report_every)


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
