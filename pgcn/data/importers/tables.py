"""CSV, TSV and Parquet files as Arrow tables, in pieces: a large file is never in memory as text as a whole."""

import codecs
import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import MOST_EDGES, Progress, check_count, no_progress
from pgcn.data.importers.recognise import PARQUET, checked_size, format_of, head_of
from pgcn.errors import DataError, shown

BLOCK = 1 << 24
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


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table that was read: ``first`` is the line of its first row, None where rows have no lines."""

    path: Path
    data: Any
    first: int | None
    header: bool = True

    @property
    def names(self) -> list[str]:
        return self.data.column_names

    def place(self, row: int) -> str:
        """Return where a row is, such as 'nodes.csv, line 7'."""
        return (
            f"{self.path.name}, row {row}" if self.first is None else f"{self.path.name}, line {self.first + row}"
        )


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


def read_table(path: Path, options: ImportOptions, progress: Progress = no_progress) -> Table:
    """Return a table in a file of either kind; values of text files are texts."""
    checked_size(path, options.most_bytes)
    found = read_parquet(path, options) if format_of(path) == PARQUET else read_text(path, options, progress)
    refuse_twice(path, found.names)
    if found.data.num_rows == 0:
        raise DataError(f"{path.name} has a header but no rows. Choose another file.")
    return found


def refuse_twice(path: Path, names: list[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"{path.name} has two columns named {shown(twice)}. Rename one of them.")


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


def read_text(path: Path, options: ImportOptions, progress: Progress) -> Table:
    """Return a text file as columns of texts; a row with too many or too few cells is refused with its line."""
    import pyarrow as pa
    import pyarrow.csv as arrow

    layout = layout_of(path, options)
    refuse_twice(path, layout.names)
    names, total, batches, rows = layout.names, path.stat().st_size, [], 0
    try:
        with path.open("rb") as file:
            reader = arrow.open_csv(
                file,
                read_options=arrow.ReadOptions(
                    use_threads=False,  # so that errors name their row
                    block_size=BLOCK,
                    skip_rows=layout.skip + layout.header,
                    column_names=names,
                    encoding=layout.encoding,
                ),
                parse_options=arrow.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
                convert_options=arrow.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, null_values=[]
                ),
            )
            for batch in reader:
                batches.append(batch)
                rows += batch.num_rows
                check_count(rows, "rows", MOST_EDGES, path.name)
                progress(path.name, min(file.tell(), total), total)
    except (pa.ArrowException, ValueError, LookupError, UnicodeError) as error:
        raise bad_text(path, layout, error) from error
    first = layout.skip + layout.header + 1
    data = (
        pa.Table.from_batches(batches) if batches else pa.table({name: pa.array([], pa.string()) for name in names})
    )
    table = Table(path=path, data=data, first=first, header=layout.header)
    refuse_nul(table)
    return table


def bad_text(path: Path, layout: Layout, error: Exception) -> DataError:
    """Return what is wrong with a text file: the line where Arrow tells, and what to do."""
    text = (str(error).splitlines() or [type(error).__name__])[0].removeprefix("CSV parse error: ")
    text = "".join(character if character.isprintable() else "�" for character in text)  # it quotes the file
    if "UTF8" in text or isinstance(error, UnicodeError):
        return DataError(
            f"{path.name} is not {layout.encoding.upper()} throughout ({text}). Save it as UTF-8, or give its "
            "encoding, such as latin-1."
        )
    if text.startswith("Row #") and "Expected" in text:
        row, _, rest = text.removeprefix("Row #").partition(": ")
        return DataError(
            f"{path.name}, line {row}: {rest[:120].lower().removesuffix('.')}. Every line needs a cell for each of "
            f"{len(layout.names)} columns, with {shown(layout.delimiter)} between them."
        )
    return DataError(
        f"{path.name} cannot be read as a table: {text[:200].removesuffix('.')}. Save it as CSV again."
    )


def refuse_nul(table: Table) -> None:
    """Refuse texts with NUL, which end in the middle for many programs."""
    import pyarrow.compute as pc

    for name in table.names:
        if pc.any(pc.match_substring(table.data[name], "\0")).as_py() or "\0" in name:
            raise DataError(
                f"{table.path.name}, column {shown(name)} holds NUL bytes. Remove them, or save it again."
            )


def read_parquet(path: Path, options: ImportOptions) -> Table:
    """Return a Parquet file, row group by row group, as long as it is not too large."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    batches, size = [], 0
    try:
        with parquet.ParquetFile(path) as file:
            check_count(file.metadata.num_rows, "rows", MOST_EDGES, path.name)
            for batch in file.iter_batches(1 << 16, use_threads=False):
                batches.append(batch)
                size += batch.nbytes
                if size > options.most_bytes:
                    raise DataError(
                        f"{path.name} has more than {options.most_gigabytes:g} GB unpacked. Take a part of it, or "
                        "raise most_gigabytes."
                    )
            data = pa.Table.from_batches(batches, schema=file.schema_arrow)
            data.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        text = (str(error).splitlines() or ["no reason given"])[0]
        raise DataError(f"{path.name} is damaged Parquet: {text[:200].rstrip('.')}. Save it again.") from error
    return Table(path=path, data=data, first=None)
