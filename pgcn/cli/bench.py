"""``pgcn bench``: measure the speed against plain PyG, and a server under load."""

import argparse
import json
from typing import TYPE_CHECKING

from pgcn.cli.options import Commands, add_data_dir, add_json, add_preset, add_reproducible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pgcn.graph import Graph

PLANETOID = ("cora", "citeseer", "pubmed")


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("bench", help="measure the speed against plain PyG")
    command.add_argument(
        "--dataset", action="append", help="data set to measure on; may be repeated (default: all three)"
    )
    scale = "time and memory of --preset from 10,000 to 1,000,000 nodes"
    command.add_argument("--scale", action="store_true", help=scale)
    add_preset(command)
    presets = "whole growth runs of every preset, five seeds each in turns, against preset tuned"
    command.add_argument("--presets", action="store_true", help=presets)
    dense = "preset tuned where ÂX is dense: a synthetic graph of the size of a co-purchase graph"
    command.add_argument("--dense", action="store_true", help=dense)
    study = "time of the difficulty study on Cora, compared with its runs one by one"
    command.add_argument("--study", action="store_true", help=study)
    landscape = "a landscape of Cora, 5 widths x 4 depths x 5 seeds, against the same networks one by one in PyG"
    command.add_argument("--landscape", action="store_true", help=landscape)
    methods = (
        "each method of fixed topology against its plain PyG twin: full graph, the same network, dropouts, "
        "optimizer, validation and stopping rule; an epoch and a whole run, of one seed and per run of ten"
    )
    command.add_argument(
        "--methods", nargs="*", metavar="METHOD", help=f"{methods} (default: all; data sets: cora and pubmed)"
    )
    sight = "seconds until a fresh server plays the recorded run, compared with an empty page (needs a browser)"
    command.add_argument("--first-sight", action="store_true", help=sight)
    load = "load test: many visitors each grow a network; do all advance, and is everything released?"
    command.add_argument("--load", action="store_true", help=load)
    command.add_argument("--sessions", type=int, default=50, metavar="N", help="visitors of --load (default: 50)")
    command.add_argument("--seconds", type=float, default=300, metavar="S", help="length of --load (default: 300)")
    add_reproducible(command)
    add_json(command, "the figures")
    add_data_dir(command)
    command.set_defaults(action=measure)


def measure(arguments: argparse.Namespace) -> None:
    """Measure what was asked for and print the figures."""
    import pgcn.cli.bench_text as text
    from pgcn.bench import bench_dense, bench_epochs, bench_landscape, bench_presets, bench_scale, bench_study
    from pgcn.cli.terminal import terminal
    from pgcn.methods.pgcn import growth_preset

    console = terminal(stderr=arguments.json)
    with console.status("starting") as status:
        progress = status.update
        if arguments.load:
            from pgcn.ui.load import bench_load

            figures, show = bench_load(arguments.sessions, arguments.seconds, progress), text.show_load
        elif arguments.first_sight:
            from pgcn.ui.first_sight import bench_first_sight

            figures, show = bench_first_sight(progress=progress), text.show_first_sight
        elif arguments.methods is not None:
            show_row = (lambda row: None) if arguments.json else (lambda row: text.show_method(row, console))
            figures, show = measure_methods(arguments, progress, show_row), text.explain_methods
        elif arguments.dense:
            figures, show = bench_dense(progress=progress), text.show_dense
        elif arguments.scale:
            growth_preset(arguments.preset)  # a wrong name is told at once
            figures, show = bench_scale(arguments.preset, progress=progress), text.show_scale
        elif arguments.presets:
            figures = [row for graph in chosen_graphs(arguments) for row in bench_presets(graph, progress)]
            show = text.show_presets
        elif arguments.study:
            figures, show = bench_study(progress=progress), text.show_study
        elif arguments.landscape:
            figures, show = bench_landscape(progress=progress), text.show_landscape
        else:
            figures = [bench_epochs(graph, progress=progress) for graph in chosen_graphs(arguments)]
            show = text.show_epochs
    if arguments.json:
        print(json.dumps(figures))
    else:
        show(figures, console)


def chosen_graphs(arguments: argparse.Namespace) -> "Iterator[Graph]":
    """Yield the data sets named, one after the other."""
    from pgcn.data import load_graph

    for name in arguments.dataset or PLANETOID:
        yield load_graph(name, data_dir=arguments.data_dir)


def measure_methods(
    arguments: argparse.Namespace, progress: "Callable[[str], None]", show_row: "Callable[[dict], None]"
) -> list[dict]:
    """Return the figures of every method asked for on every data set; show each as soon as it is measured."""
    from pgcn.bench import bench_method
    from pgcn.bench.twins import TWINS
    from pgcn.data import load_graph
    from pgcn.errors import ConfigError, no_such

    names = each_name(arguments.methods) or list(TWINS)
    for name in names:
        if name not in TWINS:
            raise ConfigError(no_such("method with a PyG twin", name, TWINS))
    datasets = each_name(arguments.dataset or []) or ["cora", "pubmed"]
    rows = []
    for graph in [load_graph(name, data_dir=arguments.data_dir) for name in datasets]:
        for name in names:
            rows.append(bench_method(name, graph, progress=progress))
            show_row(rows[-1])
    return rows


def each_name(texts: list[str]) -> list[str]:
    """Return the names in texts such as 'gat,ngcn'."""
    return [name for text in texts for name in text.split(",") if name]
