"""The first rows of the files, and which column is what: guessed, and to be corrected."""

from itertools import cycle
from typing import Any

import streamlit as st

from pgcn.data.importers.options import names_text
from pgcn.numbers import counted
from pgcn.ui.data.component import show_data
from pgcn.ui.data.reading import AddSession
from pgcn.ui.server import store
from pgcn.ui.text import plain
from pgcn.views.data_page import preview_table

COLUMNS = {
    "nodes": {"id": "Id", "label": "Class", "split_column": "Split"},
    "edges": {"source": "From", "target": "To", "weight": "Weight"},
    "graph": {"label": "Class", "split_column": "Split"},
}
KINDS = {"text": "Free text", "categories": "Categories", "ignore": "Leave out"}
GUESSED = {"text": "text", "categories": "category"}
OPTIONS = {
    "split": ("Split", ("auto", "given", "random:20", "fraction:0.1", "known:0.2")),
    "missing": ("Missing numbers", ("median", "zero", "refuse")),
    "scale": ("Feature scaling", ("auto", "none", "rows", "standard")),
    "weights": ("Edge weights", ("use", "ignore")),
    "structure": ("Structural features", ("auto", "always", "never")),
    "dangling": ("Edges to missing nodes", ("drop", "refuse")),
    "encoding": ("Text encoding", ("auto", "latin-1", "utf-16-le")),
}
LIKE = "An earlier version: features get its scales and words, and its networks can be applied to this graph."
FREE = ("split", "encoding")
"""Options for which one may write what is not listed."""


def show_mapping(session: AddSession) -> dict[str, Any]:
    """Draw every file with its columns and the options; return what differs from the guess."""
    roles: dict[int, str] = {}
    options: dict[str, Any] = {}
    like = ""
    for number, preview in enumerate(session.previews):
        st.markdown(f"**{plain(preview['file'])}** · {counted(preview['bytes'], 'byte')}")
        if not preview["columns"]:
            st.code("\n".join(preview["lines"]), language=None, wrap_lines=True)
            continue
        show_data(preview_table(preview, session.choice.get("options", {})), f"add_preview_{number}")
        role = preview["role"]
        if role != "graph":
            role = choose("This table holds", ("nodes", "edges"), role, f"map_role_{number}")
        if role != preview["role"]:
            roles[number] = role
        options |= show_columns(preview, role, number)
    with st.expander("Options", expanded=not session.previews):
        for place, (name, (title, choices)) in zip(cycle(st.columns(2)), OPTIONS.items(), strict=False):
            with place:
                value = choose(title, choices, choices[0], f"map_{name}", accept_new_options=name in FREE)
            if value != choices[0]:
                options[name] = value
        earlier = ["", *store().stored_graphs()]
        if len(earlier) > 1:
            how = {"format_func": lambda name: plain(name) or "this graph", "help": LIKE}
            like = choose("Features as in", earlier, "", "map_like", **how)
    chosen = {"roles": roles, "options": options, "like": like}
    return {key: value for key, value in chosen.items() if value}


def choose(label: str, options: Any, default: str | None, key: str, **how: Any) -> Any:
    """Draw a choice that begins with the guess."""
    choices = list(options)
    index = choices.index(default) if default in choices else None
    return st.selectbox(label, choices, index=index, key=key, **how)


def show_columns(preview: dict[str, Any], role: str, number: int) -> dict[str, Any]:
    """Draw which column is what; return what differs from the guess."""
    changed: dict[str, Any] = {}
    names, guess = preview["columns"], preview["guess"]
    for place, (name, title) in zip(st.columns(3), COLUMNS[role].items(), strict=False):
        with place:
            column = choose(title, names, guess.get(name), f"map_{name}_{number}", placeholder="none")
        if column is not None and column != guess.get(name):
            changed[name] = column
    if role != "edges":
        guesses, chosen = guessed_kinds(preview), {}
        for name, title in KINDS.items():
            how = {"default": guesses[name], "key": f"map_{name}_{number}", "placeholder": "none"}
            chosen[name] = st.multiselect(title, names, **how)
        taken = {*guess.values(), *(changed.get(name) for name in COLUMNS[role]), *chosen["ignore"]}
        for name, columns in chosen.items():
            if set(columns) != set(guesses[name]):
                kept = columns if name == "ignore" else [one for one in columns if one not in taken]
                changed[name] = names_text(kept)
    return changed


def guessed_kinds(preview: dict[str, Any]) -> dict[str, list[str]]:
    """Return the columns that are probably text, categories, or to be left out."""
    kinds = preview["kinds"]
    return {name: [one for one in preview["columns"] if kinds.get(one) == GUESSED.get(name, "-")] for name in KINDS}
