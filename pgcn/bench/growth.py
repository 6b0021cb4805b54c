"""The speed of growing: epochs against plain PyG, scale, and the difficulty study."""

import math
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.execution.complete import complete_run
from pgcn.execution.start import grow
from pgcn.graph import Graph
from pgcn.limits import MOST_EPOCHS
from pgcn.methods.pgcn import DEFAULT_PRESET, GrowthConfig, growth_preset
from pgcn.methods.pgcn.candidate import Candidate
from pgcn.methods.pgcn.trainer import train_candidates
from pgcn.store import Store
from pgcn.studies.difficulty import Study
from pgcn.studies.study import StudyRun

WIDTHS = (10,)  # two blocks of five, as in the paper's run on Cora
LANES = 20
REQUIRED = {"cora": (5, 20), "citeseer": (8, 35), "pubmed": (20, 150)}
"""The required speed-up over plain PyG: of one lane, and per lane of twenty lanes."""
STUDY = Study(dataset="cora", dims=(10, 30, 50, 100, 300, 1433))
STUDY_SECONDS, STUDY_RATIO = 180, 3
"""The seconds the whole study may take on two cores, and its required speed-up over one run after another."""
SCALE_NODES = (10_000, 31_623, 100_000, 316_228, 1_000_000)

Progress = Callable[[str], None]


def no_progress(text: str) -> None:
    """Report nothing."""


def pyg_epochs(graph: Graph, config: GrowthConfig) -> Iterator[None]:
    """Train the candidate network with plain PyG: full graph, cached propagation; yield after every epoch."""
    from torch_geometric.nn import GCNConv

    data = graph.to_pyg()
    convolution = GCNConv(graph.num_features, WIDTHS[0], cached=True, bias=config.bias)
    readout = torch.nn.Linear(WIDTHS[0], graph.num_classes, bias=config.bias)
    weights = [*convolution.parameters(), *readout.parameters()]
    optimizer = torch.optim.Adam(weights, lr=config.learning_rate, weight_decay=config.weight_decay)
    while True:
        optimizer.zero_grad()
        hidden = torch.relu(convolution(data.x, data.edge_index))
        outputs = readout(torch.nn.functional.dropout(hidden, config.dropout))
        loss = torch.nn.functional.cross_entropy(outputs[data.train_mask], data.y[data.train_mask])
        loss.backward()
        optimizer.step()
        yield


def lane_epochs(graph: Graph, config: GrowthConfig, lanes: int) -> Iterator[None]:
    """Train the same candidate in lanes; yield after every epoch."""
    configs = [config.change(seed=seed, epochs=MOST_EPOCHS) for seed in range(lanes)]
    candidate = Candidate(layer=1, block=1, widths=WIDTHS, base=None, solves=1)
    for _ in train_candidates(PreparedGraph(graph), configs, [candidate] * lanes):
        yield


