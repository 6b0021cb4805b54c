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
    columns, options: ImportOptions, place: Callable[[int], str]
) -> tuple[sp.csr_array, list[str], list]:
    """Return the features [N, D] of an Arrow table, their names, and notes; D may be 0."""
    notes: list[str] = []
    texts, categories = names_in(options.text), names_in(options.categories)
    for name in (*texts, *categories):
        if name not in columns.column_names:
            raise DataError(no_column(name, columns.column_names))
    groups: dict[str, list[str]] = {kind: [] for kind in (NUMBERS, CATEGORY, TEXT, VECTORS, UNUSED)}
    for name in columns.column_names:
        kind, reason = kind_of(name, columns[name], text=name in texts, category=name in categories, place=place)
        groups[kind].append(name)
        if kind == UNUSED:
            notes.append(f"Column {shown(name)} is not used: {reason}.")
    blocks = [
        number_block(columns, groups[NUMBERS], groups[VECTORS], options, place, notes),
        *(category_block(name, columns[name], notes) for name in groups[CATEGORY]),
        *([text_block(columns, groups[TEXT], options, notes)] if groups[TEXT] else []),
    ]
    names = [name for block in blocks for name in block.names]
    parts = [sp.csr_array(block.matrix) for block in blocks if block.names]
    if not parts:
        return sp.csr_array((columns.num_rows, 0), dtype=np.float32), [], notes
    return sp.csr_array(sp.hstack(parts, format="csr", dtype=np.float32)), names, notes


def number_block(columns, numbers: list[str], vectors: list[str], options, place, notes: list[str]) -> Block:
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
        assert values is not None  # kind_of has read it
        if bad := np.flatnonzero(np.isinf(values)).tolist():
            raise DataError(
                f"{place(bad[0])}, column {shown(name)}: {values[bad[0]]} is no finite number. Correct it, or "
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
            values[gaps] = np.median(values[~gaps]) if options.missing == "median" and not gaps.all() else 0.0
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
    scaled, note = scaled_features(matrix, options.scale)
    if note:
        notes.append(note)
    return Block(scaled, names)


def category_block(name: str, column, notes: list[str]) -> Block:
    """Return one feature for each value of a column, 1 where a node has it."""
    import pyarrow.compute as pc

    texts = texts_of(column)
    encoded = texts.dictionary_encode()
    values, codes = encoded.dictionary.to_pylist(), encoded.indices
    order = sorted(range(len(values)), key=lambda number: values[number])
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    present = np.flatnonzero(pc.is_valid(codes).to_numpy(zero_copy_only=False))
    which = rank[pc.drop_null(codes).to_numpy().astype(np.int64)]
    matrix = sp.csr_array((np.ones(len(present), np.float32), (present, which)), shape=(len(texts), len(values)))
    gaps = f"; {texts.null_count:,} are missing" if texts.null_count else ""
    notes.append(f"Column {shown(name)} became {len(values)} categories{gaps}.")
    return Block(matrix, [f"{name}={values[number]}" for number in order])


def text_block(columns, names: list[str], options: ImportOptions, notes: list[str]) -> Block:
    """Return TF-IDF features of the words of some columns, rows of length 1."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows: list[str] = [""] * columns.num_rows
    for name in names:
        rows = [f"{row} {text or ''}" for row, text in zip(rows, texts_of(columns[name]).to_pylist(), strict=True)]
    vectorizer = TfidfVectorizer(max_features=options.vocabulary, dtype=np.float32)
    shown_names = ", ".join(map(shown, names))
    try:
        matrix = vectorizer.fit_transform(rows)
    except ValueError as error:
        raise DataError(f"The text of {shown_names} holds no words. Leave the column out.") from error
    words = [str(word) for word in vectorizer.get_feature_names_out()]
    notes.append(f"The text of {shown_names} became TF-IDF features of {len(words):,} words.")
    return Block(sp.csr_array(matrix), words)
