"""The choice among the results of a study that came with the program."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pgcn.ui.study.session import StudySession
from pgcn.ui.study.sidebar import Widgets

KEY = "study_recorded"


def show_recorded_choice(
    session: StudySession, questions: Mapping[str, Mapping[str, Any]], widgets: Widgets, **reset: Any
) -> None:
    """Draw the choice: ``questions`` are what each asks, by title; any other question is none of them.

    ``reset`` is what is forgotten of the question before.
    """
    question = session.question
    now = next((title for title, values in questions.items() if question.change(**values) == question), None)
    st.session_state[KEY] = now

    def take() -> None:
        title = st.session_state[KEY]
        if title is not None:
            session.problems = []
            session.question = session.question.change(**questions[title], **reset)
            widgets.restore(session)

    how = {"on_change": take, "wrap": True, "width": "stretch", "label_visibility": "collapsed"}
    st.segmented_control("Recorded", list(questions), key=KEY, **how)