def bench_epochs(graph: Graph, rounds: int = 40, progress: Progress = no_progress) -> dict:
    """Return the median milliseconds per epoch of plain PyG, one lane and twenty lanes, measured in turns.

    PyG runs with all of torch's threads and with one; the faster counts.
    """
    config = growth_preset()
    all_threads = torch.get_num_threads()
    # The training, its threads, its lanes, and the epochs in a turn.
    trainings = {
        "pyg_all_threads": (pyg_epochs(graph, config), all_threads, 1, 1),
        "pyg_one_thread": (pyg_epochs(graph, config), 1, 1, 1),
        "one_lane": (lane_epochs(graph, config, 1), all_threads, 1, 5),
        "lanes": (lane_epochs(graph, config, LANES), all_threads, LANES, 1),
    }
    times: dict[str, list[float]] = {name: [] for name in trainings}
    for turn in range(-3, rounds):
        progress(f"{graph.name}: round {max(turn, 0) + 1} of {rounds}")
        for name, (training, threads, lanes, epochs) in trainings.items():
            torch.set_num_threads(threads)
            started = time.perf_counter()
            for _ in range(epochs):
                next(training)
            if turn >= 0:  # the turns before warm up
                times[name].append((time.perf_counter() - started) / epochs / lanes * 1e3)
    torch.set_num_threads(all_threads)
    milliseconds = {name: statistics.median(values) for name, values in times.items()}
    milliseconds["pyg"] = min(milliseconds["pyg_all_threads"], milliseconds["pyg_one_thread"])
    progress(f"{graph.name}: one whole growth run")
    started = time.perf_counter()
    result = grow(graph, config).finish()
    seconds = time.perf_counter() - started
    blocks = sum(type(event).__name__ == "BlockProposed" for event in result.events)
    required = REQUIRED.get(graph.name)
    return {
        "dataset": graph.name,
        "threads": all_threads,
        "pyg_ms": milliseconds["pyg"],
        "pyg_all_threads_ms": milliseconds["pyg_all_threads"],
        "pyg_one_thread_ms": milliseconds["pyg_one_thread"],
        "one_lane_ms": milliseconds["one_lane"],
        "lanes_ms": milliseconds["lanes"],
        "lanes": LANES,
        "one_lane_ratio": milliseconds["pyg"] / milliseconds["one_lane"],
        "lanes_ratio": milliseconds["pyg"] / milliseconds["lanes"],
        "required_ratios": required,
        "run_seconds": seconds,
        "run_blocks": blocks,
        "run_ms_per_epoch": seconds * 1e3 / (blocks * config.epochs),
        "run_ratio": milliseconds["pyg"] / (seconds * 1e3 / (blocks * config.epochs)),
    }


def measure_scale(nodes: int, preset: str, average_degree: float = 20.0) -> dict:
    """Grow one layer of two blocks, 50 epochs each, on a synthetic graph; return seconds and peak memory."""
    import resource  # not on every system

    from pgcn.data import load_graph

    started = time.perf_counter()
    graph = load_graph("synthetic", nodes=nodes, average_degree=average_degree, seed=0)
    made = time.perf_counter()
    # Epsilon below any change: both blocks are accepted, and then the limits end the growth.
    config = growth_preset(preset, max_layers=1, max_width=10, epochs=50, epsilon_b=-1.0, margin=0.0)
    result = grow(graph, config).finish()
    grown = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "nodes": nodes,
        "edges": graph.num_edges,
        "topology": list(result.topology),
        "make_seconds": made - started,
        "grow_seconds": grown - made,
        "peak_gib": peak / 2**30,
    }


def bench_scale(
    preset: str = DEFAULT_PRESET, sizes: tuple[int, ...] = SCALE_NODES, progress: Progress = no_progress
) -> dict:
    """Return time and memory of a growth run by the number of nodes, each size in a new process."""
    rows = []
    with ProcessPoolExecutor(
        max_workers=1, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=1
    ) as pool:
        for nodes in sizes:
            progress(f"{nodes:,} nodes")
            rows.append(pool.submit(measure_scale, nodes, preset).result())
    points = [(math.log(row["nodes"]), math.log(row["grow_seconds"])) for row in rows]
    return {
        "preset": preset,
        "rows": rows,
        "exponent": statistics.linear_regression(*zip(*points, strict=True)).slope,
    }


def bench_study(study: Study = STUDY, progress: Progress = no_progress) -> dict:
    """Return the seconds of the difficulty study in parallel, and of the same tasks one by one in one process."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/runs.db")
        started = time.perf_counter()
        run = StudyRun([study], store)
        ended = 0
        for event in run:
            ended += event is not None
            progress(f"as a study: {ended} of {len(run.tasks)} runs")
        together = time.perf_counter() - started
        store.close()
    started = time.perf_counter()
    for number, task in enumerate(study.tasks(), start=1):
        progress(f"one by one: run {number} of {len(study.tasks())}")
        complete_run(task.spec())
    alone = time.perf_counter() - started
    return {
        "dataset": study.dataset,
        "dims": study.dims,
        "experiments": study.experiments,
        "methods": study.methods,
        "runs": len(study.tasks()),
        "study_seconds": together,
        "one_by_one_seconds": alone,
        "ratio": alone / together,
        "required_ratio": STUDY_RATIO,
        "required_seconds": STUDY_SECONDS,
    }
