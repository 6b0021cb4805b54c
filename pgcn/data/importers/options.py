"""How a graph is read from files: the choices that people have. For the command line, a page and Python."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pgcn.config import Config, option, seed_option

GIGABYTE = 1_000_000_000
SPLIT = re.compile(r"auto|given|random:[0-9]{1,8}|fraction:[0-9.]{1,20}|known:[0-9.]{1,20}")


@dataclass(frozen=True, kw_only=True)
class ImportOptions(Config):
    """Which column is what, and what becomes of values. Columns are named with commas between them."""

    id: str | None = option(None, "Column with the ids of nodes; guessed where not given.")
    label: str | None = option(None, "Column with the classes; empty where a class is not known.")
    source: str | None = option(None, "Column of the edges with one end.")
    target: str | None = option(None, "Column of the edges with the other end.")
    weight: str | None = option(None, "Column of the edges with their weights.")
    text: str = option("", "Columns with free text, made TF-IDF features.")
    categories: str = option("", "Columns with categories, made one feature for each value.")
    use: str = option("", "Feature columns to use; all where not given.")
    ignore: str = option("", "Columns to leave out.")
    split_column: str | None = option(None, "Column that says train, val or test of a node.")
    split: str = option(
        "auto",
        "auto, given, random:20 (labelled per class), fraction:0.1 (labelled share), known:0.2 (all labelled but "
        "a share that validates).",
        form=(SPLIT, "auto, given, random:20, fraction:0.1 or known:0.2 (your own numbers)"),
    )
    seed: int = seed_option("Seed of a split that is drawn and of structural features.")
    classes: str = option("", "The classes in their order; else by number or alphabet.")
    unknown: str = option("", "Further labels that mean: not known.")
    missing: str = option(
        "median", "Missing numbers: median, zero or refuse.", choices=("median", "zero", "refuse")
    )
    scale: str = option(
        "auto",
        "auto (sparse counts by row, other numbers standardised), none, rows or standard.",
        choices=("auto", "none", "rows", "standard"),
    )
    vocabulary: int = option(2000, "Words of free text that become features.", at_least=1, at_most=1_000_000)
    structure: str = option(
        "auto",
        "Structural features: auto (where a graph has no others), always or never.",
        choices=("auto", "always", "never"),
    )
    weights: str = option("use", "Weights of edges: use or ignore.", choices=("use", "ignore"))
    dangling: str = option("drop", "Edges to nodes that are not there: drop or refuse.", choices=("drop", "refuse"))
    encoding: str = option("auto", "Of text files; auto is UTF-8, or UTF-16 where the file begins so.")
    most_gigabytes: float = option(4.0, "The largest file, unpacked.", above=0, at_most=1000.0)

    @property
    def most_bytes(self) -> int:
        return int(self.most_gigabytes * GIGABYTE)


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas; a name with a comma stands in quotes, as in CSV."""
    cells = next(csv.reader([text], skipinitialspace=True), []) if '"' in text else text.split(",")
    return [name.strip() for name in cells if name.strip()]


def names_text(names: Iterable[str]) -> str:
    """Return names as the list that :func:`names_in` reads."""
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in names)
