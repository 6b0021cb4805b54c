"""The events of a run as CSV and JSON Lines."""

import json
from collections.abc import Sequence
from typing import Any

from pgcn.events import Event
from pgcn.tables import as_csv


def events_as_jsonl(events: Sequence[Event]) -> str:
    """Return one event per line."""
    return "".join(f"{json.dumps(event.to_dict(), allow_nan=False)}\n" for event in events)


def events_as_csv(events: Sequence[Event]) -> str:
    """Return a table with a row for every event and a column for every number."""
    rows = [flat(event.to_dict()) for event in events]
    return as_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def flat(body: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested values under names such as after.val_accuracy; lists as text."""
    row = {}
    for name, value in body.items():
        if isinstance(value, dict):
            row |= flat(value, f"{prefix}{name}.")
        else:
            row[prefix + name] = json.dumps(value) if isinstance(value, list) else value
    return row
