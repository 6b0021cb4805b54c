"""One matrix of features from columns of all kinds, and what was done, in words. What is sparse stays sparse."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from pgcn.data.importers.columns import (
    CATEGORY,
    NUMBERS,
    TEXT,
    UNUSED,
    VECTORS,
    kind_of,
    no_column,
    numbers_of,
    texts_of,
    vectors_of,
)
from pgcn.data.importers.fit import Fit
from pgcn.data.importers.options import ImportOptions, names_in
from pgcn.data.importers.scale import scaled_features
from pgcn.errors import DataError, shown

MOST_ENTRIES = 1_000_000_000
"""Numbers that are not zero: 8 GB of features."""


@dataclass
class Block:
    """Some of the features: a matrix [N, d], NumPy or SciPy, and what its columns are called."""

    matrix: np.ndarray | sp.csr_array
    names: list[str]


def features_of(
    columns, options: ImportOptions, place: Callable[[int], str], fit: Fit
) -> tuple[sp.csr_array, list[str], list]:
    """Return the features [N, D] of an Arrow table, their names, and notes; D may be 0."""
    notes: list[str] = []
    texts, categories = names_in(options.text), names_in(options.categories)
    for name in (*texts, *categories):
        if name not in columns.column_names:
            raise DataError(no_column(name, columns.column_names))
    groups: dict[str, list[str]] = {kind: [] for kind in (NUMBERS, CATEGORY, TEXT, VECTORS, UNUSED)}

    def kinds() -> dict[str, str]:
        found = {}
        for name in columns.column_names:
            kind, reason = kind_of(
                name, columns[name], text=name in texts, category=name in categories, place=place
            )
            found[name] = kind
            if kind == UNUSED:
                notes.append(f"Column {shown(name)} is not used: {reason}.")
        return found

    for name, kind in fit.of("kinds of columns", kinds).items():
        groups[kind].append(name)
        if kind != UNUSED and name not in columns.column_names:
            raise DataError(f"{no_column(name, columns.column_names)} The other graph has features made from it.")
    blocks = [
        number_block(columns, groups[NUMBERS], groups[VECTORS], options, place, notes, fit),
        *(category_block(name, columns[name], notes, fit) for name in groups[CATEGORY]),
        *([text_block(columns, groups[TEXT], options, notes, fit)] if groups[TEXT] else []),
    ]
    names = [name for block in blocks for name in block.names]
    parts = [sp.csr_array(block.matrix) for block in blocks if block.names]
    if not parts:
        return sp.csr_array((columns.num_rows, 0), dtype=np.float32), [], notes
    return sp.csr_array(sp.hstack(parts, format="csr", dtype=np.float32)), names, notes


def number_block(
    columns, numbers: list[str], vectors: list[str], options, place, notes: list[str], fit: Fit
) -> Block:
    """Return all numbers, gaps filled and scaled."""
    count = len(numbers) * columns.num_rows
    if count > MOST_ENTRIES:
        raise DataError(
            f"{len(numbers):,} columns of numbers for {columns.num_rows:,} nodes do not fit into memory."
        )
    matrix = np.empty((columns.num_rows, len(numbers)), dtype=np.float64)
    filled: list[str] = []
    for number, name in enumerate(numbers):
        values = numbers_of(columns[name])
        if values is None:  # where it is of another kind in the other graph
            raise DataError(f"Column {shown(name)} holds something other than numbers. Correct it.")
        if bad := np.flatnonzero(np.isinf(values)).tolist():
            raise DataError(
                f"{place(bad[0])}, column {shown(name)}: {values[bad[0]]} is not a finite number. Correct it, or "
                "leave it empty."
            )
        gaps = np.isnan(values)
        if gaps.any():
            filled.append(f"{int(gaps.sum()):,} in {shown(name)}")
            if options.missing == "refuse":
                raise DataError(
                    f"{place(int(np.flatnonzero(gaps)[0]))}, column {shown(name)}: the number is missing. Fill "
                    "it, or let missing numbers be the median or zero."
                )
            values[gaps] = 0.0 if options.missing == "zero" else fit.of(f"median of {shown(name)}", median(values))
        matrix[:, number] = values
    if filled:
        what = "the median of their column" if options.missing == "median" else "zero"
        more = f" and {len(filled) - 5} more columns" if len(filled) > 5 else ""
        notes.append(f"Missing numbers became {what}: {', '.join(filled[:5])}{more}.")
    names = list(numbers)
    for name in vectors:
        found = vectors_of(name, columns[name])
        if not np.isfinite(found).all():
            raise DataError(f"Column {shown(name)} holds lists with numbers that are missing or infinite.")
        matrix = np.hstack([matrix, found])
        names += [f"{name} {number}" for number in range(found.shape[1])]
    if not names:
        return Block(matrix, [])
    scaled, note = scaled_features(matrix, options.scale, fit)
    if note:
        notes.append(note)
    return Block(scaled, names)


def median(values: np.ndarray) -> Callable[[], float]:
    return lambda: 0.0 if np.isnan(values).all() else float(np.nanmedian(values))


def category_block(name: str, column, notes: list[str], fit: Fit) -> Block:
    """Return one feature for each value of a column, 1 where a node has it."""
    import pyarrow.compute as pc

    texts = texts_of(column)
    encoded = texts.dictionary_encode()
    values, codes = encoded.dictionary.to_pylist(), encoded.indices
    known = fit.of(f"categories of {shown(name)}", lambda: sorted(values))
    place = {value: number for number, value in enumerate(known)}
    rank = np.array([place.get(value, -1) for value in values], dtype=np.int64)
    which = np.full(len(texts), -1)
    valid = pc.is_valid(codes).to_numpy(zero_copy_only=False)
    which[valid] = rank[pc.drop_null(codes).to_numpy().astype(np.int64)]
    present = np.flatnonzero(which >= 0)
    ones = np.ones(len(present), np.float32)
    matrix = sp.csr_array((ones, (present, which[present])), shape=(len(texts), len(known)))
    gaps = f"; {texts.null_count:,} are missing" if texts.null_count else ""
    others = int(valid.sum()) - len(present)
    gaps += f"; {others:,} are none of them" if others else ""
    notes.append(f"Column {shown(name)} became {len(known)} categories{gaps}.")
    return Block(matrix, [f"{name}={value}" for value in known])


def text_block(columns, names: list[str], options: ImportOptions, notes: list[str], fit: Fit) -> Block:
    """Return TF-IDF features of the words of some columns, rows of length 1."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows: list[str] = [""] * columns.num_rows
    for name in names:
        rows = [f"{row} {text or ''}" for row, text in zip(rows, texts_of(columns[name]).to_pylist(), strict=True)]
    shown_names = ", ".join(map(shown, names))

    def find() -> dict[str, list]:
        found = TfidfVectorizer(max_features=options.vocabulary, dtype=np.float32)
        try:
            found.fit(rows)
        except ValueError as error:
            raise DataError(f"The text of {shown_names} holds no words. Leave the column out.") from error
        return {"words": list(map(str, found.get_feature_names_out())), "idf": found.idf_.tolist()}

    used = fit.of("words", find)
    words = used["words"]
    vectorizer = TfidfVectorizer(vocabulary=words, dtype=np.float32)
    vectorizer.idf_ = np.array(used["idf"], dtype=np.float32)
    matrix = vectorizer.transform(rows)
    notes.append(f"The text of {shown_names} became TF-IDF features of {len(words):,} words.")
    return Block(sp.csr_array(matrix), words)
