"""Bring your own graph: three clicks, three commands, or three lines."""

import streamlit as st

from pgcn.ui.learn.layout import lesson_columns
from pgcn.ui.shell import go_to

CLICKS = """
1. **Data**: drop a table of nodes and one of edges, or one file. See what was read, correct it, **Save**.
2. **Grow a network**: watch it grow; validation nodes decide, test nodes are not needed.
3. **Predictions**, under the run: export the class of every node, with its probability and an explanation.
"""
COMMANDS = """pgcn data add mine --nodes papers.csv --edges coauthors.csv
pgcn grow --dataset mine --store
pgcn predict RUN --out predictions.csv"""
LINES = """graph = pgcn.import_graph("papers.csv", "coauthors.csv")
network = pgcn.grow(graph).finish().model
logits = network(graph.x, graph.edge_index, graph.edge_weight)"""


def show_own() -> None:
    words, figure = lesson_columns()
    with words:
        st.markdown("**Three clicks**")
        st.markdown(CLICKS)
        st.markdown(
            "A class that is not known stays empty: what a network is for. Columns of numbers, categories and free "
            "text become features; without any, the edges alone give some. Everything that was cleaned is listed."
        )
        if st.button("Open the Data page", icon=":material/arrow_forward:", type="primary", key="own_data"):
            go_to("data")
    with figure:
        st.markdown("**Three commands**")
        st.code(COMMANDS, language=None, wrap_lines=True)
        st.markdown("**Three lines**")
        st.code(LINES, language=None, wrap_lines=True)
        st.caption("Both are made-up example files in assets/examples.")
