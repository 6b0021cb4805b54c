"""The classes of a graph from whatever labels there are: texts or numbers, empty where not known."""

from typing import Any

import numpy as np

from pgcn.data.importers.columns import texts_of
from pgcn.data.importers.options import ImportOptions, names_in
from pgcn.errors import DataError, shown
from pgcn.numbers import counted

HANDFUL = 5
MOST_CLASSES = 10_000


def classes_of(labels: Any, class_names, options: ImportOptions) -> tuple[np.ndarray, list[str], list[str]]:
    """Return the class of each node, int64 [N] with -1 where not known, the names of the classes, and notes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    notes: list[str] = []
    texts = texts_of(labels if isinstance(labels, pa.Array | pa.ChunkedArray) else label_column(labels))
    if unknown := names_in(options.unknown):
        texts = pc.if_else(pc.is_in(texts, value_set=pa.array(unknown)), pa.scalar(None, texts.type), texts)
    encoded = texts.dictionary_encode()
    found = [str(value) for value in encoded.dictionary.to_pylist()]
    codes = pc.fill_null(encoded.indices, -1).to_numpy().astype(np.int64)
    numbers = [int(value) if is_whole(value) else None for value in found]
    if not unknown and (ignored := stand_for_nothing(numbers)):
        count = int(np.isin(codes, ignored).sum())
        codes[np.isin(codes, ignored)] = -1
        what = " and ".join(found[number] for number in ignored)
        notes.append(
            f"{counted(count, 'node')} labelled {what}: read as not known. If that is a class, name it in words."
        )
    present = [number for number in range(len(found)) if number not in (ignored if not unknown else [])]
    order = class_order([found[number] for number in present], names_in(options.classes))
    rank = np.full(len(found) + 1, -1, dtype=np.int64)
    for place, number in enumerate(order):
        rank[present[number]] = place
    y, names = rank[codes], [found[present[number]] for number in order]
    check_classes(y, names)
    if class_names is not None:
        names = named(names, class_names)
    sizes = np.bincount(y[y >= 0], minlength=len(names))
    if small := [f"{name[:40]} ({size})" for name, size in zip(names, sizes, strict=True) if size < HANDFUL]:
        more = f" and {len(small) - 10} more" if len(small) > 10 else ""
        few = counted(len(small), "class", "classes")
        notes.append(f"{few} with fewer than {HANDFUL} known nodes: {', '.join(small[:10])}{more}.")
    return y, names, notes


def label_column(labels: Any):
    """Return labels of a NumPy array as a column."""
    import pyarrow as pa

    array = np.asarray(labels)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 2 and array.shape[1] and array.dtype.kind in "biuf" and np.isin(array, (0, 1)).all():
        if (array.sum(axis=1) > 1).any():
            raise DataError("Some nodes have several classes; only one class per node is supported.")
        array = np.where(array.any(axis=1), array.argmax(axis=1), -1)  # one column for each class
    if array.ndim != 1:
        raise DataError(f"Labels must hold one class for each node, got shape {array.shape}.")
    try:
        return pa.array(array.tolist() if array.dtype.kind == "U" else array)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise DataError(f"Labels must be texts or numbers, got {array.dtype}.") from error


def is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < 19


def stand_for_nothing(numbers: list[int | None]) -> list[int]:
    """Return which labels are -1 and -100 where all others count up from 0: these are not known."""
    others = sorted(number for number in numbers if number is not None and number not in (-1, -100))
    if None in numbers or len(others) < 2 or others != list(range(len(others))):
        return []
    return [place for place, number in enumerate(numbers) if number in (-1, -100)]


def class_order(found: list[str], wanted: list[str]) -> list[int]:
    """Return the classes in their order: as asked, else by number, else by the alphabet."""
    if wanted:
        if strange := [name for name in found if name not in wanted]:
            raise DataError(f"The label {shown(strange[0])} is not among the classes that were named.")
        return sorted(range(len(found)), key=lambda number: wanted.index(found[number]))
    if all(map(is_whole, found)):
        return sorted(range(len(found)), key=lambda number: int(found[number]))
    return sorted(range(len(found)), key=lambda number: found[number])


def check_classes(y: np.ndarray, names: list[str]) -> None:
    """Refuse labels that are no classes: none at all, or almost as many as nodes."""
    known = int((y >= 0).sum())
    if not names or not known:
        raise DataError("No node has a label. Label some nodes of each class, or choose another label column.")
    if len(names) > MOST_CLASSES or (len(names) > 20 and 2 * len(names) > known):
        raise DataError(
            f"The labels have {len(names):,} different values for {known:,} nodes, the first is {shown(names[0])}: "
            "these are no classes. Choose another label column."
        )


def named(found: list[str], class_names) -> list[str]:
    """Return the names of classes that are numbered."""
    names = [str(name).strip() for name in class_names]
    numbers = [int(text) if is_whole(text) else -1 for text in found]
    if min(numbers) < 0 or max(numbers) >= len(names):
        raise DataError(f"There are names of {len(names)} classes, but labels up to {max(numbers)}.")
    chosen = [names[number] for number in numbers]
    return chosen if len(set(chosen)) == len(chosen) and all(chosen) else found
