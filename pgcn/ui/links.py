"""Settings in a link: written as text and read back one by one. No streamlit here, no torch.

Nothing in a link is dropped silently: what cannot be used keeps its default, and a sentence says so.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pgcn.errors import PgcnError, shown
from pgcn.numbers import exact

Query = Mapping[str, str]
Settings = TypeVar("Settings")
NAMED = 10
"""Unknown parameters that are named."""
ID = re.compile(r"[\w.:-]{1,200}", re.ASCII)
MOST_IN_BROWSER = 2**53 - 1
"""The largest whole number that a browser holds exactly, and a number field of Streamlit takes."""


def as_text(value: Any) -> str:
    """Return a value as it is written in a link."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(exact(part) if isinstance(part, float) else str(part) for part in value)
    return str(value)


def read_link(
    settings: Settings,
    query: Query,
    names: Iterable[str],
    change: Callable[[Settings, str, str], Settings],
    value: Callable[[Settings, str], Any] = getattr,
) -> tuple[Settings, list[str]]:
    """Return settings changed by those ``names`` that a link has, and a sentence for each that cannot be used.

    A value that does not fit the others yet is tried again after them: some fit only together.
    """
    waiting, problems = [name for name in names if name in query], []
    while waiting:
        tried, waiting, problems = waiting, [], []
        for name in tried:
            try:
                settings = change(settings, name, query[name])
            except PgcnError as error:
                used = as_text(value(settings, name))
                waiting.append(name)
                problems.append(f"{error} The link's value is ignored: {name} = {used} is used instead.")
        if len(waiting) == len(tried):
            break
    return settings, problems


def unknown_names(query: Query, known: Iterable[str]) -> list[str]:
    """Return a sentence about the parameters of a link that a page does not know, if there are any."""
    unknown = sorted(query.keys() - set(known))
    if not unknown:
        return []
    names = [shown(name)[1:-1] for name in unknown[:NAMED]]
    more = f" and {len(unknown) - NAMED:,} more" if len(unknown) > NAMED else ""
    return [f"The link has unknown settings: {', '.join(names)}{more}."]


def read_ids(query: Query, names: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return the ids that a link names, such as of a run, and a sentence for each that can be none."""
    ids, problems = {}, []
    for name in names:
        text = query.get(name, "")
        if text and ID.fullmatch(text):
            ids[name] = text
        elif text:
            problems.append(f"{name} must be an id: letters, digits and dashes, got {shown(text)}. It is ignored.")
    return ids, problems
