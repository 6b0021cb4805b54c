"""Three views of predictions: the table with its exports, calibration, and why a node got its class."""

from html import escape
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pgcn.errors import PgcnError
from pgcn.execution.export import network_file
from pgcn.execution.script import GRAPH_NETS, network_script
from pgcn.numbers import percent, signed
from pgcn.predictions.calibration import TEST, VALIDATION, calibrated, reliability
from pgcn.predictions.table import Predictions, table_as_csv, table_as_parquet
from pgcn.predictions.work import node_number, read_explanation
from pgcn.ui.access import why_not_start
from pgcn.ui.components import plotly_live
from pgcn.ui.predictions.session import PredictionsSession, compute
from pgcn.ui.server import store
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.text import plain
from pgcn.views.predictions import neighbourhood_figure, reliability_figure

if TYPE_CHECKING:
    from pgcn.store import StoredRun

ROWS = 20
SQUARES = ": fitted to squared error, the network gives no probabilities without one"
NO_VALIDATION = "The graph has no validation nodes: there is nothing to calibrate on."


def scaled(session: PredictionsSession, found: Predictions) -> Predictions:
    """Return the predictions as they are shown: at the fitted temperature where that is asked for, or needed."""
    return calibrated(found) if session.is_scaled and len(found.in_part(VALIDATION)) else found


def html_table(head: list[str], rows: list[list[str]], key: str) -> None:
    """Draw a table whose cells are text, whatever they hold; a long name is broken after an underscore."""

    def broken(cell: str) -> str:
        return escape(cell).replace("_", "_<wbr>")

    top = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{broken(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    with st.container(key=key):
        st.html(f"<table class='cells'><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def show_table(session: PredictionsSession, run: "StoredRun", found: Predictions) -> None:
    found = scaled(session, found)
    unknown = int((found.y < 0).sum())
    tail = f" Probabilities at temperature {found.temperature:.2f}." if found.temperature != 1 else ""
    st.markdown(f"**{len(found.y):,} nodes**, the class of {unknown:,} was not known.{tail}")
    name = f"pgcn-predictions-{run.id[:8]}"
    files = [
        ("CSV", f"{name}.csv", "text/csv", lambda: table_as_csv(found.columns())),
        ("Parquet", f"{name}.parquet", "application/octet-stream", lambda: table_as_parquet(found.columns())),
        (
            "Network",
            f"pgcn-{run.id[:8]}.safetensors",
            "application/octet-stream",
            lambda: network_file(store(), run.id),
        ),
    ]
    if run.method in GRAPH_NETS:
        files.append(
            ("Script for torch and PyG", "use.py", "text/x-python", lambda: network_script(store(), run.id))
        )
    with st.container(horizontal=True, key="predictions_files"):
        for number, (label, file, kind, make) in enumerate(files):
            how = {"icon": ":material/download:", "on_click": "ignore", "key": f"predictions_get_{number}"}
            st.download_button(label, data=make, file_name=file, mime=kind, **how)
    first = int(
        st.number_input("From row", 0, max(0, len(found.y) - 1), step=ROWS, key="predictions_first", width=220)
    )
    sure = found.probabilities.max(axis=1)
    rows = [
        [
            found.name_of(node),
            found.class_names[found.classes[node]],
            f"{sure[node]:.3f}",
            f"{found.entropy[node]:.3f}",
            found.class_names[found.y[node]] if found.y[node] >= 0 else "",
        ]
        for node in range(first, min(first + ROWS, len(found.y)))
    ]
    html_table(["node", "class", "probability", "entropy", "known"], rows, "predictions_table")


def show_calibration(session: PredictionsSession, run: "StoredRun", found: Predictions) -> None:
    if not len(found.in_part(VALIDATION)):
        st.info(NO_VALIDATION)
        return

    def switch() -> None:
        session.scaled = st.session_state["predictions_scaled"]

    st.session_state["predictions_scaled"] = session.is_scaled
    about = (
        "One number, fitted on validation nodes (least negative log-likelihood). No class changes; exports have it."
    )
    st.toggle("Temperature scaling", key="predictions_scaled", on_change=switch, help=about)
    found = scaled(session, found)
    columns = st.columns(2)
    for column, (part, title) in zip(columns, {VALIDATION: "validation", TEST: "test"}.items(), strict=True):
        nodes = found.in_part(part)
        with column:
            if not len(nodes):
                st.caption(f"The graph has no {title} nodes.")
                continue
            measured = reliability(found.probabilities[nodes], found.y[nodes])
            fitted = " The temperature was fitted on these." if part == VALIDATION and session.is_scaled else ""
            error = percent(measured.calibration_error)
            st.markdown(f"**{measured.nodes:,} {title} nodes: expected calibration error {error}**{fitted}")
            plotly_live(reliability_figure(measured), key=f"predictions_reliability_{title}", height=340)
    why = SQUARES * session.fits_squares
    st.caption(
        f"Temperature {found.temperature:.3f}{why}. On the dashed line it is as often right as it is sure; "
        "large marks stand for many nodes."
    )


def show_why(session: PredictionsSession, run: "StoredRun", found: Predictions) -> None:
    def choose() -> None:
        session.node = st.session_state["predictions_node"].strip()[:200]

    if not session.node:
        session.node = found.name_of(int(np.argmax(found.entropy)))
    st.session_state["predictions_node"] = session.node
    about = "Its id, or its number. The most uncertain is named first."
    st.text_input("Node", key="predictions_node", on_change=choose, help=about, width=420)
    try:
        node = node_number(found.node_names, len(found.y), session.node)
        facts = read_explanation(store(), run.id, run.step or 0, node)
    except PgcnError as error:
        show_error(str(error))
        return
    if facts is None:
        why = why_not_start() or ("Something is being computed." if is_running(session.current_job()) else "")
        how = {"type": "primary", "disabled": bool(why), "help": why or None, "key": "predictions_explain"}
        st.button("Explain this node", on_click=compute, args=(session, node), **how)
        return
    st.markdown(
        f"**{plain(facts['node'])}: {plain(facts['class'])}**, probability {facts['probability']:.3f}; next "
        f"would be {plain(facts['second'])}."
    )
    drawn, listed = st.columns([3, 2])
    with drawn:
        plotly_live(neighbourhood_figure(facts), key="predictions_why", height=420, about=f"{run.id} {node}")
        st.caption(
            "Wide edges change the probability most when left out. Blue speaks for the class, orange against it; "
            "nodes by gradient × input."
        )
    with listed:
        rows = [[f"{edge['one']} – {edge['other']}", signed(edge["change"], 4)] for edge in facts["edges"][:8]]
        html_table(["without the edge", "probability falls by"], rows, "predictions_edges")
        rows = [
            [one["feature"], signed(one["change"], 4), signed(one["share"], 3)] for one in facts["features"][:8]
        ]
        html_table(["without the feature", "falls by", "gradient × input"], rows, "predictions_features")
