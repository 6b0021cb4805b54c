"""``pgcn sensitivity``: grow one seed again under tiny changes of its initial weights."""

import argparse
import json

from pgcn.cli.options import (
    Commands,
    add_graph,
    add_json,
    add_preset,
    add_reproducible,
    add_settings,
    add_workers,
    check_counts,
    number,
    whole_number,
)
from pgcn.errors import ConfigError
from pgcn.limits import MOST_WORKERS


def add_parser(commands: Commands) -> None:
    about = (
        "grow one seed repeatedly with tiny changes to its initial weights, and count how "
        "often the topology stays the same"
    )
    command = commands.add_parser("sensitivity", help=about)
    add_preset(command)
    add_graph(command)
    command.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the run")
    command.add_argument(
        "--times", type=whole_number, default=20, metavar="N", help="number of changed runs (default: 20)"
    )
    size = "relative change of the initial weights (default: 1e-7, about the last bit)"
    command.add_argument("--size", type=number, default=1e-7, metavar="X", help=size)
    add_workers(command)
    add_settings(command)
    add_reproducible(command)
    add_json(command, "the findings")
    command.set_defaults(action=measure_sensitivity)


def measure_sensitivity(arguments: argparse.Namespace) -> None:
    """Grow one seed, then the same under tiny changes, and print how far they differ."""
    from pgcn.cli.progress import runs_progress
    from pgcn.cli.running import load
    from pgcn.cli.terminal import open_table, terminal
    from pgcn.events import RunFinished
    from pgcn.execution.start import grow_many
    from pgcn.methods.endings import ending_sentence
    from pgcn.methods.pgcn import growth_preset
    from pgcn.methods.pgcn.margins import thin_decisions, thin_sentence
    from pgcn.methods.steps import describe
    from pgcn.numbers import known, percent
    from pgcn.studies.sensitivity import Grown, findings, perturbed_configs, sentence

    config = growth_preset(arguments.preset, seed=arguments.seed).set(*arguments.settings)
    configs = [config, *perturbed_configs(config, arguments.times, arguments.size)]
    check_counts(arguments, workers=MOST_WORKERS)
    graph, console = load(arguments), terminal()
    runs = grow_many(graph, configs, workers=arguments.workers)
    with runs_progress(terminal(stderr=True)) as progress:
        bar = progress.add_task("runs finished", total=len(configs))
        for run_event in runs:
            progress.advance(bar, isinstance(run_event.event, RunFinished))
    unchanged, *changed = runs.finish()
    started = runs.started()
    scores = unchanged.scores
    if scores is None:
        raise ConfigError(f"The unchanged run failed. {ending_sentence(unchanged.finished)}")
    grown = [
        Grown(
            topology=result.topology,
            val_accuracy=result.scores.val_accuracy,
            test_accuracy=result.scores.test_accuracy,
        )
        for result in changed
        if result.scores
    ]
    found = findings(unchanged.topology, grown)
    if arguments.json:
        thin, decisions = thin_decisions(unchanged.events)
        run = {
            "topology": list(unchanged.topology),
            "thin_decisions": thin,
            "decisions": decisions,
            "val_accuracy": scores.val_accuracy,
            "test_accuracy": known(scores.test_accuracy),
        }
        print(json.dumps({"run": run, "size": arguments.size, "perturbed": found}, allow_nan=False))
        return
    console.print(
        f"{started.dataset}, {started.split}, seed {arguments.seed}: {describe(started, unchanged.topology)}, "
        f"validation {percent(scores.val_accuracy)}, test {percent(scores.test_accuracy)}; "
        f"{thin_sentence(unchanged.events)}."
    )
    console.print(sentence(found, arguments.size))
    table = open_table("topology", "runs")
    for row in found["topologies"]:
        same = " (the unchanged run)" if tuple(row["topology"]) == unchanged.topology else ""
        table.add_row(f"{describe(started, row['topology'])}{same}", str(row["runs"]))
    console.print(table)
