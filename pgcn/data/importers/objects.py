"""Graphs of other libraries, in memory: ``Graph.from_pyg``, ``from_networkx``, ``from_pandas``, ``from_scipy``.

Each takes the settings of :class:`ImportOptions` by name, such as ``split="known:0.2"`` or ``label="topic"``.
"""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.data.importers.assemble import assemble
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts
from pgcn.data.importers.tables import Table
from pgcn.data.importers.tabular import parts_of_tables
from pgcn.errors import DataError, shown
from pgcn.graph import Graph
from pgcn.graph.checks import adjacency_edges


def options_of(settings: dict[str, Any]) -> ImportOptions:
    """Return the settings that were given by name; lists of columns may be lists."""
    ImportOptions.check_names(settings)
    joined: dict[str, Any] = {
        name: ",".join(value) if isinstance(value, list | tuple) else value for name, value in settings.items()
    }
    return ImportOptions(**joined)


def from_pyg(data: Any, *, name: str = "graph", **settings: Any) -> Graph:
    """Return the graph of a ``torch_geometric.data.Data``: x, edge_index, y, and masks and edge_weight if any."""
    from pgcn.data.importers.saved_pyg import parts_of_data

    return assemble(parts_of_data(data, name, "The Data"), options_of(settings))


def from_networkx(graph: Any, *, name: str = "graph", **settings: Any) -> Graph:
    """Return the graph of a networkx graph: attributes of nodes are columns, 'label' (or as said) the class."""
    from pgcn.data.importers.documents import graph_parts

    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise DataError(f"from_networkx takes a networkx graph, got {shown(type(graph).__name__)}.")
    nodes = {str(node): dict(values) for node, values in graph.nodes(data=True)}
    if len(nodes) < graph.number_of_nodes():
        raise DataError("Some nodes have the same name as text, such as 1 and '1'. Rename them.")
    edges = [(str(source), str(target), values) for source, target, values in graph.edges(data=True)]
    how = {"options": options_of(settings), "directed": graph.is_directed()}
    return assemble(graph_parts(Path(name), nodes, edges, **how), how["options"])


def from_pandas(nodes: Any, edges: Any, *, name: str = "graph", **settings: Any) -> Graph:
    """Return the graph of two data frames: nodes (id or an index, label, features), edges (two ends)."""
    tables: list[Table] = []
    for frame, what in ((nodes, "nodes"), (edges, "edges")):
        if not hasattr(frame, "columns") or not hasattr(frame, "index"):
            raise DataError(f"from_pandas takes two data frames, got {shown(type(frame).__name__)} as {what}.")
        tables.append(Table(path=Path(what), data=arrow_table(frame, what)))
    options = options_of(settings)
    return assemble(parts_of_tables(name, tables[0], tables[1], options), options)


def arrow_table(frame: Any, what: str) -> Any:
    """Return a data frame as an Arrow table; an index that is not just a count is its first column."""
    import pyarrow as pa

    from pgcn.data.importers.documents import column_of

    if what == "nodes" and type(frame.index).__name__ != "RangeIndex" and "id" not in frame.columns:
        frame = frame.reset_index(names=frame.index.name or "id")
    names = [str(column) for column in frame.columns]
    if len(set(names)) < len(names) or not names:
        raise DataError(f"The columns of {what} must have different names, got {shown(names)}.")
    columns = {}
    for position, column in enumerate(names):
        series = frame.iloc[:, position]
        try:
            columns[column] = pa.array(series, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            columns[column] = column_of([None if value != value else value for value in series.tolist()])
    return pa.table(
        {key: pa.chunked_array([value]) if isinstance(value, pa.Array) else value for key, value in columns.items()}
    )


def from_scipy(
    adjacency: Any, features: Any = None, labels: Any = None, *, name: str = "graph", **settings: Any
) -> Graph:
    """Return the graph of an adjacency of SciPy's [N, N], features [N, D], labels [N]; its values are weights."""
    if not sp.issparse(adjacency):
        raise DataError(f"from_scipy takes a sparse adjacency, got {shown(type(adjacency).__name__)}.")
    edges, weight, _ = adjacency_edges(adjacency, adjacency.shape[0])
    masks = {part: settings.pop(f"{part}_mask", None) for part in ("train", "val", "test")}
    matrix = features if features is None or sp.issparse(features) else np.asarray(features)
    given = {"num_nodes": adjacency.shape[0], "edges": edges, "weight": weight, "masks": masks}
    return assemble(Parts(name=name, matrix=matrix, labels=labels, **given), options_of(settings))
