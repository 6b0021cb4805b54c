"""Graphs of one's own from files and from other libraries.

options        the choices people have: which column is what, and what becomes of values
recognise      the format of a file by what it begins with
files          files to raw parts; layout, tables, tabular: CSV, TSV, Parquet; documents: GraphML, GEXF, JSON;
               npz, matrix_market, saved_pyg: the formats of their names; objects: graphs in memory
parts          the raw parts that all of them give
assemble       the one way from raw parts to a graph: edges, labels, features (columns, scale, structural), masks
fit            what features were made with, kept with the graph

Nothing is unpickled, sizes are checked before anything is unpacked, and every error says what to do.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pgcn.data.importers.options import ImportOptions

if TYPE_CHECKING:
    from pgcn.graph import Graph

__all__ = ["ImportOptions", "import_graph"]


def import_graph(
    *files: str | Path,
    nodes: str | Path | None = None,
    edges: str | Path | None = None,
    name: str | None = None,
    options: ImportOptions | None = None,
    progress: Any = None,
    like: "Graph | None" = None,
    **settings: Any,
) -> "Graph":
    """Return the graph in some files.

    files             one file that holds a graph, or a table of nodes and a table of edges in any order
    nodes, edges      the same tables, where they must be told apart
    like              another graph, such as an earlier version: features are made with its scales and words
    options           or its settings by name: see :class:`ImportOptions`
    progress          called with (what is done, done_bytes, total_bytes), None where only what is done is known
    """
    from dataclasses import replace

    from pgcn.data.importers.assemble import assemble
    from pgcn.data.importers.files import read_parts
    from pgcn.data.importers.objects import options_of
    from pgcn.data.importers.parts import no_progress

    options = options or options_of(settings)
    progress = progress or no_progress
    parts = read_parts(files, nodes=nodes, edges=edges, options=options, progress=progress)
    graph = assemble(parts, options, progress, like)
    return graph if name is None else replace(graph, name=name)
