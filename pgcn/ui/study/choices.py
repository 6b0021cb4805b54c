"""A choice of what the page of a study shows: it goes into the question, and with it into the link."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pgcn.ui.study.session import StudySession

SEGMENTS = partial(st.segmented_control, required=True, wrap=True)


def choose(
    session: StudySession,
    label: str,
    name: str,
    options: Sequence[Any] | Mapping[Any, Any],
    now: Any,
    title: Callable[[Any], str],
    key: str = "",
    draw: Callable[..., Any] = SEGMENTS,
) -> None:
    """Draw a choice among options; the one chosen, or what it stands for, becomes the question's ``name``."""
    values = options if isinstance(options, Mapping) else {option: option for option in options}
    key = key or f"study_{name}"
    st.session_state[key] = now  # the question may have changed by other means, such as a click on a chart
    draw(label, list(values), key=key, format_func=title, on_change=take, args=(session, name, values, key))


def take(session: StudySession, name: str, values: Mapping[Any, Any], key: str) -> None:
    session.question = session.question.change(**{name: values[st.session_state[key]]})
