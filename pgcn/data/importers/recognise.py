"""Which format a file has, by what it begins with: names are often wrong."""

import zipfile
from pathlib import Path
from xml.parsers import expat

from pgcn.errors import DataError, shown

TABLE, PARQUET, NPZ, TORCH, MATRIX, GRAPHML, GEXF, JSON = FORMATS = (
    "table",
    "parquet",
    "npz",
    "torch",
    "matrix market",
    "graphml",
    "gexf",
    "json",
)
REFUSED = {
    b"\x1f\x8b": "is packed with gzip. Unpack it first (gunzip).",
    b"BZh": "is packed with bzip2. Unpack it first (bunzip2).",
    b"\xfd7zXZ": "is packed with xz. Unpack it first (unxz).",
    b"7z\xbc\xaf": "is packed with 7-Zip. Unpack it first.",
    b"\x93NUMPY": "holds one NumPy array. Save all parts together: np.savez(file, edge_index=…, x=…, y=…).",
    b"\x89HDF": "is an HDF5 file, which is not read. Save its tables as CSV or Parquet.",
    b"SQLite format 3": "is a database. Save its tables as CSV.",
    b"\x80\x02": "is a pickle, which can run code and is never opened. Save the graph as .npz, GraphML or CSV.",
    b"\x80\x03": "is a pickle, which can run code and is never opened. Save the graph as .npz, GraphML or CSV.",
    b"\x80\x04": "is a pickle, which can run code and is never opened. Save the graph as .npz, GraphML or CSV.",
    b"\x80\x05": "is a pickle, which can run code and is never opened. Save the graph as .npz, GraphML or CSV.",
}
HEAD = 4096


def head_of(path: Path, size: int = HEAD) -> bytes:
    """Return how a file begins; refuse one that is not there, is empty or cannot be read."""
    try:
        if path.is_dir():
            raise DataError(f"{path.name} is a folder. Name a file.")
        with path.open("rb") as file:
            head = file.read(size)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{shown(str(path))} cannot be read: {reason}.") from error
    if not head.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise DataError(f"{path.name} is empty. Choose another file.")
    return head


def checked_size(path: Path, most: int) -> int:
    """Return the bytes of a file; refuse one that is too large to be read."""
    size = path.stat().st_size
    if size > most:
        raise DataError(
            f"{path.name} has {size / 1e9:.1f} GB; files up to {most / 1e9:.1f} GB are read. Take a part of it, or "
            "raise most_gigabytes."
        )
    return size


def format_of(path: Path) -> str:
    """Return the format of a file, or say what it is and what to do with it."""
    head = head_of(path)
    for beginning, advice in REFUSED.items():
        if head.startswith(beginning):
            raise DataError(f"{path.name} {advice}")
    if head.startswith(b"PAR1"):
        return PARQUET
    if head.startswith(b"PK"):
        return format_of_archive(path)
    text = unmarked(head).lstrip()
    if text.lower().startswith("%%matrixmarket"):
        return MATRIX
    if text.startswith("<"):
        return format_of_xml(path)
    if text.startswith("{"):
        return JSON
    if text.startswith("["):
        raise DataError(
            f"{path.name} is JSON that begins with a list. Save the graph as node-link JSON, an object with "
            "'nodes' and 'links': networkx.node_link_data(G)."
        )
    return TABLE


def unmarked(head: bytes) -> str:
    """Return the beginning of a file as text, without its byte order mark."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head[: len(head) // 2 * 2].decode("utf-16", errors="replace")
    return head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")


def format_of_archive(path: Path) -> str:
    """Return whether a zip file is NumPy's or torch's."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name} is a damaged zip file: {error}. Save or download it again.") from error
    if names and all(name.endswith(".npy") for name in names):
        return NPZ
    if any(name.endswith("data.pkl") for name in names):
        return TORCH
    if "[Content_Types].xml" in names:
        raise DataError(f"{path.name} is an office document. Save its tables as CSV.")
    raise DataError(f"{path.name} is a zip file of something else. Unpack it, and choose the files of the graph.")


class FoundRoot(Exception):
    """The first element of an XML file was read."""


def format_of_xml(path: Path) -> str:
    """Return whether an XML file is GraphML or GEXF, by its first element."""
    found: list[str] = []

    def started(name: str, attributes: dict) -> None:
        found.append(name)
        raise FoundRoot

    parser = expat.ParserCreate()
    parser.StartElementHandler = started
    refuse_declarations(parser, path.name)
    try:
        with path.open("rb") as file:
            parser.Parse(file.read(1 << 16), False)
    except FoundRoot:
        pass
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise DataError(f"{path.name} is not readable XML: {error}. Save or export it again.") from error
    root = found[0].split(":")[-1].lower() if found else ""
    if root in (GRAPHML, GEXF):
        return root
    raise DataError(f"{path.name} is XML, but neither GraphML nor GEXF: it begins with {shown(root)}.")


def refuse_declarations(parser, name: str) -> None:
    """Make a parser refuse a document type: a few entities can stand for gigabytes, or name other files."""

    def refuse(*declaration) -> None:
        raise DataError(
            f"{name} declares a document type or entities (<!DOCTYPE or <!ENTITY), which a graph does not need and "
            "which can fill the memory. Remove the declaration."
        )

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
