"""The first rows of the files, and which column is what: guessed, and to be corrected."""

from typing import Any

import streamlit as st

from pgcn.data.importers.options import names_text
from pgcn.numbers import counted
from pgcn.ui.data.component import show_data
from pgcn.ui.data.reading import AddSession
from pgcn.ui.text import plain
from pgcn.views.data_page import preview_table

COLUMNS = {
    "nodes": {"id": "Id", "label": "Class", "split_column": "Split"},
    "edges": {"source": "From", "target": "To", "weight": "Weight"},
}
KINDS = {"text": "Free text", "categories": "Categories", "ignore": "Leave out"}
GUESSED = {"text": "text", "categories": "category"}
OPTIONS = {
    "split": ("Split", ("auto", "given", "random:20", "fraction:0.1", "known:0.2")),
    "missing": ("Missing numbers", ("median", "zero", "refuse")),
    "scale": ("Scale of features", ("auto", "none", "rows", "standard")),
    "weights": ("Weights of edges", ("use", "ignore")),
    "structure": ("Structural features", ("auto", "always", "never")),
}


def show_mapping(session: AddSession) -> dict[str, Any]:
    """Draw every file with its columns and the options; return what differs from the guess."""
    roles: dict[int, str] = {}
    options: dict[str, Any] = {}
    for number, preview in enumerate(session.previews):
        st.markdown(f"**{plain(preview['file'])}** · {counted(preview['bytes'], 'byte')}")
        if preview["role"] == "graph":
            st.code("\n".join(preview["lines"]), language=None, wrap_lines=True)
            continue
        show_data(preview_table(preview), f"add_preview_{number}")
        role = choose("This table holds", ("nodes", "edges"), preview["role"], f"map_role_{number}")
        if role != preview["role"]:
            roles[number] = role
        options |= show_columns(preview, role, number)
    with st.expander("Options"):
        for name, (title, choices) in OPTIONS.items():
            value = choose(title, choices, choices[0], f"map_{name}", accept_new_options=name == "split")
            if value != choices[0]:
                options[name] = value
    return {key: value for key, value in (("roles", roles), ("options", options)) if value}


def choose(label: str, options: Any, default: str | None, key: str, **how: Any) -> Any:
    """Draw a choice that begins with the guess."""
    choices = list(options)
    index = choices.index(default) if default in choices else None
    return st.selectbox(label, choices, index=index, key=key, **how)


def show_columns(preview: dict[str, Any], role: str, number: int) -> dict[str, Any]:
    """Draw which column is what; return what differs from the guess."""
    changed: dict[str, Any] = {}
    names, guess = preview["columns"], preview["guess"]
    for place, (name, title) in zip(st.columns(3), COLUMNS[role].items(), strict=True):
        with place:
            column = choose(title, names, guess.get(name), f"map_{name}_{number}", placeholder="none")
        if column is not None and column != guess.get(name):
            changed[name] = column
    if role == "nodes":
        for name, title in KINDS.items():
            guessed = [column for column in names if preview["kinds"].get(column) == GUESSED.get(name, "-")]
            how = {"default": guessed, "key": f"map_{name}_{number}", "placeholder": "none"}
            columns = st.multiselect(title, names, **how)
            if set(columns) != set(guessed):
                changed[name] = names_text(columns)
    return changed
