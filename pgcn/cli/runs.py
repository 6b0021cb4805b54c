"""``pgcn grow`` and ``pgcn gcn``."""

import argparse
import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table

from pgcn.cli.progress import transfer_progress
from pgcn.cli.views import RunView, decision, opening_line, percent
from pgcn.config import Config, assignments
from pgcn.data import load_graph
from pgcn.data.synthetic import SyntheticConfig
from pgcn.engine.architecture import describe_topology
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained, RunEvent, RunFinished
from pgcn.execution.recorder import record_runs
from pgcn.execution.start import grow_many, train_gcns
from pgcn.graph import Graph
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.margins import thin_decisions, thin_sentence
from pgcn.methods.run import RunResult, Runs
from pgcn.store import Store
from pgcn.studies.sensitivity import Grown, findings, perturbed_configs, sentence


def grow_command(arguments: argparse.Namespace) -> None:
    preset = {} if arguments.preset is None else {"name": arguments.preset}
    configs = seeded(growth_preset(**preset).set(*arguments.settings), arguments)
    run(arguments, load(arguments), grow_many, configs)


def gcn_command(arguments: argparse.Namespace) -> None:
    configs = seeded(GCNConfig().set(*arguments.settings), arguments)
    run(arguments, load(arguments), train_gcns, configs)


def sensitivity_command(arguments: argparse.Namespace) -> None:
    """Grow one seed, then the same under tiny changes, and say how far they differ."""
    preset = {} if arguments.preset is None else {"name": arguments.preset}
    config = growth_preset(**preset, seed=arguments.seed).set(*arguments.settings)
    configs = [config, *perturbed_configs(config, arguments.times, arguments.size)]
    if arguments.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {arguments.workers}.")
    graph, console = load(arguments), Console()
    runs = grow_many(graph, configs, workers=arguments.workers)
    with Progress(
        *Progress.get_default_columns()[:2], MofNCompleteColumn(), console=Console(stderr=True)
    ) as progress:
        bar = progress.add_task("runs ended", total=len(configs))
        for said in runs:
            progress.advance(bar, isinstance(said.event, RunFinished))
    own, *others = [runs.result(number) for number in range(len(configs))]
    if own.scores is None:
        raise ConfigError(f"The run itself failed. {own.finished.reason}")
    grown = [
        Grown(
            topology=result.topology,
            val_accuracy=result.scores.val_accuracy,
            test_accuracy=result.scores.test_accuracy,
        )
        for result in others
        if result.scores
    ]
    found = findings(own.topology, grown)
    thin, decisions = thin_decisions(own.events)
    if arguments.json:
        about = {"topology": list(own.topology), "thin_decisions": thin, "decisions": decisions}
        scores = {"val_accuracy": own.scores.val_accuracy, "test_accuracy": own.scores.test_accuracy}
        print(json.dumps({"run": {**about, **scores}, "size": arguments.size, "perturbed": found}))
        return
    console.print(
        f"{graph.name}, {graph.split}, seed {arguments.seed}: {describe(graph, own.topology)}, validation "
        f"{percent(own.scores.val_accuracy)}, test {percent(own.scores.test_accuracy)}; "
        f"{thin_sentence(own.events)}.",
        highlight=False,
    )
    console.print(sentence(found, arguments.size), highlight=False)
    table = Table("topology", "runs", box=None, header_style="bold")
    for row in found["topologies"]:
        same = " (the run's own)" if tuple(row["topology"]) == own.topology else ""
        table.add_row(f"{describe(graph, row['topology'])}{same}", str(row["runs"]))
    console.print(table)


def describe(graph: Graph, topology: Sequence[int]) -> str:
    return describe_topology(graph.num_features, topology, graph.num_classes)


def seeded(config: Config, arguments: argparse.Namespace) -> list[Config]:
    """Return one config per run, with consecutive seeds."""
    if arguments.runs < 1:
        raise ConfigError(f"--runs must be at least 1, got {arguments.runs}.")
    if any(text.split("=")[0].strip() == "seed" for text in arguments.settings):
        raise ConfigError("The seed is set with --seed, not with --set seed=...")
    return [config.change(seed=arguments.seed + run) for run in range(arguments.runs)]


def load(arguments: argparse.Namespace) -> Graph:
    """Return the graph the arguments name, fetched with a progress bar where it is not there yet."""
    options = assignments(SyntheticConfig, arguments.options)
    with transfer_progress(Console(stderr=True)) as progress:
        return load_graph(
            arguments.dataset, split=arguments.split, seed=arguments.split_seed, dims=arguments.dims,
            data_dir=arguments.data_dir, progress=progress, **options,
        )  # fmt: skip


def run(arguments: argparse.Namespace, graph: Graph, start, configs: list[Config]) -> None:
    """Run the configs and show them: as JSON, as one live view, or as a table of many."""
    if arguments.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {arguments.workers}.")
    if arguments.save and not Path(arguments.save).absolute().parent.is_dir():
        raise ConfigError(f"--save {arguments.save}: the folder is not there. Make it first.")
    runs: Runs = start(graph, configs, workers=arguments.workers)
    if arguments.store:
        recorders = record_runs(runs, Store())
    show(arguments, runs, graph)
    if arguments.store:
        ids = ", ".join(recorder.run[:8] for recorder in recorders)
        Console(stderr=True).print(f"Stored as {ids}.", highlight=False)
    if arguments.save:
        save_best(runs, arguments)


