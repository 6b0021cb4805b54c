"""The speed of the methods of fixed topology, each against its plain PyG twin, measured in turns in one process."""

import copy
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from pgcn.bench.growth import Progress, no_progress
from pgcn.bench.twins import TWINS, Twin
from pgcn.config import RunConfig
from pgcn.events import EpochsTrained
from pgcn.execution.start import train_many
from pgcn.graph import Graph
from pgcn.methods.registry import METHODS
from pgcn.methods.stopping import EarlyStopping

SEEDS = 10
REPORT_EVERY = 10
"""Epochs in a turn of ours; a twin's turn is one."""
LONGEST = 10.0
"""Seconds after which a twin's whole run is not waited for: the rest is as many epochs as ours took."""
AIMS = {("gat", "cora"): 3.0, ("gat", "pubmed"): 5.0, ("ngcn", "cora"): 5.0, ("ngcn", "pubmed"): 5.0}
"""The speed-up of one run that is aimed at, over the fastest twin."""

Rule = Callable[[int, float, float], tuple[bool, bool]]
"""From epoch, validation loss and accuracy: are these weights to be kept, and is the run over?"""


def stopping_rule(method: str, config: Any) -> Rule | None:
    """Return the rule of a method; None where it does not look at the validation nodes."""
    if method == "sgc":
        return None
    if method in ("gcn", "mlp"):
        losses: list[float] = []

        def above_mean(epoch: int, loss: float, accuracy: float) -> tuple[bool, bool]:
            before = losses[-config.early_stopping :]
            losses.append(loss)
            return False, epoch > config.early_stopping + 1 and loss > statistics.fmean(before)

        return above_mean if config.early_stopping else None
    stopping = EarlyStopping(getattr(config, "patience", None), getattr(config, "stopping", "ranked"))
    return lambda epoch, loss, accuracy: (stopping.update(epoch, loss, accuracy), stopping.is_over)


def twin_epochs(
    method: str, graph: Graph, config: Any, make: Callable[[Graph, RunConfig], Twin], *, stops: bool = True
) -> Iterator[int]:
    """Train a twin by the protocol of its method and yield after every epoch, to its end if it ``stops``."""
    data = graph.to_pyg()
    model = make(graph, config)
    groups = model.groups()
    adam = torch.optim.Adam(groups, lr=config.learning_rate)
    y, val_y = data.y[data.train_mask], data.y[data.val_mask]
    rule, kept, epoch, over = stopping_rule(method, config), None, 0, False
    while not stops or not (over or epoch == config.epochs):
        epoch += 1
        model.train()
        adam.zero_grad()
        model.loss(data.x, data.train_mask, y).backward()
        adam.step()
        if rule is not None:
            model.eval()
            with torch.no_grad():
                outputs = model(data.x)[data.val_mask]
                loss = F.cross_entropy(outputs, val_y).item()
                if method in ("gcn", "mlp", "appnp"):  # whose validation loss has its L2 term
                    decayed = sum(weight.square().sum().item() for weight in groups[0]["params"])
                    loss += config.weight_decay / 2 * decayed
                accuracy = (outputs.argmax(dim=1) == val_y).double().mean().item()
            keeps, over = rule(epoch, loss, accuracy)
            kept = copy.deepcopy(model.state_dict()) if keeps else kept
        yield epoch
    if kept is not None:
        model.load_state_dict(kept)
    model.eval()
    with torch.no_grad():
        model(data.x)


def our_turns(method: str, graph: Graph, configs: Sequence[RunConfig]) -> Iterator[None]:
    """Train runs together; yield when all have been trained for another ten epochs, again and again."""
    while True:
        reports = 0
        for event in train_many(method, graph, configs, report_every=REPORT_EVERY):
            if isinstance(event.event, EpochsTrained) and event.event.epoch % REPORT_EVERY == 0:
                reports += 1
                if reports % len(configs) == 0:
                    yield


def lasting(config: RunConfig) -> RunConfig:
    """Return settings of the same epochs that do not end while they are measured."""
    return config.change(patience=100_000) if hasattr(config, "patience") else config


