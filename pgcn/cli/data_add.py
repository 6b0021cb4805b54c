"""``pgcn data add``, ``show`` and ``rm``: graphs of one's own in the store."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from pgcn.cli.options import some_text, whole_number
from pgcn.errors import ConfigError, DataError

FLAGS = (
    ("label", "COLUMN", "column with the classes, empty where not known (default: one called label, class, ...)"),
    ("text", "COLUMNS", "columns of free text, made TF-IDF features: title,abstract"),
    ("categories", "COLUMNS", "columns of categories, made one feature for each value"),
    ("use", "COLUMNS", "feature columns to use (default: all)"),
    ("ignore", "COLUMNS", "columns to leave out"),
    ("id", "COLUMN", "column with the ids of nodes"),
    ("source", "COLUMN", "column of the edge table with the source node"),
    ("target", "COLUMN", "column of the edge table with the target node"),
    ("weight", "COLUMN", "column of the edges with their weights"),
    ("weights", "HOW", "use (default) or ignore the weights of edges"),
    ("dangling", "HOW", "edges to missing nodes: drop them (default), or refuse the graph"),
    (
        "split",
        "SPLIT",
        "auto (default), given, random:20, fraction:0.1, or known:0.2 (all known labels, a "
        "share of them for validation)",
    ),
    ("split_column", "COLUMN", "column that says train, val or test"),
    ("classes", "NAMES", "the classes in their order"),
    ("unknown", "LABELS", "further labels that stand for an unknown class"),
    ("missing", "HOW", "missing numbers: median (default), zero or refuse"),
    ("scale", "HOW", "features: auto (default), none, rows or standard"),
    ("structure", "HOW", "structural features: auto (default: where there are no others), always or never"),
    ("encoding", "NAME", "encoding of text files (default: UTF-8 or UTF-16)"),
)
"""Settings of :class:`pgcn.data.importers.ImportOptions` that have a flag."""


def add_parsers(nested: argparse._SubParsersAction) -> None:
    add = nested.add_parser("add", help="add a graph of your own from files")
    add.add_argument("name", type=some_text, help="name of the new data set")
    files = (
        "CSV, TSV or Parquet tables of nodes and edges, GraphML, GEXF, node-link JSON, .npz, .mtx, or .pt of PyG"
    )
    add.add_argument("files", nargs="*", metavar="FILE", help=files)
    add.add_argument("--nodes", metavar="FILE", help="the table of nodes")
    add.add_argument("--edges", metavar="FILE", help="the table of edges")
    add.add_argument("--pyg", metavar="CLASS:NAME", help="a PyG data set instead of files, such as Amazon:Photo")
    for name, metavar, about in FLAGS:
        add.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, help=about)
    about = "a stored graph, such as an earlier version, whose feature scaling and vocabulary are reused"
    add.add_argument("--like", metavar="NAME", help=about)
    add.add_argument(
        "--vocabulary", type=whole_number, metavar="N", help="vocabulary size for free text (default: 2000)"
    )
    add.add_argument("--seed", type=whole_number, metavar="N", help="seed of a random split (default: 0)")
    add.set_defaults(action=add_data)
    show = nested.add_parser("show", help="describe a graph, and what was changed when it was imported")
    show.add_argument("name", type=some_text)
    show.set_defaults(action=show_data)
    remove = nested.add_parser("rm", help="remove a graph of your own; its runs stay")
    remove.add_argument("name", type=some_text)
    remove.set_defaults(action=remove_data)


def add_data(arguments: argparse.Namespace) -> None:
    """Read a graph, store it and say what was found and changed."""
    from dataclasses import replace

    from pgcn.cli.progress import transfer_progress
    from pgcn.cli.terminal import terminal
    from pgcn.data.importers import ImportOptions, import_graph
    from pgcn.data.importers.assemble import assemble
    from pgcn.embeddings.portrait import cache_portrait, portrait_of
    from pgcn.execution.graphs import load_source, named_source
    from pgcn.store import Store
    from pgcn.store.graphs import check_graph_name

    check_graph_name(arguments.name)
    names = [*(name for name, *_ in FLAGS), "vocabulary", "seed"]
    given = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    options = ImportOptions(**given)
    files = bool(arguments.files or arguments.nodes or arguments.edges)
    if files == bool(arguments.pyg):
        raise ConfigError(
            "Name the files of a graph, or a data set of PyG's with --pyg, such as --pyg Amazon:Photo."
        )
    store, console = Store(), terminal()
    like = None
    if arguments.like is not None:
        like = load_source(named_source(store, arguments.like), store)
    if arguments.pyg:
        from pgcn.data.importers.saved_pyg import pyg_dataset

        graph = replace(assemble(pyg_dataset(arguments.pyg), options, like=like), name=arguments.name)
    else:
        with transfer_progress(terminal(stderr=True)) as progress:
            graph = import_graph(
                *arguments.files,
                nodes=arguments.nodes,
                edges=arguments.edges,
                name=arguments.name,
                options=options,
                progress=progress,
                like=like,
            )
    named = [arguments.nodes, arguments.edges, *arguments.files]
    origin = ", ".join(Path(file).name for file in named if file) or arguments.pyg
    source = store.add_graph(graph, name=arguments.name, origin=printable(origin))
    cache_portrait(store, source, portrait_of(graph))
    for line in description(graph):
        console.print(line, soft_wrap=True)
    known = source.name != arguments.name
    console.print(printable(f"The same graph is there already: {source.name}." if known else "Added."))
    console.print(printable(f"Next: pgcn grow --dataset {quoted(source.name)} --store"), soft_wrap=True)


def show_data(arguments: argparse.Namespace) -> None:
    """Print what a graph holds."""
    from pgcn.cli.terminal import terminal
    from pgcn.execution.graphs import load_source, named_source
    from pgcn.store import Store

    store, console = Store(), terminal()
    source = named_source(store, arguments.name)
    for line in description(load_source(source, store, data_dir=arguments.data_dir)):
        console.print(line, soft_wrap=True)


def remove_data(arguments: argparse.Namespace) -> None:
    """Remove a stored graph."""
    from pgcn.cli.terminal import terminal
    from pgcn.source import CATALOGUE_NAMES
    from pgcn.store import Store

    if arguments.name.lower() in CATALOGUE_NAMES:
        raise DataError(f"{arguments.name} comes with the program and cannot be removed.")
    Store().remove_graph(arguments.name)
    terminal().print(printable(f"Removed {arguments.name}. Its runs stay."))


def description(graph) -> Iterable[str]:
    """Return what a graph holds, line by line."""
    from pgcn.graph.measures import homophily

    masks = (graph.train_mask, graph.val_mask, graph.test_mask)
    labelled, validation, test = (int(mask.sum()) for mask in masks)
    unknown = int((graph.y < 0).sum())
    yield printable(
        f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges"
        f"{'' if graph.edge_weight is None else ' with weights'}, {graph.num_features:,} features "
        f"({100 * graph.features.nnz / max(1, graph.num_nodes * graph.num_features):.1f} % not zero)."
    )
    yield printable(
        f"{labelled:,} labelled, {validation:,} validation, {test:,} test nodes ({graph.split}); the class of "
        f"{unknown:,} is not known."
    )
    sizes = [int((graph.y == number).sum()) for number in range(min(graph.num_classes, 20))]
    more = f" and {graph.num_classes - 20} more" if graph.num_classes > 20 else ""
    counted = ", ".join(f"{name} ({size:,})" for name, size in zip(graph.class_names, sizes, strict=False))
    yield printable(f"{graph.num_classes} classes: {counted}{more}.")
    if (same := homophily(graph)) is not None:
        yield f"Homophily: {100 * same:.1f} % of the edges between known nodes join the same class."
    for note in graph.notes:
        yield printable(f"- {note}")


def printable(text: str) -> str:
    """Return text for a terminal: what would control it (escape sequences, line breaks) is written out."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)