def show(arguments: argparse.Namespace, runs: Runs, graph: Graph) -> None:
    """Show runs while they go on; stopped from the keyboard, they end with what they had accepted."""
    try:
        if arguments.json:
            show_json(runs)
        elif len(runs.configs) == 1:
            show_one(runs, graph)
        else:
            show_many(runs, graph)
    except KeyboardInterrupt:
        for said in runs.cancel("Stopped from the keyboard."):
            if arguments.json:
                print_json(said, many=len(runs.configs) > 1)
        raise


def save_best(runs: Runs, arguments: argparse.Namespace) -> None:
    best = best_run([runs.result(number) for number in range(len(runs.configs))])
    if best is None:
        raise ConfigError("No run ended well, so there is no network to save.")
    best.model.save(arguments.save)
    Console(stderr=True).print(f"Saved the network of seed {best.config.seed} to {arguments.save}.")


def best_run(results: list[RunResult]) -> RunResult | None:
    """Return the run of best validation accuracy; of equal ones, the one with fewer parameters."""
    ended = [result for result in results if result.scores]
    return max(ended, key=lambda result: (result.scores.val_accuracy, -result.parameters), default=None)


def show_json(runs: Runs) -> None:
    """Print one event per line, with its run's number where there are many, and a summary of many."""
    many = len(runs.configs) > 1
    for said in runs:
        print_json(said, many=many)
    if many:
        results = [runs.result(number) for number in range(len(runs.configs))]
        print(json.dumps({"event": "Summary", **summary(results)}, allow_nan=False), flush=True)


def print_json(said: RunEvent, *, many: bool) -> None:
    line = {"run": said.run, **said.event.to_dict()} if many else said.event.to_dict()
    print(json.dumps(line, allow_nan=False), flush=True)


def show_one(runs: Runs, graph: Graph) -> None:
    """Draw one run while it goes on."""
    console = Console()
    view = RunView(runs.started())
    console.print(opening_line(view.started), highlight=False)
    for note in view.started.notes:
        console.print(f"  note: {note}", highlight=False)
    with Live(view, console=console, refresh_per_second=10):
        for said in runs:
            view.take(said.event)
            row = decision(said.event, view.started)
            if row is not None:
                console.print(row)
    result = runs.result()
    finished = result.finished
    if finished.scores is None:
        raise ConfigError(f"The run failed. {finished.reason}")
    thin = thin_sentence(result.events)
    words = [describe(graph, finished.topology), f"in {finished.seconds:.1f} s"] + ([f"· {thin}"] if thin else [])
    console.print("   " + " ".join(words), highlight=False)


def show_many(runs: Runs, graph: Graph) -> None:
    """Show a bar while many runs go on, then a table of them."""
    console = Console()
    started = runs.started()
    console.print(
        opening_line(started).replace(f"seed {runs.configs[0].seed}", f"{len(runs.configs)} seeds"),
        highlight=False,
    )
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("runs ended", total=len(runs.configs))
        for said in runs:
            if isinstance(said.event, RunFinished):
                progress.advance(bar)
            elif isinstance(said.event, EpochsTrained) and said.event.layer:
                where = f"layer {said.event.layer}, block {said.event.block}"
                progress.update(bar, description=f"runs ended (now {where})")
        elapsed = progress.tasks[0].elapsed
    results = [runs.result(number) for number in range(len(runs.configs))]
    table = Table("seed", "topology", "parameters", "validation", "test", "ended", box=None, header_style="bold")
    best = best_run(results)
    for result in results:
        scores = result.scores
        table.add_row(
            str(result.config.seed), describe_topology(graph.num_features, result.topology, graph.num_classes),
            f"{result.parameters:,}", percent(scores.val_accuracy) if scores else "-",
            percent(scores.test_accuracy) if scores else "-", result.finished.reason,
            style="bold" if result is best else None,
        )  # fmt: skip
    console.print(table)
    if best is None:
        raise ConfigError(f"All runs failed. {results[0].finished.reason}")
    figures = summary(results)
    console.print(
        f"{graph.name}, {graph.split}, {figures['runs']} seeds from {runs.configs[0].seed}, in {elapsed:.1f} s:",
        highlight=False,
    )
    for name, label in (("test_accuracy", "test"), ("val_accuracy", "validation")):
        mean, deviation = figures[name]["mean"], figures[name]["sd"]
        console.print(f"  {label} accuracy {100 * mean:.1f} ± {100 * deviation:.1f} % (mean ± sd)", highlight=False)
    parameters = figures["parameters"]
    console.print(f"  parameters {parameters['mean']:,.0f} ± {parameters['sd']:,.0f}", highlight=False)
    console.print(
        f"  best validation: seed {best.config.seed}, {percent(best.scores.val_accuracy)}; its test accuracy "
        f"{percent(best.scores.test_accuracy)}",
        highlight=False,
    )
    if figures["failed"]:
        console.print(f"  {figures['failed']} run(s) failed and are left out of these figures.")


def summary(results: list[RunResult]) -> dict:
    """Return mean and standard deviation over the runs that ended well, and the run of best validation."""
    ended = [result for result in results if result.scores]
    best = best_run(results)

    def spread(values: list[float]) -> dict:
        deviation = statistics.stdev(values) if len(values) > 1 else 0.0
        return {"mean": statistics.fmean(values), "sd": deviation} if values else {"mean": None, "sd": None}

    return {
        "runs": len(results),
        "failed": len(results) - len(ended),
        "test_accuracy": spread([result.scores.test_accuracy for result in ended]),
        "val_accuracy": spread([result.scores.val_accuracy for result in ended]),
        "parameters": spread([float(result.parameters) for result in ended]),
        "best": best
        and {
            "run": results.index(best),
            "seed": best.config.seed,
            "topology": list(best.topology),
            "parameters": best.parameters,
            "scores": asdict(best.scores),
        },
    }