def seconds_of(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def faster_threads(training: Iterator[int]) -> int:
    """Return on how many threads a twin is faster, one or all that torch may use; both are tried twice."""
    everything = torch.get_num_threads()
    next(training)
    tried = {}
    for threads in {1, everything}:
        torch.set_num_threads(threads)
        tried[threads] = min(seconds_of(lambda: next(training)) for _ in range(2))
    torch.set_num_threads(everything)
    return min(tried, key=lambda threads: tried[threads])


def on(threads: int, work: Callable[[], Any]) -> float:
    """Return the seconds of some work on a number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    seconds = seconds_of(work)
    torch.set_num_threads(before)
    return seconds


def bench_method(
    method: str,
    graph: Graph,
    *,
    rounds: int = 5,
    seeds: int = SEEDS,
    longest: float = LONGEST,
    progress: Progress = no_progress,
) -> dict:
    """Return milliseconds of an epoch and seconds of a whole run, of a method and its twins, and their ratios."""
    known = METHODS[method]
    config = known.settings(known.preset_for(graph.name) or None)
    progress(f"{known.title} on {graph.name}: epochs")
    everything = torch.get_num_threads()
    twins = {make.__name__: twin_epochs(method, graph, config, make, stops=False) for make in TWINS[method]}
    threads = {name: faster_threads(twin) for name, twin in twins.items()}
    steady = lasting(config)
    ours = {
        count: our_turns(method, graph, [steady.change(seed=seed) for seed in range(count)]) for count in (1, seeds)
    }
    times: dict[Any, list[float]] = {name: [] for name in (*twins, *ours)}
    for turn in range(-1, rounds):
        for name, twin in twins.items():
            times[name].append(on(threads[name], lambda twin=twin: next(twin)))
        for count, turns in ours.items():
            times[count].append(seconds_of(lambda turns=turns: next(turns)) / REPORT_EVERY / count)
        progress(f"{known.title} on {graph.name}: round {turn + 1} of {rounds}")
    epoch = {name: statistics.median(values[1:]) * 1e3 for name, values in times.items()}  # the first warms up
    progress(f"{known.title} on {graph.name}: whole runs")
    results: list[Any] = []
    alone = seconds_of(lambda: results.extend(train_many(method, graph, [config]).finish()))
    many = [config.change(seed=seed) for seed in range(seeds)]
    together = seconds_of(lambda: train_many(method, graph, many).finish()) / seeds
    epochs = max(event.epoch for event in results[0].events if isinstance(event, EpochsTrained))
    fastest = min(twins, key=lambda name: epoch[name])
    [make] = (make for make in TWINS[method] if make.__name__ == fastest)
    torch.set_num_threads(threads[fastest])
    started, done, projected = time.perf_counter(), 0, False
    for epoch_number in twin_epochs(method, graph, config, make):
        done, projected = epoch_number, time.perf_counter() - started > longest
        if projected:
            break
    whole = time.perf_counter() - started
    torch.set_num_threads(everything)
    measured = done
    if projected:
        whole, done = max(whole, whole / done * epochs), max(done, epochs)
    return {
        "dataset": graph.name,
        "method": method,
        "threads": everything,
        "seeds": seeds,
        "twin": fastest,
        "twins_ms": {name: epoch[name] for name in twins},
        "twins_threads": threads,
        "one_ms": epoch[1],
        "seeds_ms": epoch[seeds],
        "one_ratios": {name: epoch[name] / epoch[1] for name in twins},
        "seeds_ratios": {name: epoch[name] / epoch[seeds] for name in twins},
        "aim": AIMS.get((method, graph.name)),
        "twin_run_seconds": whole,
        "twin_run_epochs": done,
        "twin_run_projected": projected,
        "twin_epochs_measured": measured,
        "one_run_seconds": alone,
        "one_run_epochs": epochs,
        "seeds_run_seconds": together,
        "one_run_ratio": whole / alone,
        "seeds_run_ratio": whole / together,
    }
