"""Which nodes are labelled, validate and test: as given, or drawn."""

import numpy as np
import torch

from pgcn.data.importers.columns import numbers_of, texts_of
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts
from pgcn.data.split_names import checked_fraction, parse_split
from pgcn.data.splits import Masks, known_split
from pgcn.errors import ConfigError, DataError, shown
from pgcn.graph.arrays import clean_mask

WORDS = {
    "train": ("train", "training", "labelled", "labeled", "tr"),
    "val": ("val", "valid", "validation", "dev", "va"),
    "test": ("test", "testing", "te"),
}
VALIDATION = 0.2
PER_CLASS = 20


def masks_of_column(column, name: str, place) -> dict[str, np.ndarray]:
    """Return the masks that a column of words gives: train, val, test, or nothing."""
    texts = texts_of(column)
    words = np.array([(text or "").lower() for text in texts.to_pylist()])
    known = {word for some in WORDS.values() for word in some} | {"", "none", "unused"}
    strange = [row for row, word in enumerate(words.tolist()) if word not in known]
    if strange:
        raise DataError(
            f"{place(strange[0])}, column {shown(name)}: expected train, val, test or nothing, got "
            f"{shown(str(words[strange[0]]))}."
        )
    return {part: np.isin(words, some) for part, some in WORDS.items()}


def mask_of_column(column, name: str) -> np.ndarray:
    """Return the mask that a column of zeros and ones, or of true and false, gives."""
    values = numbers_of(column)
    if values is None or not np.isin(values[~np.isnan(values)], (0, 1)).all():
        raise DataError(f"Column {shown(name)} marks nodes: it must hold 0 and 1, or true and false.")
    return values == 1


def masks_for(parts: Parts, y: np.ndarray, options: ImportOptions) -> tuple[Masks, str]:
    """Return labelled, validation and test nodes, and in words where they come from."""
    given = {name: clean_mask(mask, name, len(y)) for name, mask in parts.masks.items() if mask is not None}
    marked = "train" in given and bool(given["train"].any())
    how = options.split
    if how == "given" and not marked:
        raise DataError("No split is given with the graph. Name the column, or draw one, such as known:0.2.")
    if how in ("auto", "given") and marked:
        return given_masks(given, y, options, parts)
    if how == "auto":
        how = f"known:{VALIDATION}" if (y < 0).any() else f"random:{per_class(y)}"
    if how.startswith("known:"):
        share = validation_share(how)
        masks = known_split(y, share, seed=options.seed)
        return masks, f"all known labels but {100 * share:g} % that validate, seed {options.seed}"
    split = parse_split(how)
    return split.masks(y, seed=options.seed), split.describe(seed=options.seed)


def validation_share(text: str) -> float:
    try:
        return checked_fraction(float(text.removeprefix("known:")))
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError(f"split must be such as known:0.2, got {shown(text)}.") from error


def per_class(y: np.ndarray) -> int:
    """Return how many nodes to label in each class of a graph whose classes are all known."""
    return min(PER_CLASS, max(1, int(np.bincount(y).min()) // 3))


def given_masks(given: dict, y: np.ndarray, options: ImportOptions, parts: Parts) -> tuple[Masks, str]:
    """Return the masks as given; without validation nodes some of the labelled ones validate."""
    nothing = torch.zeros(len(y), dtype=torch.bool)
    train, val, test = (given.get(name, nothing) for name in ("train", "val", "test"))
    if bool(val.any()):
        return (train, val, test), "given"
    train, val, _ = known_split(np.where(train.numpy(), y, -1), VALIDATION, seed=options.seed)
    parts.notes.append(f"No validation nodes were given: {int(val.sum()):,} of the labelled ones validate.")
    return (train, val, test), f"given, with validation nodes drawn by seed {options.seed}"
