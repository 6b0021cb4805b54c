"""The adjacency as a MatrixMarket file (``.mtx``); labels and features come in a table of nodes beside it.

Read by NumPy's own parser of numbers: SciPy's reader ends the whole process at some damaged files.
"""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import MOST_NODES, Parts
from pgcn.data.importers.recognise import checked_size
from pgcn.errors import DataError, shown


@dataclass(frozen=True, kw_only=True)
class Header:
    """What the first lines promise."""

    rows: int
    entries: int
    weighted: bool
    symmetric: bool


def read_matrix_market(path: Path, options: ImportOptions) -> Parts:
    """Return edges and weights of an adjacency; its header is believed only as far as the file is long."""
    size = checked_size(path, options.most_bytes)
    with path.open("rb") as file:
        header = read_header(file, path.name, size)
        entries = read_entries(file, header, path.name)
    places = entries[:, :2]
    if not ((places >= 1) & (places <= header.rows) & (places == np.floor(places))).all():
        raise DataError(f"{path.name}: the numbers of nodes must be whole and from 1 to {header.rows:,}.")
    edges = places.T.astype(np.int64) - 1
    weights = entries[:, 2] if header.weighted else np.ones(len(entries))
    if header.symmetric:  # only one triangle is written
        mirrored = edges[0] != edges[1]
        edges = np.concatenate([edges, edges[::-1, mirrored]], axis=1)
        weights = np.concatenate([weights, weights[mirrored]])
    edges, weights = edges[:, weights != 0], weights[weights != 0]
    return Parts(
        name=path.stem, num_nodes=header.rows, edges=edges, weight=None if (weights == 1).all() else weights
    )


def read_entries(file: BinaryIO, header: Header, name: str) -> np.ndarray:
    """Return the lines after the header as numbers, [E, 2] or with weights [E, 3]."""
    columns = 3 if header.weighted else 2
    if not header.entries:
        return np.empty((0, columns))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that there are none: said below
            entries = np.loadtxt(file, dtype=np.float64, comments="%", ndmin=2)
    except (ValueError, OverflowError, MemoryError) as error:
        text = (str(error).splitlines() or ["it ends too early"])[0]
        raise DataError(f"{name} is damaged MatrixMarket: {text[:200]}. Save it again.") from error
    if entries.shape != (header.entries, columns):
        raise DataError(
            f"{name} promises {header.entries:,} lines of {columns} numbers and has {len(entries):,} of "
            f"{entries.shape[1]}. Save it again."
        )
    return entries


def read_header(file: BinaryIO, name: str, size: int) -> Header:
    """Return what is promised; refuse what is no adjacency, or promises more than the file can hold."""
    banner = file.readline(1000).decode("ascii", errors="replace").lower().split()
    line = b"%"
    while line.startswith(b"%") or (line and not line.strip()):
        line = file.readline(100_000)
    kinds = ("pattern", "real", "integer", "double")
    if (
        len(banner) < 5
        or banner[2] != "coordinate"
        or banner[3] not in kinds
        or banner[4] not in ("general", "symmetric")
    ):
        raise DataError(
            f"{name}: an adjacency is a 'matrix coordinate' of pattern, integer or real, general or symmetric, got "
            f"{shown(' '.join(banner[1:])[:60])}. Save a sparse matrix with scipy.io.mmwrite."
        )
    try:
        rows, columns, entries = (int(word) for word in line.split()[:3])
    except ValueError as error:
        raise DataError(f"{name}: rows, columns and entries are missing after the header.") from error
    if rows != columns or not 0 < rows <= MOST_NODES:
        raise DataError(f"{name}: an adjacency has as many rows as columns, got {rows:,} and {columns:,}.")
    if entries < 0 or 4 * entries > size + 4:  # "1 1\n"
        raise DataError(f"{name} promises {entries:,} entries and is too short for them. Save it again.")
    return Header(rows=rows, entries=entries, weighted=banner[3] != "pattern", symmetric=banner[4] == "symmetric")
