"""Where words and picture are at every stop."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def lesson_columns() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the place of the words and that of the controls and the picture.

    Of the words, those in a container ``lesson_lead`` stand before the picture on a phone, the others after it.
    """
    with st.container(key="lesson"):
        words, figure = st.columns([0.38, 0.62], gap="medium")
    return words.container(key="lesson_words"), figure.container(key="lesson_figure")
