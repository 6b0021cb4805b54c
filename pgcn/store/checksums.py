"""Checksums of what is stored: a bit that flipped on a disk must not change a result silently."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

ROW = (
    *("id", "created", "method", "dataset", "seed", "status", "step", "topology", "parameters"),
    *("scores", "best_val_accuracy", "seconds", "batch", "creator", "events", "networks"),
)
"""The columns of a run that its checksum covers: not what people write, nor who works on it."""


def checksum(*parts: Any) -> str:
    """Return the checksum of plain values."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=list)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def event_checksum(number: int, body: Mapping[str, Any], step: int | None) -> str:
    return checksum(number, body, step)


def network_checksum(step: int, description: Mapping[str, Any], weights: bytes) -> str:
    return checksum(step, description, hashlib.sha256(weights).hexdigest())


def embedding_checksum(key: str, facts: Mapping[str, Any], arrays: bytes) -> str:
    return checksum(key, facts, hashlib.sha256(arrays).hexdigest())


def graph_checksum(content: str, name: str, facts: Mapping[str, Any], data: bytes) -> str:
    return checksum(content, name, facts, hashlib.sha256(data).hexdigest())


def row_checksum(row: Mapping[Any, Any]) -> str:
    return checksum([row[name] for name in ROW])


def matches(found: Any, compute: Callable[..., str], *parts: Any) -> bool:
    """Return whether a checksum is that of what was read, which may be anything."""
    try:
        return found == compute(*parts)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return False
