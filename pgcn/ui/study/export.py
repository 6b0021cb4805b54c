"""What is shown of a study as files: a table of its runs and a report."""

from collections.abc import Callable

import streamlit as st


def show_exports(name: str, table: Callable[[], str], report: Callable[[], str]) -> None:
    """Offer the runs as CSV and the report as a web page, both made when they are asked for."""

    def offer(label: str, data: Callable[[], str | bytes], ending: str, kind: str) -> None:
        how = {"icon": ":material/download:", "on_click": "ignore", "key": f"study_{ending}"}
        st.download_button(label, data=data, file_name=f"pgcn-{name}.{ending}", mime=kind, **how)

    with st.container(horizontal=True, vertical_alignment="center"):
        offer("Runs as CSV", table, "csv", "text/csv")
        offer("Report as a web page", lambda: report().encode(), "html", "text/html")
