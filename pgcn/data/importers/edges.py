"""Edges between ids as edges between numbers of nodes; those that lead nowhere are dropped or refused, and said."""

from typing import Any

import numpy as np

from pgcn.data.importers.columns import EMPTY, texts_of
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import MOST_EDGES, MOST_NODES, Parts, check_count
from pgcn.errors import DataError, shown
from pgcn.numbers import counted

Edges = tuple[np.ndarray, np.ndarray | None]


def check_ids(parts: Parts) -> None:
    """Refuse ids that are missing or not different."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = parts.ids
    if ids.null_count:
        row = pc.index(pc.is_null(ids), pa.scalar(True)).as_py()
        raise DataError(f"{parts.place(row)}: the id is missing. Give every node an id.")
    counts = pc.value_counts(ids)
    if len(counts) < len(ids):
        occurrences = counts.field("counts")
        first = counts.field("values")[pc.index(pc.greater(occurrences, 1), pa.scalar(True)).as_py()]
        again = np.flatnonzero(pc.equal(ids, first).to_numpy(zero_copy_only=False))
        raise DataError(
            f"{parts.place(int(again[1]))}: the id {shown(first.as_py())} is already at "
            f"{parts.place(int(again[0]))}; {counted(len(ids) - len(counts), 'row')} too many. Keep one for each."
        )


def ids_in_edges(ends: tuple[Any, Any]) -> Any:
    """Return the ids that edges name: by number where all are whole numbers, else in the order they come."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.unique(pa.concat_arrays([pc.drop_null(end) for end in ends]))
    if len(found) and pc.all(pc.match_substring_regex(found, r"^\d{1,18}$")).as_py():
        return found.take(pc.sort_indices(found.cast(pa.int64())))
    return found


def numbered_edges(parts: Parts, options: ImportOptions) -> Edges:
    """Return edges as numbers of nodes [2, E] and their weights; say in the notes what was dropped."""
    weight = None if options.weights == "ignore" else parts.weight
    if parts.weight is not None and options.weights == "ignore":
        parts.notes.append("The weights of edges were ignored, as asked.")
    if parts.ends is None:
        return given_edges(parts, weight, options)
    import pyarrow as pa
    import pyarrow.compute as pc

    for end in parts.ends:
        check_count(len(end), "edges", MOST_EDGES, parts.name)
        if end.null_count:
            row = pc.index(pc.is_null(end), pa.scalar(True)).as_py()
            raise DataError(f"Edge {row + 1:,} lacks one of its ends. Give every edge a source and a target.")
    found = [pc.fill_null(pc.index_in(end, value_set=parts.ids), -1).to_numpy() for end in parts.ends]
    edges = np.stack(found).astype(np.int64)
    return without_dangling(
        edges, weight, parts, options, lambda number: [end[number].as_py() for end in parts.ends]
    )


def given_edges(parts: Parts, weight, options: ImportOptions) -> Edges:
    """Return edges that are given as numbers of nodes."""
    edges = np.zeros((2, 0), np.int64) if parts.edges is None else np.asarray(parts.edges)
    if edges.size == 0:
        edges = np.zeros((2, 0), np.int64)
    if edges.ndim == 2 and edges.shape[0] != 2 and edges.shape[1] == 2:
        edges = edges.T
        parts.notes.append("Read the edges as one row for each.")
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu":
        raise DataError(f"Edges must be whole numbers [2, edges], got {edges.dtype} of shape {edges.shape}.")
    check_count(edges.shape[1], "edges", MOST_EDGES, parts.name)
    outside = (edges < 0) | (edges >= (parts.num_nodes or 0))
    numbers = np.where(outside, -1, edges).astype(np.int64)
    return without_dangling(numbers, weight, parts, options, lambda number: edges[:, number].tolist())


def without_dangling(edges: np.ndarray, weight, parts: Parts, options: ImportOptions, name) -> Edges:
    """Return the edges both of whose ends are there."""
    if weight is not None and np.shape(weight) != edges.shape[1:]:
        raise DataError(
            f"There are weights of shape {np.shape(weight)} for {edges.shape[1]:,} edges. Give each one."
        )
    gone = (edges < 0).any(axis=0)
    count = int(gone.sum())
    if not count:
        return edges, weight
    pair = name(int(np.flatnonzero(gone)[0]))
    what = f"{count:,} of {counted(edges.shape[1], 'edge')} to a node that is not there, the first is {shown(pair)}"
    if options.dangling == "refuse" or count == edges.shape[1]:
        known = "" if parts.ids is None else f" Node ids look like {shown(parts.ids[0].as_py())}."
        raise DataError(
            f"{what}.{known} Add these nodes, or remove the edges; the column of ids may be another one."
        )
    parts.notes.append(f"Dropped edges: {what}.")
    return edges[:, ~gone], None if weight is None else weight[~gone]


def nodes_of(parts: Parts) -> int:
    """Settle how many nodes there are; return that number."""
    if parts.ids is None and parts.num_nodes is None and parts.ends is not None:
        parts.ids = ids_in_edges(parts.ends)
    if parts.ids is not None:
        parts.ids = texts_of(parts.ids, EMPTY)
        if parts.num_nodes is not None and parts.num_nodes != len(parts.ids):
            raise DataError(f"There are {len(parts.ids):,} ids for {parts.num_nodes:,} nodes. Give each node one.")
        parts.num_nodes = len(parts.ids)
        check_ids(parts)
    num_nodes = parts.num_nodes or 0
    check_count(num_nodes, "nodes", MOST_NODES, parts.name)
    if num_nodes < 2:
        raise DataError(f"{parts.name} has {counted(num_nodes, 'node')}; a graph to learn from needs at least 2.")
    if parts.ids is None and parts.ends is not None:
        import pyarrow as pa

        parts.ids = pa.array(np.arange(num_nodes)).cast(pa.string())
    return num_nodes
