"""How a file begins and which column is probably what: shown before anything is imported. No torch.

Only the beginning is read, so a guess may be wrong; the import itself decides by all of a column.
"""

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

from pgcn.data.importers.columns import UNUSED, kind_of
from pgcn.data.importers.layout import EDGE_NAMES, IDS, LABELS, Layout, layout_of, names_edges, usual_column
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.recognise import MATRIX, NPZ, PARQUET, TABLE, TORCH, format_of, head_of, unmarked
from pgcn.errors import DataError

ROWS, LOOKED_AT = 6, 500
"""Rows that are shown, and those by which the kind of a column is guessed."""
LONGEST, MOST_COLUMNS = 80, 2000
NODES, EDGES, WHOLE = "nodes", "edges", "graph"


def preview(path: Path, options: ImportOptions | None = None) -> dict[str, Any]:
    """Return how a file begins, in plain values.

    role       'nodes', 'edges' or 'graph', which is a whole graph in one file
    columns    names; rows: the first ones as texts; kinds: what a column probably is, by name
    guess      the settings of :class:`ImportOptions` that name a column, as far as they can be guessed
    lines      of a whole graph without columns: its first lines, or what is in it
    """
    kind, options = format_of(path), options or ImportOptions()
    found: dict[str, Any] = {"file": path.name, "format": kind, "bytes": path.stat().st_size}
    if kind in (NPZ, TORCH, MATRIX):
        nothing: dict[str, Any] = {"columns": [], "rows": [], "kinds": {}, "guess": {}}
        return {**found, "role": WHOLE, **nothing, "lines": lines_of(path)}
    if kind == TABLE:
        names, rows, header = text_rows(path, options)
    else:
        names, rows, header = parquet_rows(path) if kind == PARQUET else document_rows(path, kind, options)
    whole = kind not in (TABLE, PARQUET)
    role = WHOLE if whole else EDGES if names_edges(names, header=header) else NODES
    guess = guessed_edges(names, header=header) if role == EDGES else guessed_nodes(names, rows)
    kinds = {} if role == EDGES else kinds_of(names, rows, set(guess.values()))
    shown = [[cell[:LONGEST] for cell in row[:MOST_COLUMNS]] for row in rows[:ROWS]]
    return {**found, "role": role, "columns": names, "rows": shown, "kinds": kinds, "guess": guess, "lines": []}


Rows = tuple[list[str], list[list[str]], bool]
"""The names of columns, the first rows, and whether a header names them."""


def text_rows(path: Path, options: ImportOptions) -> Rows:
    layout: Layout = layout_of(path, options)
    text = head_of(path, 1 << 18).decode(layout.encoding, errors="replace").removeprefix("\ufeff")
    lines = text.splitlines(keepends=True)[layout.skip + layout.header :]
    rows = []
    for row in csv.reader(io.StringIO("".join(lines)), delimiter=layout.delimiter):
        if len(row) == len(layout.names):
            rows.append([cell.strip() for cell in row])
        if len(rows) == LOOKED_AT:
            break
    return layout.names, rows, layout.header


def document_rows(path: Path, kind: str, options: ImportOptions) -> Rows:
    """Return the first nodes of a document with their attributes; it is read as a whole for that."""
    from pgcn.data.importers.documents import document, node_table

    nodes, _, _ = document(path, kind, options)
    table = node_table(path, nodes)
    return table.names, texts_in(table.data.slice(0, LOOKED_AT)), True


def texts_in(table: Any) -> list[list[str]]:
    """Return the rows of an Arrow table as texts."""
    columns = [column.to_pylist() for column in table.columns]
    return [["" if cell is None else str(cell) for cell in row] for row in zip(*columns, strict=True)]


def parquet_rows(path: Path) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(path) as file:
            batch = next(file.iter_batches(LOOKED_AT, use_threads=False), None)
            names = file.schema_arrow.names
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        text = (str(error).splitlines() or ["no reason given"])[0]
        raise DataError(f"{path.name} is damaged Parquet: {text[:200].rstrip('.')}. Save it again.") from error
    return list(names), [] if batch is None else texts_in(batch), True


def guessed_edges(names: list[str], *, header: bool) -> dict[str, str]:
    """Return the columns with both ends and the weight of edges."""
    ends = [usual_column(names, EDGE_NAMES[end]) for end in ("source", "target")]
    source, target = ends if None not in ends else (*names, "", "")[:2]
    weight = usual_column(names, EDGE_NAMES["weight"]) or (names[2] if not header and len(names) == 3 else None)
    found = {"source": source, "target": target, "weight": weight}
    return {name: column for name, column in found.items() if column}


def guessed_nodes(names: list[str], rows: list[list[str]]) -> dict[str, str]:
    """Return the columns with ids, classes and the split."""
    first = [row[0] for row in rows]
    different = len(set(first)) == len(first) and all(first)
    label = usual_column(names, LABELS)
    key = usual_column(names, IDS) or (names[0] if different and names[0] != label else None)
    found = {"id": key, "label": label, "split_column": usual_column(names, ("split",))}
    return {name: column for name, column in found.items() if column}


def kinds_of(names: list[str], rows: list[list[str]], used: set[str]) -> dict[str, str]:
    """Return what the feature columns probably are: numbers, category, text, unused or refused."""
    import pyarrow as pa

    kinds = {}
    for number, name in enumerate(names[:MOST_COLUMNS]):
        if name not in used:
            column = pa.array([row[number] for row in rows], pa.string())
            try:
                kinds[name] = kind_of(name, column, text=False, category=False)[0] if rows else UNUSED
            except DataError:  # such as dates: the import says what is to be done
                kinds[name] = "refused"
    return kinds


def lines_of(path: Path) -> list[str]:
    """Return what is in an archive, or the first lines of a text."""
    if format_of(path) in (NPZ, TORCH):
        with zipfile.ZipFile(path) as archive:
            return [f"{info.filename[:LONGEST]} ({info.file_size:,} bytes)" for info in archive.infolist()[:12]]
    return [line[:LONGEST] for line in unmarked(head_of(path)).splitlines()[:ROWS]]
