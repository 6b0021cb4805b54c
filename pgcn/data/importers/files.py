"""Files to parts: each is read as what it is, and one table of nodes may stand beside edges of any format."""

from collections.abc import Sequence
from pathlib import Path

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts, Progress, no_progress
from pgcn.data.importers.recognise import MATRIX, NPZ, PARQUET, TABLE, TORCH, checked_size, format_of
from pgcn.data.importers.tables import Table, read_table
from pgcn.data.importers.tabular import is_edges, node_parts, parts_of_tables
from pgcn.errors import DataError


def read_parts(
    files: Sequence[str | Path] = (),
    *,
    nodes: str | Path | None = None,
    edges: str | Path | None = None,
    options: ImportOptions | None = None,
    progress: Progress = no_progress,
) -> Parts:
    """Return the raw parts of a graph in files; which is which is seen, or said by ``nodes`` and ``edges``."""
    options = options or ImportOptions()
    whole: list[tuple[str, Path]] = []
    tables: dict[str, Table] = {}
    for wanted, file in (("nodes", nodes), ("edges", edges), *(("", file) for file in files)):
        if file is None:
            continue
        path = Path(file)
        kind = format_of(path)
        checked_size(path, options.most_bytes)
        if kind not in (TABLE, PARQUET):
            whole.append((kind, path))
            continue
        table = read_table(path, options, progress)
        role = wanted or ("edges" if is_edges(table) else "nodes")
        if role in tables:
            raise DataError(
                f"{tables[role].path.name} and {path.name} both look like {role}. Say which holds nodes "
                "and which edges."
            )
        tables[role] = table
    if len(whole) > 1 or (whole and "edges" in tables):
        raise DataError("Several files hold edges. Name one, and a table of nodes at most beside it.")
    if not whole and not tables:
        raise DataError("No file was named. Name one or two files of a graph.")
    if not whole:
        first = next(iter(tables.values())).path.stem
        return parts_of_tables(first, tables.get("nodes"), tables.get("edges"), options)
    parts = read_whole(*whole[0], options)
    return beside(parts, tables["nodes"], options) if "nodes" in tables else parts


def read_whole(kind: str, path: Path, options: ImportOptions) -> Parts:
    """Return the parts of a graph that is in one file."""
    if kind == NPZ:
        from pgcn.data.importers.npz import read_npz

        return read_npz(path, options)
    if kind == TORCH:
        from pgcn.data.importers.saved_pyg import read_saved

        return read_saved(path, options)
    if kind == MATRIX:
        from pgcn.data.importers.matrix_market import read_matrix_market

        return read_matrix_market(path, options)
    from pgcn.data.importers.documents import read_document

    return read_document(path, kind, options)


def beside(parts: Parts, table: Table, options: ImportOptions) -> Parts:
    """Return the parts of a file with ids, labels and features of a table, whose rows are its nodes in order."""
    if parts.ends is not None:
        raise DataError(f"{parts.name} has its own nodes. Leave {table.path.name} out.")
    if parts.num_nodes != table.data.num_rows:
        raise DataError(
            f"{parts.name} has {parts.num_nodes:,} nodes, but {table.path.name} {table.data.num_rows:,} rows. Give "
            "one row for each node, in the same order."
        )
    for name, value in node_parts(table, options).items():
        setattr(parts, name, parts.notes + value if name == "notes" else value)
    parts.notes.append(f"Row n of {table.path.name} is node n of {parts.name}.")
    return parts
