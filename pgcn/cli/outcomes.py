"""The runs of a study as files and text: what ``pgcn difficulty``, ``pgcn arena`` and ``pgcn sweep`` share."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pgcn.cli.terminal import terminal


def write_outcomes(
    arguments: argparse.Namespace,
    rows: Iterable[Mapping[str, Any]],
    as_csv: Callable[[], str],
    page: Callable[[], str] | None = None,
) -> bool:
    """Write the files that were asked for and print the runs as JSON or CSV; return whether they were printed."""
    messages = terminal(stderr=True)
    if page is not None and arguments.html:
        from pgcn.views.pages import write_page

        write_page(page(), Path(arguments.html))
        messages.print(f"Wrote the report to {arguments.html}.", soft_wrap=True)
    if arguments.csv and arguments.csv != "-":
        Path(arguments.csv).write_text(as_csv(), encoding="utf-8")
        messages.print(f"Wrote the runs to {arguments.csv}.", soft_wrap=True)
    if arguments.json:
        for row in rows:
            print(json.dumps(row))
    elif arguments.csv == "-":
        sys.stdout.write(as_csv())
    return bool(arguments.json or arguments.csv == "-")
