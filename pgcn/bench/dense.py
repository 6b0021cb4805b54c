"""The speed of growing where ÂX is dense and the receptive field is the whole graph, as in co-purchase graphs."""

import statistics
import time
from collections.abc import Iterator

import torch
import torch.nn.functional as F

from pgcn.bench.growth import Progress, no_progress
from pgcn.engine.fields import PreparedGraph
from pgcn.execution.start import grow
from pgcn.graph import Graph
from pgcn.limits import MOST_EPOCHS
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.pgcn.candidate import Candidate
from pgcn.methods.pgcn.trainer import train_candidates

STAND_IN = {
    "nodes": 7650,
    "classes": 8,
    "features": 745,
    "average_degree": 31.1,
    "homophily": 0.83,
    "words_per_node": 400,
    "seed": 0,
}
"""A synthetic graph of the size of a co-purchase graph: 118,958 edges, X 28 % and ÂX 91 % non-zero."""
NETWORKS = ((10,), (10, 10))


def plain_epochs(graph: Graph, config: GrowthConfig, widths: tuple[int, ...]) -> Iterator[None]:
    """Train a candidate of preset tuned with plain PyG on the full graph, ÂX computed once; yield every epoch."""
    from torch_geometric.nn import GCNConv, SGConv

    data = graph.to_pyg()
    first = SGConv(graph.num_features, widths[0], K=1, cached=True, bias=False)
    pairs = zip(widths, (*widths[1:], graph.num_classes), strict=True)
    later = torch.nn.ModuleList(GCNConv(*pair, cached=True, bias=False) for pair in pairs)
    first(data.x, data.edge_index)
    propagated = first._cached_x
    groups = [{"params": first.parameters(), "weight_decay": config.weight_decay}, {"params": later.parameters()}]
    optimizer = torch.optim.Adam(groups, lr=config.learning_rate)
    while True:
        optimizer.zero_grad()
        hidden = first.lin(F.dropout(propagated, config.input_dropout))
        for layer in later:
            hidden = layer(F.dropout(torch.relu(hidden), config.dropout), data.edge_index)
        F.cross_entropy(hidden[data.train_mask], data.y[data.train_mask]).backward()
        optimizer.step()
        yield


def our_epochs(graph: Graph, config: GrowthConfig, widths: tuple[int, ...]) -> Iterator[None]:
    """Train the same candidate; yield after every epoch."""
    candidate = Candidate(layer=len(widths), block=1, widths=widths, base=None, solves=1)
    for _ in train_candidates(PreparedGraph(graph), [config.change(epochs=MOST_EPOCHS)], [candidate]):
        yield


def bench_dense(rounds: int = 20, progress: Progress = no_progress) -> dict:
    """Return the median milliseconds per epoch of plain PyG and of ours, measured in turns, for each network.

    And the seconds of a whole run.
    """
    from pgcn.data import load_graph

    progress("making the graph")
    graph, config, rows = load_graph("synthetic", **STAND_IN), growth_preset("tuned"), []
    for widths in NETWORKS:
        trainings = {"pyg": plain_epochs(graph, config, widths), "ours": our_epochs(graph, config, widths)}
        times: dict[str, list[float]] = {name: [] for name in trainings}
        for turn in range(-3, rounds):  # the turns before 0 warm up
            progress(f"hidden widths {'-'.join(map(str, widths))}: round {max(turn, 0) + 1} of {rounds}")
            for name, training in trainings.items():
                started = time.perf_counter()
                next(training)
                if turn >= 0:
                    times[name].append((time.perf_counter() - started) * 1e3)
        pyg, ours = (statistics.median(times[name]) for name in trainings)
        threads = torch.get_num_threads()
        rows.append({"widths": widths, "threads": threads, "pyg_ms": pyg, "ours_ms": ours, "ratio": pyg / ours})
    progress("a whole run")
    started = time.perf_counter()
    result = grow(graph, config.change(seed=0)).finish()
    seconds = time.perf_counter() - started
    return {"rows": rows, "run": {"seconds": seconds, "topology": result.topology}}
