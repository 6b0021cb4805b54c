"""The files of the citation data sets: their names, sizes and SHA-256, and the one way to read them.

The Planetoid files are pickles, and a pickle can run code. So a file's bytes are read once, checked against
the known hash, and only those very bytes are handed on. Standard library only.
"""

import difflib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from pgcn.errors import DataError, no_such
from pgcn.source import CATALOGUE_NAMES as NAMES


@dataclass(frozen=True)
class File:
    name: str
    size: int
    sha256: str


# By data set, the folders any one of which is enough, best first.
FOLDERS: dict[str, dict[str, tuple[File, ...]]] = {
    "cora": {
        "Cora/raw": (
            File("ind.cora.x", 22119, "23cfa55d91c6f624233f5eb7b6e3f141f1bd2b2ae39608a63cf5d084bb27baab"),
            File("ind.cora.tx", 148025, "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a"),
            File("ind.cora.allx", 257305, "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543"),
            File("ind.cora.y", 4054, "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1"),
            File("ind.cora.ty", 28135, "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad"),
            File("ind.cora.ally", 47959, "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71"),
            File("ind.cora.graph", 59847, "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d"),
            File(
                "ind.cora.test.index",
                5000,
                "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875",
            ),
        ),
        "Cora/linqs": (
            File("cora.content", 7826135, "0955f03baddbea9911f53814d7781129b71b066e5b442d0a5bd51f439c442082"),
            File("cora.cites", 75357, "316d45e0e48387392c70cc3e3915e43f6f5c147ea45c973971e2c9140aaadacf"),
        ),
    },
    "citeseer": {
        "CiteSeer/raw": (
            File("ind.citeseer.x", 31087, "d20de19150741e555de0ed037195630fc194114ebc7fd72ced62810148aa22f6"),
            File("ind.citeseer.tx", 260321, "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21"),
            File(
                "ind.citeseer.allx",
                595021,
                "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668",
            ),
            File("ind.citeseer.y", 3014, "8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924"),
            File("ind.citeseer.ty", 24135, "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce"),
            File("ind.citeseer.ally", 55623, "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95"),
            File(
                "ind.citeseer.graph",
                61987,
                "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7",
            ),
            File(
                "ind.citeseer.test.index",
                5000,
                "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4",
            ),
        ),
    },
    "pubmed": {
        "PubMed/raw": (
            File("ind.pubmed.x", 23172, "fbe9cb5c47200d1b7769a26e579be3b7130b556831f9d850e77c4c74f2599b33"),
            File("ind.pubmed.tx", 405505, "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d"),
            File("ind.pubmed.allx", 7578385, "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e"),
            File("ind.pubmed.y", 854, "e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3"),
            File("ind.pubmed.ty", 12135, "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd"),
            File("ind.pubmed.ally", 224739, "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e"),
            File("ind.pubmed.graph", 471808, "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9"),
            File(
                "ind.pubmed.test.index",
                6000,
                "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5",
            ),
        ),
    },
}


def dataset_name(text: str) -> str:
    """Return the data set's name in small letters, or say which names there are."""
    name = text.lower() if isinstance(text, str) else ""
    if name in NAMES:
        return name
    close = difflib.get_close_matches(name[:100], NAMES, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise DataError(f"{no_such('data set', text, NAMES)}{hint}")


def files_in(folder: Path) -> tuple[File, ...]:
    """Return the files a folder such as <data directory>/Cora/raw should hold."""
    place = "/".join(folder.parts[-2:])
    return next(folders[place] for folders in FOLDERS.values() if place in folders)


def missing_from(folder: Path) -> list[str]:
    """Return the names of the files the folder lacks, or that cannot be read."""
    return [file.name for file in files_in(folder) if not os.access(folder / file.name, os.R_OK)]


def differs(data: bytes, file: File) -> str:
    """Return how the bytes differ from the file as it should be, or nothing if they are the file."""
    got = hashlib.sha256(data).hexdigest()
    if got == file.sha256:
        return ""
    return f"expected SHA-256 {file.sha256[:12]} and {file.size} bytes, got {got[:12]} and {len(data)} bytes"


def read_checked(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file in the folder by name; refuse any missing or not the known one."""
    missing = missing_from(folder)
    name = folder.parts[-2].lower()
    if missing:
        raise DataError(
            f"{folder} lacks {', '.join(missing)}. "
            f"Put the missing files there, or run `pgcn data get {name}`, which adds only what is missing."
        )
    contents = {}
    for file in files_in(folder):
        try:
            data = (folder / file.name).read_bytes()
        except OSError as error:
            raise DataError(f"{folder / file.name} cannot be read: {error.strerror}.") from error
        if difference := differs(data, file):
            raise DataError(
                f"{folder / file.name} is damaged: {difference}. Delete it and run `pgcn data get {name}`."
            )
        contents[file.name] = data
    return contents
