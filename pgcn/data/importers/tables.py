"""CSV, TSV and Parquet files as Arrow tables, in pieces: a large file is never in memory as text as a whole."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pgcn.data.importers.layout import Layout, layout_of, line_of
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import MOST_EDGES, Progress, check_count, no_progress
from pgcn.data.importers.recognise import PARQUET, checked_size, format_of
from pgcn.errors import DataError, shown

BLOCK = 1 << 24


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table that was read; ``layout`` is that of a text file, None where rows have no lines."""

    path: Path
    data: Any
    layout: Layout | None = None
    header: bool = True

    @property
    def names(self) -> list[str]:
        return self.data.column_names

    def place(self, row: int) -> str:
        """Return where a row is, such as 'nodes.csv, line 7'."""
        if self.layout is None:
            return f"{self.path.name}, row {row}"
        return f"{self.path.name}, line {line_of(self.path, self.layout, row)}"


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
                progress(f"Reading {path.name}", min(file.tell(), total), total)
    except (pa.ArrowException, ValueError, LookupError, UnicodeError) as error:
        raise bad_text(path, layout, error) from error
    data = (
        pa.Table.from_batches(batches) if batches else pa.table({name: pa.array([], pa.string()) for name in names})
    )
    table = Table(path=path, data=data, layout=layout, header=layout.header)
    refuse_nul(table)
    return table


def bad_text(path: Path, layout: Layout, error: Exception) -> DataError:
    """Return what is wrong with a text file: the line where Arrow tells, and what to do."""
    text = (str(error).splitlines() or [type(error).__name__])[0].removeprefix("CSV parse error: ")
    text = "".join(character if character.isprintable() else "�" for character in text)  # it quotes the file
    place = re.match(r"(?:In CSV column #(?P<column>\d+): )?Row #(?P<row>\d+): ", text)
    where, before = path.name, layout.skip + layout.header
    if place:
        where += f", line {line_of(path, layout, int(place['row']) - before - 1)}"
        where += f", column {shown(layout.names[int(place['column'])])}" if place["column"] else ""
    if "UTF8" in text or isinstance(error, UnicodeError):
        found = "" if place else f" throughout ({text})"
        return DataError(
            f"{where} is not {layout.encoding.upper()}{found}. Save it as UTF-8, or give its encoding, such as "
            "latin-1."
        )
    if place and "Expected" in text:
        return DataError(
            f"{where}: {text[place.end() :][:120].lower().removesuffix('.')}. Every line needs a cell for each of "
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
    return Table(path=path, data=data)
