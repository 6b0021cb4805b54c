"""``pgcn bench``: measure the speed against plain PyG, and a server under load."""

import argparse
import json
from typing import TYPE_CHECKING

from pgcn.cli.options import Commands, add_data_dir, add_json, add_reproducible

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("bench", help="measure the speed against plain PyG")
    command.add_argument("--dataset", action="append", help="may be given more than once (default: all three)")
    command.add_argument("--scale", action="store_true", help="time and memory from 10,000 to 1,000,000 nodes")
    dense = "preset tuned where ÂX is dense: a synthetic graph of the size of a co-purchase graph"
    command.add_argument("--dense", action="store_true", help=dense)
    study = "the difficulty study on Cora against its runs one by one"
    command.add_argument("--study", action="store_true", help=study)
    methods = (
        "each method of fixed topology against its plain PyG twin: full graph, the same network, dropouts, "
        "optimizer, validation and stopping rule; an epoch and a whole run, of one seed and per run of ten"
    )
    command.add_argument(
        "--methods", nargs="*", metavar="METHOD", help=f"{methods} (default: all; data sets: cora and pubmed)"
    )
    load = "a server with many visitors who all grow a network: do all advance, and what is left when they leave?"
    command.add_argument("--load", action="store_true", help=load)
    command.add_argument("--sessions", type=int, default=50, metavar="N", help="visitors of --load (default: 50)")
    command.add_argument("--seconds", type=float, default=300, metavar="S", help="length of --load (default: 300)")
    add_reproducible(command)
    add_json(command, "the figures")
    add_data_dir(command)
    command.set_defaults(action=measure)


def measure(arguments: argparse.Namespace) -> None:
    """Measure what was asked for and print the figures."""
    from pgcn.bench import bench_dense, bench_epochs, bench_scale, bench_study
    from pgcn.cli.terminal import terminal
    from pgcn.data import load_graph

    console = terminal(stderr=arguments.json)
    with console.status("starting") as status:
        if arguments.load:
            from pgcn.ui.load import bench_load

            figures = bench_load(arguments.sessions, arguments.seconds, status.update)
            show = show_load
        elif arguments.methods is not None:
            tell = (lambda row: None) if arguments.json else (lambda row: show_method(row, console))
            figures, show = measure_methods(arguments, status.update, tell), explain_methods
        elif arguments.dense:
            figures, show = bench_dense(progress=status.update), show_dense
        elif arguments.scale:
            figures, show = bench_scale(progress=status.update), show_scale
        elif arguments.study:
            figures, show = bench_study(progress=status.update), show_study
        else:
            names = arguments.dataset or ["cora", "citeseer", "pubmed"]
            graphs = (load_graph(name, data_dir=arguments.data_dir) for name in names)
            figures, show = [bench_epochs(graph, progress=status.update) for graph in graphs], show_epochs
    if arguments.json:
        print(json.dumps(figures))
    else:
        show(figures, console)


def measure_methods(
    arguments: argparse.Namespace, progress: "Callable[[str], None]", tell: "Callable[[dict], None]"
) -> list[dict]:
    """Return the figures of every method asked for on every data set; tell each as soon as it is measured."""
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
            tell(rows[-1])
    return rows


def each_name(texts: list[str]) -> list[str]:
    """Return the names in texts such as 'gat,ngcn'."""
    return [name for text in texts for name in text.split(",") if name]


def show_method(row: dict, console: "Console") -> None:
    """Print the time of an epoch and of a whole run of a method, and of its twins."""
    from pgcn.cli.terminal import open_table
    from pgcn.methods.registry import method_title

    many = f"{row['seeds']} seeds, per run"
    table = open_table("", "twin", "ms per epoch", "one seed", many, "whole run (s)", "one seed", many)
    estimated = f", estimated from {row['twin_epochs_measured']} epochs" if row["twin_run_projected"] else ""
    for twin, milliseconds in row["twins_ms"].items():
        first, fastest = twin == next(iter(row["twins_ms"])), twin == row["twin"]
        run = [f"{row['twin_run_seconds']:.1f}, {row['twin_run_epochs']} epochs{estimated}"]
        run.append(f"{row['one_run_seconds']:.2f}, {row['one_run_epochs']} epochs  {row['one_run_ratio']:.1f}x")
        run.append(f"{row['seeds_run_seconds']:.2f}  {row['seeds_run_ratio']:.1f}x")
        table.add_row(
            f"{method_title(row['method'])} on {row['dataset']}" if first else "",
            twin.removesuffix("Twin"),
            f"{milliseconds:.2f}",
            f"{row['one_ms']:.2f}  {ratio(row['one_ratios'][twin], row['aim'] if fastest else None)}",
            f"{row['seeds_ms']:.2f}  {ratio(row['seeds_ratios'][twin], None)}",
            *(run if fastest else [""] * 3),
        )
    console.print(table)


def explain_methods(rows: list[dict], console: "Console") -> None:
    """Print how the methods were measured."""
    console.print(
        f"Medians of epochs measured in turns, each twin on 1 or {rows[0]['threads']} thread(s), whichever is "
        "faster. Whole runs are of the fastest twin, with preparation and stopping rule; where one is estimated, "
        "the epochs measured stand for as many as our run took. GATConv drops less than GAT does: it is here "
        "because it is what PyG has."
    )


