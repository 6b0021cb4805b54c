"""Every stored run: compare, open, export, delete."""

import streamlit as st

from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("runs")
    st.title("Runs")
