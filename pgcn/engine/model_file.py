"""Networks as files: safetensors with a description beside the weights. No torch; nothing in a file is executed."""

import json
import struct
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from pgcn.errors import ModelFileError

FORMAT = "pgcn-model-1"


def model_file(weights: bytes, *, method: str, description: dict[str, Any], config: dict[str, Any]) -> bytes:
    """Return weights in safetensors with all that is needed to build their network; the same bytes every time."""
    metadata = {
        "architecture": json.dumps(description, sort_keys=True),
        "config": json.dumps(config, sort_keys=True),
        "format": FORMAT,
        "method": method,
    }
    # Written by hand: the library puts metadata into the file in an order of its own, another one each time.
    size = struct.unpack("<Q", weights[:8])[0]
    header = {"__metadata__": metadata, **json.loads(weights[8 : 8 + size])}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + weights[8 + size :]


def read_model_file(path: str | Path, framework: str = "pt") -> tuple[dict[str, str], dict[str, Any]]:
    """Return the metadata and the weights of a file that :func:`model_file` made."""
    path = Path(path)
    if not path.is_file():
        raise ModelFileError(f"No model file at {path}.")
    try:
        with safe_open(path, framework=framework) as file:
            metadata = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise ModelFileError(f"{path} is not a readable safetensors file: {error}.") from error
    if metadata.get("format") != FORMAT:
        raise ModelFileError(
            f"{path} is not a model of this program: expected format {FORMAT!r}, got {metadata.get('format')!r}."
        )
    return metadata, weights
