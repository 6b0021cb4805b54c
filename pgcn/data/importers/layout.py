"""How a text file is written: its encoding, what stands between columns, their names; and where a row begins."""

import codecs
import csv
import io
import itertools
from dataclasses import dataclass
from pathlib import Path

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.recognise import head_of
from pgcn.errors import DataError, shown

DELIMITERS = "\t,;| "
EDGE_NAMES = {
    "source": ("source", "src", "from", "u", "node1", "source_id", "id1", "head", "citing", "start", "node_1"),
    "target": ("target", "dst", "to", "v", "node2", "target_id", "id2", "tail", "cited", "end", "node_2"),
    "weight": ("weight", "weights", "edge_weight", "w"),
}
IDS = ("id", "node", "node_id", "nodeid", "paper_id", "key", "index", "")
LABELS = ("label", "labels", "class", "y", "category", "topic", "subject", "target")
USUAL = {*EDGE_NAMES["source"], *EDGE_NAMES["target"], *EDGE_NAMES["weight"], *IDS, *LABELS} - {""}
"""What columns are called, in lower case: a first row with one of these is a header."""


def usual_column(names: list[str], usual: tuple[str, ...]) -> str | None:
    """Return the first column that is usually called so; None if there is none."""
    by_name = {name.lower(): name for name in reversed(names)}
    return next((by_name[name] for name in usual if name in by_name), None)


def names_edges(names: list[str], *, header: bool) -> bool:
    """Return whether columns are those of edges: they are called so, or have no names."""
    return not header or all(usual_column(names, EDGE_NAMES[end]) is not None for end in ("source", "target"))


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How a text file is written: ``skip`` comment lines come first."""

    encoding: str
    delimiter: str
    skip: int
    names: list[str]
    header: bool


def encoding_of(head: bytes, name: str, wanted: str) -> str:
    """Return the encoding of a text file, or say that it is no text."""
    if wanted != "auto":
        try:
            b"a".decode(wanted, "replace")  # which refuses what is no encoding of text, such as rot13
            return codecs.lookup(wanted).name
        except (LookupError, ValueError) as error:
            raise DataError(f"No encoding is named {shown(wanted)}. Use utf-8, utf-16 or latin-1.") from error
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if b"\0" in head:
        raise DataError(
            f"{name} holds NUL bytes: it is no text, or UTF-16 without its mark. Save it as CSV in UTF-8, or give "
            "its encoding, such as utf-16-le."
        )
    return "utf-8"


def layout_of(path: Path, options: ImportOptions) -> Layout:
    """Return how a text file is written, from its first lines."""
    head = head_of(path, 1 << 18)
    encoding = encoding_of(head, path.name, options.encoding)
    try:
        text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head).removeprefix("\ufeff")
    except UnicodeError as error:  # such as UTF-16 without its mark
        raise DataError(
            f"{path.name} is not {encoding.upper()}: {error}. Give another encoding, or auto."
        ) from error
    lines = text.splitlines()
    skip = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith(("#", "%"))), len(lines))
    if skip == len(lines):
        raise DataError(f"{path.name} holds comments only. Choose another file.")
    delimiter = max(DELIMITERS[:4], key=lines[skip].count)
    if not lines[skip].count(delimiter):
        delimiter = " " if " " in lines[skip].strip() else ","
    if delimiter == " " and (lines[skip] != lines[skip].strip() or "  " in lines[skip]):
        raise DataError(f"{path.name}, line {skip + 1}: put exactly one space, or a tab or comma, between columns.")
    rows = list(csv.reader(io.StringIO("\n".join(lines[skip : skip + 2])), delimiter=delimiter, strict=False))
    first, second = ([cell.strip() for cell in row] for row in (*rows, [], [])[:2])
    named = (options.id, options.label, options.source, options.target, options.weight, options.split_column)
    header = is_header(first, second, USUAL | {name.lower() for name in named if name})
    names = first if header else [f"column {number}" for number in range(1, len(first) + 1)]
    return Layout(encoding=encoding, delimiter=delimiter, skip=skip, names=names, header=header)


def line_of(path: Path, layout: Layout, row: int) -> int:
    """Return the line at which a row begins: cells may hold line breaks, and empty lines are no rows."""
    first = layout.skip + 1
    try:
        with path.open(encoding=layout.encoding, errors="replace", newline="") as file:
            reader = csv.reader(itertools.islice(file, layout.skip, None), delimiter=layout.delimiter)
            begins, rows = first, row + layout.header
            for cells in reader:
                if cells and rows == 0:
                    return begins
                begins, rows = first + reader.line_num, rows - bool(cells)
    except (csv.Error, UnicodeError):  # a quote that is never closed, an enormous cell
        pass
    return first + layout.header + row


def is_header(first: list[str], second: list[str], names: set[str]) -> bool:
    """Return whether the first row names columns: it does unless it is a row of two or three plain values."""
    if len(first) > 3 or {cell.lower() for cell in first} & names:
        return True
    numbers = [is_number(cell) for cell in first]
    if any(numbers):
        return False
    return len(second) == len(first) and any(map(is_number, second))


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
