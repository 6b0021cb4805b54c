"""``pgcn data``, ``pgcn settings`` and ``pgcn bench``."""

import argparse
import dataclasses
import json

from rich.console import Console
from rich.table import Table

from pgcn.data import catalogue, fetch, load_graph
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS, GrowthConfig


def list_data(arguments: argparse.Namespace) -> None:
    """Print every data set with its statistics and where it was found."""
    console = Console()
    table = Table("data set", box=None, header_style="bold")
    for column in ("nodes", "edges", "features", "classes", "label rate"):
        table.add_column(column, justify="right")
    table.add_column("what it is")
    found = catalogue(arguments.data_dir)
    for info in found:
        numbers = (f"{number:,}" for number in (info.nodes, info.edges, info.features, info.classes))
        table.add_row(info.name, *numbers, f"{info.label_rate:.3f}", info.note)
    console.print(table)
    console.print()
    for info in found:
        where = info.where or f"not here yet; fetch it with: pgcn data get {info.name}"
        console.print(f" {info.name:<11}{where}", highlight=False, soft_wrap=True)


def get_data(arguments: argparse.Namespace) -> None:
    """Fetch a data set with a progress bar."""
    from pgcn.cli.progress import transfer_progress

    console = Console()
    with transfer_progress(console) as progress:
        path = fetch(arguments.name, arguments.data_dir, progress)
    console.print(f"{arguments.name} is at {path}", highlight=False, soft_wrap=True)


def list_settings() -> None:
    """Print every setting with its sentence, default and range, and what the presets change."""
    console = Console()
    for title, cls in (
        ("Settings of pgcn grow (defaults: the preset paper)", GrowthConfig),
        ("Settings of pgcn gcn", GCNConfig),
    ):
        table = Table("setting", "default", "what it does", title=title, title_justify="left", box=None)
        for spec in dataclasses.fields(cls):
            default = (
                ",".join(map(str, spec.default)) if isinstance(spec.default, tuple) else str(spec.default).lower()
            )
            choices = spec.metadata["choices"]
            about = spec.metadata["about"] + (f" One of: {', '.join(choices)}." if choices else "")
            table.add_row(spec.name, default, about)
        console.print(table)
        console.print()
    console.print("Presets", style="italic")
    base = PRESETS["paper"].to_dict()
    for name, config in PRESETS.items():
        changes = {key: value for key, value in config.to_dict().items() if value != base[key]}
        said = ", ".join(f"{key}={value}" for key, value in changes.items()) or "the paper's text, word for word"
        console.print(f"  {name}{' (default)' if name == DEFAULT_PRESET else ''}: {said}", highlight=False)


def bench(arguments: argparse.Namespace) -> None:
    """Measure and print the ratios."""
    from pgcn.bench import LANES, bench_epochs, bench_scale

    console = Console(stderr=arguments.json)
    if arguments.scale:
        with console.status("starting") as status:
            scale = bench_scale(tell=status.update)
        if arguments.json:
            print(json.dumps(scale))
            return
        table = Table("nodes", "edges", "make (s)", "grow (s)", "peak memory (GiB)", box=None, header_style="bold")
        for row in scale["rows"]:
            table.add_row(f"{row['nodes']:,}", f"{row['edges']:,}", f"{row['make_seconds']:.1f}",
                          f"{row['grow_seconds']:.2f}", f"{row['peak_gib']:.2f}")  # fmt: skip
        console.print(
            "One layer of two blocks, 50 epochs each, on synthetic graphs of average degree 20",
            highlight=False,
        )
        console.print(table)
        verdict = "no faster than linearly" if scale["exponent"] <= 1 else "FASTER THAN LINEARLY"
        console.print(f"time grows as nodes^{scale['exponent']:.2f}: {verdict}", highlight=False)
        return
    if arguments.study:
        show_study_bench(arguments, console)
        return
    results = []
    with console.status("loading") as status:
        for name in arguments.dataset or ["cora", "citeseer", "pubmed"]:
            results.append(bench_epochs(load_graph(name, data_dir=arguments.data_dir), tell=status.update))
    if arguments.json:
        print(json.dumps(results))
        return
    table = Table(
        "ms per epoch",
        "plain PyG",
        "one lane",
        f"{LANES} lanes, per lane",
        "whole growth run, all included",
        box=None,
        header_style="bold",
    )
    for row in results:
        one, many = row["required_ratios"] or (None, None)
        table.add_row(
            row["dataset"],
            f"{row['pyg_ms']:.2f}",
            f"{row['one_lane_ms']:.2f}  {ratio(row['one_lane_ratio'], one)}",
            f"{row['lanes_ms']:.3f}  {ratio(row['lanes_ratio'], many)}",
            f"{row['run_ms_per_epoch']:.2f}  {ratio(row['run_ratio'], None)}; "
            f"{row['run_blocks']} blocks in {row['run_seconds']:.1f} s",
        )
    console.print(table)
    console.print(
        f"A candidate of hidden width 10, preset {DEFAULT_PRESET}; medians of epochs taken in turns. "
        f"Plain PyG: full graph, GCNConv(cached=True), the faster of 1 and {results[0]['threads']} thread(s).",
        highlight=False,
    )


def show_study_bench(arguments: argparse.Namespace, console: Console) -> None:
    """Measure the difficulty study against its runs one by one."""
    from pgcn.bench import bench_study

    with console.status("starting") as status:
        measured = bench_study(tell=status.update)
    if arguments.json:
        print(json.dumps(measured))
        return
    quick = "ok" if measured["study_seconds"] <= measured["required_seconds"] else "MISSED"
    console.print(
        f"The difficulty study on {measured['dataset']}, D' = {', '.join(map(str, measured['dims']))}, "
        f"{measured['experiments']} experiments, {' and '.join(measured['methods'])}: {measured['runs']} runs in "
        f"{measured['study_seconds']:.0f} s (at most {measured['required_seconds']} s: {quick}), one by one in one "
        f"process {measured['one_by_one_seconds']:.0f} s: {ratio(measured['ratio'], measured['required_ratio'])}.",
        highlight=False,
    )


def ratio(value: float, required: float | None) -> str:
    """Return for example '8.1x (at least 5x: ok)'."""
    if required is None:
        return f"{value:.1f}x"
    return f"{value:.1f}x (at least {required}x: {'ok' if value >= required else 'MISSED'})"
