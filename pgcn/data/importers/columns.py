"""Columns as people have them: numbers, categories, free text, dates; what each is, and its values."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pgcn.errors import DataError, shown

MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "-nan", "<na>", "nat")
"""Texts that say that a value is missing, in lower case."""
EMPTY = ("",)
"""A node may well be called NA: of ids only an empty one is missing."""
NUMBERS, CATEGORY, TEXT, VECTORS, UNUSED = "numbers", "category", "text", "vectors", "unused"
MOST_CATEGORIES = 100
"""Different values up to which a column of texts is taken for categories if nobody says so."""
WORDS = 3
"""Words per value, on average, from which a column of texts is taken for free text."""
NUMBER, DECIMAL_COMMA = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$", r"^[+-]?\d*,\d+$"
MOSTLY = 0.9
"""Share of numbers from which a column is taken for one of numbers, and anything else in it for a mistake."""
DATE = r"^\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}.*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{4}/\d{1,2}/\d{1,2}$"


def no_column(name: str, columns: Iterable[str]) -> str:
    """Return the sentence for a column that is not there; names in a file may be long, and anything."""
    found = [shown(column, longest=40) for column in columns]
    more = f" and {len(found) - 20} more" if len(found) > 20 else ""
    return f"No column named {shown(name)}. Choose one of: {', '.join(found[:20])}{more}."


def texts_of(column, missing: tuple[str, ...] = MISSING) -> Any:
    """Return a column as texts without spaces around them, null where missing; whole floats as whole numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = plain_column(column)
    if pa.types.is_floating(column.type):
        values = column.to_numpy(zero_copy_only=False)
        finite = values[np.isfinite(values)]
        if len(finite) and (finite == np.round(finite)).all() and (abs(finite) < 2**53).all():
            whole = np.where(np.isfinite(values), values, 0).astype(np.int64)
            column = pa.array(whole, mask=~np.isfinite(values))
    try:
        column = column.cast(pa.string())
    except pa.ArrowException as error:
        raise DataError(f"Values of type {column.type} cannot be read as text. Save them as text.") from error
    column = pc.utf8_trim_whitespace(column)
    gone = pc.is_in(pc.utf8_lower(column), value_set=pa.array(missing))
    return pc.if_else(gone, pa.scalar(None, pa.string()), column)


def plain_column(column) -> Any:
    """Return a column in one piece and without a dictionary."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # more text than one array holds
        column = pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in column.chunks])
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def is_string(kind) -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def numbers_of(column) -> np.ndarray | None:
    """Return a column as float64 [N], NaN where missing; None if it holds something else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = plain_column(column)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    elif is_string(column.type):
        try:  # most columns of numbers hold nothing else, and a table may have thousands of them
            return np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        except pa.ArrowException:
            texts = texts_of(column)
        lower = pc.utf8_lower(texts)
        booleans = pc.is_in(lower, value_set=pa.array(["true", "false"]))
        if len(texts) > texts.null_count and pc.all(pc.or_(booleans, pc.is_null(texts))).as_py():
            column = pc.equal(lower, "true").cast(pa.int8())
        else:
            column = texts
    elif not (
        pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type)
    ):
        return None
    try:
        return np.array(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)
    except pa.ArrowException:
        return None


def kind_of(
    name: str, column, *, text: bool, category: bool, place: Callable[[int], str] = "row {}".format
) -> tuple[str, str]:
    """Return what a column is, and why it is not used if so; dates and nested values are refused with a hint."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_temporal(kind):
        raise dates(name, column.type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return VECTORS, ""
    if pa.types.is_null(kind):
        return UNUSED, "it is empty"
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise DataError(
            f"Column {shown(name)} holds values of type {kind}, which cannot be features. Leave it "
            f"out: ignore {name}."
        )
    if text:
        return TEXT, ""
    if category:
        return CATEGORY, ""
    values = numbers_of(column)
    if values is not None:
        return (UNUSED, "it is empty") if np.isnan(values).all() else (NUMBERS, "")
    texts = texts_of(column)
    present = pc.drop_null(texts)
    if pc.all(pc.match_substring_regex(present, DATE)).as_py():
        raise dates(name, present[0])
    refuse_broken_numbers(name, texts, place)
    different = pc.count_distinct(present).as_py()
    words = pc.mean(pc.count_substring_regex(present, r"\S+")).as_py()
    if words >= WORDS:
        return TEXT, ""
    if different <= MOST_CATEGORIES and 2 * different <= len(present) + 2:
        return CATEGORY, ""
    return UNUSED, f"it has {different:,} different short texts, neither categories nor free text"


def refuse_broken_numbers(name: str, texts, place: Callable[[int], str]) -> None:
    """Refuse numbers with a decimal comma, and a column in which few cells are no number: likely mistakes."""
    import pyarrow.compute as pc

    if pc.all(pc.match_substring_regex(pc.drop_null(texts), DECIMAL_COMMA)).as_py():
        raise DataError(
            f"Column {shown(name)} holds numbers with a comma ({pc.drop_null(texts)[0]}). Write them with a point, "
            f"or leave the column out: ignore {name}."
        )
    are = pc.match_substring_regex(texts, NUMBER)
    if MOSTLY <= pc.mean(are).as_py() < 1:
        row = pc.index(are, False).as_py()
        raise DataError(
            f"{place(row)}, column {shown(name)}: expected a number as in the other rows, got "
            f"{shown(texts[row].as_py())}. Correct it, leave it empty, or take the column for categories."
        )


def dates(name: str, example) -> DataError:
    return DataError(
        f"Column {shown(name)} holds dates ({example}). Make a number of them, such as the year or its days, "
        f"or leave the column out: ignore {name}."
    )


def vectors_of(name: str, column) -> np.ndarray:
    """Return a column of lists of numbers as a matrix [N, length]."""
    import pyarrow as pa

    column = plain_column(column)
    lengths = {None if row is None else len(row) for row in column}
    if len(lengths) != 1 or None in lengths or 0 in lengths:
        raise DataError(f"Column {shown(name)} holds lists of different lengths. Give every node as many numbers.")
    values = numbers_of(column.flatten()) if not pa.types.is_nested(column.type.value_type) else None
    if values is None:
        raise DataError(
            f"Column {shown(name)} holds lists of something other than numbers. Leave it out: ignore {name}."
        )
    return values.reshape(len(column), -1)
