"""``pgcn ablation``: what each setting of a preset brings."""

import argparse
import json

from pgcn.cli.options import (
    Commands,
    add_graph,
    add_json,
    add_preset,
    add_reproducible,
    add_settings,
    check_counts,
    whole_number,
)
from pgcn.limits import MOST_RUNS


def add_parser(commands: Commands) -> None:
    about = "measure what each setting of a preset contributes, by resetting one at a time to the paper's value"
    command = commands.add_parser("ablation", help=about)
    add_preset(command)
    add_graph(command)
    command.add_argument(
        "--runs", type=whole_number, default=5, metavar="N", help="seeds on each half of the validation nodes"
    )
    more = "other changes, one at a time, such as starts=4 metric=val_loss,margin=0"
    command.add_argument("--with-setting", nargs="+", default=[], metavar="NAME=VALUE", help=more)
    against = "other presets, gcn-16, gcn-64: the same on each half, measured beside"
    command.add_argument("--against", nargs="+", default=[], metavar="NAME", help=against)
    only = "reset nothing: only --against and --with-setting"
    command.add_argument("--no-resets", action="store_true", help=only)
    add_settings(command)
    add_reproducible(command)
    add_json(command, "each change")
    command.set_defaults(action=measure_ablation)


def measure_ablation(arguments: argparse.Namespace) -> None:
    """Train a preset with one setting at a time reset, and print how much is lost by it."""
    from pgcn.cli.running import load
    from pgcn.cli.terminal import open_table, terminal
    from pgcn.methods.pgcn import growth_preset
    from pgcn.numbers import counted, signed
    from pgcn.studies.ablation import ablation, variants

    config = growth_preset(arguments.preset).set(*arguments.settings)
    more = {"against": arguments.against, "resets": not arguments.no_resets}
    chosen = variants(config, arguments.with_setting, **more)
    check_counts(arguments, runs=MOST_RUNS)
    graph, console = load(arguments), terminal()
    rows = []
    for found in ablation(graph, chosen, range(arguments.runs)):
        if found is None:
            continue
        rows.append(found)
        if arguments.json:
            print(json.dumps(found.to_dict(), allow_nan=False), flush=True)
        else:
            terminal(stderr=True).print(f"{len(rows)} of {len(chosen)}: {found.measured.name}")
    if arguments.json:
        return
    first = rows[0].measured
    console.print(
        f"{graph.name}, {graph.split}, preset {arguments.preset}: accuracy in % on held-out halves of "
        f"{counted(first.nodes, 'validation node')}, mean ± sd over {counted(first.runs, 'seed')}; test nodes are "
        "not used."
    )
    table = open_table("change", "accuracy", "difference (95 % CI)", "parameters", "s per run")
    for row in rows:
        one = row.measured
        gap = one.behind
        difference = "" if gap is None else f"{signed(gap.mean)} ({signed(gap.low)} to {signed(gap.high)})"
        cells = (one.name, one.accuracy_text(), difference, f"{one.parameters:,.0f}", f"{row.seconds:.1f}")
        table.add_row(*cells)
    console.print(table)
