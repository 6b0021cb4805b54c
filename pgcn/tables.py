"""Tables as CSV that a spreadsheet opens as text and numbers, never as formulas."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What begins a formula in a spreadsheet, or hides its beginning (OWASP, CSV injection)."""


def csv_cell(value: Any) -> Any:
    """Return a value for a cell: text that would be a formula is preceded by an apostrophe, numbers stay."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def as_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table with a column for every name; what a row does not have is left empty."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(map(csv_cell, names))
    table.writerows([csv_cell(row.get(name)) for name in names] for row in rows)
    return text.getvalue()
