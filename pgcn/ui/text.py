"""Text from outside, such as a link, a file or the store, as Streamlit's Markdown shows it to the letter."""

import re

from pgcn.data.catalogue import dataset_title

SPECIAL = re.compile(r"[\\`*_{}\[\]<>$~|&^:]")
AT_START = re.compile(r"^(\d*)([.)#+=-])(?!\w)")
# Addresses, emoji and arrows are looked for after escapes have been resolved: only something between helps.
LINKED = re.compile(
    r"(?<=[a-z]:)(?=//)|(?<=www)(?=\.)|(?<=\S)(?=@\S)|(?<=:)(?=material/|[a-z+-][\w+/-]*:)"
    r"|(?<!\S\S)(?<=[<>~-])(?=-?[->=](?:\s|$))",
    re.IGNORECASE,
)
JOINER = "\u2060"
"""Has no width, and allows no line break."""


def plain(text: object) -> str:
    """Return text that Markdown shows as it is, on one line: no link, image, formula, icon or HTML comes of it."""
    line = LINKED.sub(JOINER, " ".join(str(text).split()))
    return AT_START.sub(r"\1\\\2", SPECIAL.sub(r"\\\g<0>", line))


def plain_title(dataset: str) -> str:
    """Return what a graph is called, for Markdown: a stored one has a name that somebody gave it."""
    return plain(dataset_title(dataset))
