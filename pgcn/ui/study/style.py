"""The style of the page of a study."""

import streamlit as st

from pgcn.web import WEB


def show_style(page: str) -> None:
    """Give a page the style of all studies and its own."""
    sheets = (WEB / folder / f"{folder}.css" for folder in ("study", page))
    st.html(f"<style>{''.join(sheet.read_text() for sheet in sheets)}</style>")
