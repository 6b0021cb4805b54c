"""The speed of a landscape: its fixed topologies, against the same networks one by one in plain PyG."""

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace

import torch

from pgcn.bench.growth import Progress, no_progress
from pgcn.data import load
from pgcn.graph import Graph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.store import Store
from pgcn.studies.landscape import Landscape, Point
from pgcn.studies.study import StudyRun

LANDSCAPE_SECONDS, LANDSCAPE_RATIO = 180, 10
"""The seconds that a landscape may take on two cores, and the required speed-up of its grid over plain PyG."""
WARM_UP, EPOCHS = 2, 5
"""Epochs of PyG at every point that are not measured, and that are, before our grid and again after it."""


def pyg_epochs(graph: Graph, growth: GrowthConfig, point: Point) -> Iterator[None]:
    """Train a network of a point with plain PyG, full graph, cached propagation; yield after every epoch."""
    from torch_geometric.nn import GCNConv

    data = graph.to_pyg()
    sizes = (graph.num_features, *point.topology)
    hidden = torch.nn.ModuleList(
        GCNConv(fan_in, fan_out, cached=True, bias=growth.bias) for fan_in, fan_out in itertools.pairwise(sizes)
    )
    readout = torch.nn.Linear(point.width, graph.num_classes, bias=growth.bias)
    weights = [*hidden.parameters(), *readout.parameters()]
    optimizer = torch.optim.Adam(weights, lr=growth.learning_rate, weight_decay=growth.weight_decay)
    while True:
        optimizer.zero_grad()
        values = data.x
        for convolution in hidden:
            values = torch.relu(convolution(values, data.edge_index))
            values = torch.nn.functional.dropout(values, growth.dropout)
        outputs = readout(values)
        loss = torch.nn.functional.cross_entropy(outputs[data.train_mask], data.y[data.train_mask])
        loss.backward()
        optimizer.step()
        yield


def pyg_seconds(graph: Graph, growth: GrowthConfig, point: Point) -> tuple[float, int]:
    """Return the median seconds of an epoch, and the number of threads that is faster."""
    everything, found = torch.get_num_threads(), {}
    for threads in {1, everything}:
        torch.set_num_threads(threads)
        training, times = pyg_epochs(graph, growth, point), []
        for _ in range(WARM_UP + EPOCHS):
            started = time.perf_counter()
            next(training)
            times.append(time.perf_counter() - started)
        found[threads] = statistics.median(times[WARM_UP:])
    torch.set_num_threads(everything)
    fastest = min(found, key=lambda threads: found[threads])
    return found[fastest], fastest


def study_seconds(landscape: Landscape, store: Store, progress: Progress, what: str) -> float:
    """Return how long the missing runs of a landscape take, the start of the workers included."""
    started = time.perf_counter()
    run, ended = StudyRun([landscape], store), 0
    for event in run:
        ended += event is not None
        progress(f"{what}: {ended} of {len(run.missing)} runs")
    return time.perf_counter() - started


def bench_landscape(landscape: Landscape | None = None, progress: Progress = no_progress) -> dict:
    """Return the seconds of a landscape, of its grid alone, and of the same networks one by one in plain PyG.

    PyG's epochs are measured at every point, before our grid and after it; as many as ours are counted.
    """
    landscape = Landscape() if landscape is None else landscape
    graph, growth = load(landscape.source), landscape.growth
    each: dict[Point, list[float]] = {point: [] for point in landscape.points}

    def measure(what: str) -> None:
        for number, point in enumerate(landscape.points, start=1):
            progress(f"plain PyG {what}: point {number} of {len(each)}")
            each[point].append(pyg_seconds(graph, growth, point)[0])

    measure("before")
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/runs.db")
        grid = study_seconds(replace(landscape, paths=0), store, progress, "the grid")
        rest = study_seconds(landscape, store, progress, "growth and the GCN")
        store.close()
    measure("after")
    epochs = {point: statistics.fmean(times) for point, times in each.items()}
    one_by_one = landscape.runs * growth.epochs * sum(epochs.values())
    return {
        "dataset": landscape.source.name,
        "widths": landscape.widths,
        "depths": landscape.depths,
        "runs": landscape.runs,
        "paths": landscape.paths,
        "epochs": growth.epochs,
        "grid_seconds": grid,
        "all_seconds": grid + rest,
        "pyg_seconds": one_by_one,
        "pyg_ms": {point.text(): 1e3 * seconds for point, seconds in epochs.items()},
        "ratio": one_by_one / grid,
        "required_ratio": LANDSCAPE_RATIO,
        "required_seconds": LANDSCAPE_SECONDS,
    }
