"""Widgets of the Arena page whose value is in the address."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pgcn.ui.arena.session import ArenaSession


def choice(session: ArenaSession, label: str, name: str, options: Mapping[str, str], **how: Any) -> None:
    """Draw a choice among a few: one click."""
    key = f"arena_{name}"
    st.session_state[key] = getattr(session.question, name)
    click = {"on_change": take, "args": (session, name), "required": True}
    st.segmented_control(label, list(options), key=key, format_func=options.get, **click, **how)


def selection(session: ArenaSession, label: str, name: str, options: Mapping[Any, str], **how: Any) -> None:
    """Draw a choice among many."""
    key = f"arena_{name}"
    st.session_state[key] = getattr(session.question, name)
    click = {"on_change": take, "args": (session, name)}
    st.selectbox(
        label, list(options), key=key, format_func=lambda value: options.get(value, str(value)), **click, **how
    )


def take(session: ArenaSession, name: str) -> None:
    """Take the value of a widget; a run of the page that was cut short had not drawn it."""
    value = st.session_state.get(f"arena_{name}")
    if value is not None:
        session.choose(**{name: value})