def show_epochs(rows: list[dict], console: "Console") -> None:
    """Print the time of an epoch for every data set."""
    from pgcn.bench import LANES
    from pgcn.cli.terminal import open_table
    from pgcn.methods.pgcn import DEFAULT_PRESET

    lanes = f"{LANES} lanes, per lane"
    table = open_table("ms per epoch", "plain PyG", "one lane", lanes, "whole growth run, all included")
    for row in rows:
        one, many = row["required_ratios"] or (None, None)
        whole_run = f"{row['run_blocks']} blocks in {row['run_seconds']:.1f} s"
        table.add_row(
            row["dataset"],
            f"{row['pyg_ms']:.2f}",
            f"{row['one_lane_ms']:.2f}  {ratio(row['one_lane_ratio'], one)}",
            f"{row['lanes_ms']:.3f}  {ratio(row['lanes_ratio'], many)}",
            f"{row['run_ms_per_epoch']:.2f}  {ratio(row['run_ratio'], None)}; {whole_run}",
        )
    console.print(table)
    console.print(
        f"A candidate of hidden width 10, preset {DEFAULT_PRESET}; medians of epochs measured in turns. "
        f"Plain PyG: full graph, GCNConv(cached=True), the faster of 1 and {rows[0]['threads']} thread(s)."
    )


def show_dense(figures: dict, console: "Console") -> None:
    """Print the time of an epoch of every network, beside that of plain PyG, and of a whole run."""
    from pgcn.cli.terminal import open_table

    rows, run = figures["rows"], figures["run"]
    table = open_table("hidden widths", "plain PyG, ms per epoch", "ours")
    for row in rows:
        ours = f"{row['ours_ms']:.2f}  {ratio(row['ratio'], None)}"
        table.add_row("-".join(map(str, row["widths"])), f"{row['pyg_ms']:.2f}", ours)
    console.print(table)
    console.print(
        "Preset tuned on a synthetic graph of 7,650 nodes, 118,958 edges and 745 features, ÂX 91 % non-zero; "
        f"medians of epochs measured in turns on {rows[0]['threads']} thread(s). "
        "Plain PyG: full graph, ÂX computed once."
    )
    topology = "-".join(map(str, run["topology"])) or "nothing"
    console.print(f"A whole run, seed 0: {run['seconds']:.1f} s, {topology} accepted.")


def show_scale(figures: dict, console: "Console") -> None:
    """Print time and memory over the number of nodes."""
    from pgcn.cli.terminal import open_table

    table = open_table("nodes", "edges", "make (s)", "grow (s)", "peak memory (GiB)")
    for row in figures["rows"]:
        table.add_row(
            f"{row['nodes']:,}",
            f"{row['edges']:,}",
            f"{row['make_seconds']:.1f}",
            f"{row['grow_seconds']:.2f}",
            f"{row['peak_gib']:.2f}",
        )
    console.print("One layer of two blocks, 50 epochs each, on synthetic graphs of average degree 20")
    console.print(table)
    verdict = "no faster than linearly" if figures["exponent"] <= 1 else "FASTER THAN LINEARLY"
    console.print(f"time grows as nodes^{figures['exponent']:.2f}: {verdict}")


def show_study(figures: dict, console: "Console") -> None:
    """Print the time of the difficulty study, and of its runs one by one."""
    verdict = "ok" if figures["study_seconds"] <= figures["required_seconds"] else "MISSED"
    console.print(
        f"The difficulty study on {figures['dataset']}, D' = {', '.join(map(str, figures['dims']))}, "
        f"{figures['experiments']} experiments, {' and '.join(figures['methods'])}: {figures['runs']} runs in "
        f"{figures['study_seconds']:.0f} s (at most {figures['required_seconds']} s: {verdict}), one by one in one "
        f"process {figures['one_by_one_seconds']:.0f} s: {ratio(figures['ratio'], figures['required_ratio'])}."
    )


def show_load(figures: dict, console: "Console") -> None:
    """Print how a server did with many visitors."""
    blocks, sessions = figures["blocks"], figures["sessions"]
    released = "ok" if not figures["running_after"] else "MISSED"
    verdicts = {
        "progress": "ok" if figures["progressed"] == sessions else "MISSED",
        "tick": "ok" if figures["tick_median"] < 1 else "MISSED",
        "memory": "ok" if figures["memory_end"] < 1.2 * figures["memory_half"] else "MISSED",
        "after": "ok" if figures["memory_after"] < 1.2 * figures["memory_before"] else "MISSED",
    }
    console.print(
        f"{sessions} visitors with a job each for {figures['seconds']:.0f} s on {figures['cores']} cores\n"
        f"progress: {figures['progressed']} of {sessions} jobs advanced in the second half "
        f"({verdicts['progress']}); {min(blocks)} to {max(blocks)} blocks each\n"
        f"refresh of a page: median {figures['tick_median']:.2f} s (under 1 s: {verdicts['tick']}), 95 % within "
        f"{figures['tick_95']:.2f} s, worst {figures['tick_worst']:.2f} s, {figures['ticks']:,} in all; the "
        f"slowest visitor's median {figures['slowest_session']:.2f} s\n"
        f"memory: {figures['memory_before']:.0f} MB after a first visitor, "
        f"{figures['memory_half']:.0f} at half time, {figures['memory_end']:.0f} in the end "
        f"(flat: {verdicts['memory']}), {figures['memory_after']:.0f} after they had left "
        f"(given back: {verdicts['after']})\n"
        f"released: {figures['running_after']} runs still going ({released}); threads {figures['threads_before']} "
        f"before, {figures['threads_busy']} during, {figures['threads_after']} after"
    )


def ratio(value: float, required: float | None) -> str:
    """Return for example '8.1x (at least 5x: ok)'."""
    if required is None:
        return f"{value:.1f}x"
    return f"{value:.1f}x (at least {required}x: {'ok' if value >= required else 'MISSED'})"
