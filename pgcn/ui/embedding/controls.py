"""What is embedded and how: the widgets above the embeddings."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.embeddings.reduce import TITLES as METHOD_TITLES
from pgcn.embeddings.steps import ALL_UP_TO, SAMPLE
from pgcn.errors import PgcnError
from pgcn.ui.embedding.session import EmbeddingSession
from pgcn.ui.shell import go_to
from pgcn.ui.stored_runs import run_name
from pgcn.views.batch import topology_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun

NODES = {
    "auto": f"all up to {ALL_UP_TO:,}, else a sample of {SAMPLE:,}",
    1000: "a sample of 1,000",
    SAMPLE: f"a sample of {SAMPLE:,}",
    10_000: "a sample of 10,000",
    "all": "all nodes",
}


def show_controls(session: EmbeddingSession, runs: "list[StoredRun]") -> None:
    """Draw the widgets; a change goes to the session at once."""
    names = {run.id: f"{run_name(run)} · {topology_text(run)} · {run.id[:8]}" for run in runs}
    # A link may name a run by the beginning of its id.
    session.run = next((name for name in names if session.run and name.startswith(session.run)), session.run)
    options = list(names) if session.run in names else [session.run, *names]

    def describe(run: str) -> str:
        return names.get(run, f"run {run[:8]}")

    with st.container(horizontal=True, vertical_alignment="bottom", key="embedding_controls"):
        st.selectbox("Run", options, format_func=describe, **widget(session, "run", session.run))
        how = {"required": True, "width": "content"}
        st.segmented_control(
            "Method", list(METHOD_TITLES), format_func=METHOD_TITLES.get, **how, **setting(session, "method")
        )
        st.segmented_control(
            "Dimensions", [2, 3], format_func="{}-D".format, **how, **setting(session, "dimensions")
        )
        with st.popover("More", icon=":material/tune:", key="embedding_more"):
            show_more(session)
        if st.button("Open in Grow", icon=":material/hub:", key="embedding_grow"):
            go_to("grow", run=session.run)


def show_more(session: EmbeddingSession) -> None:
    """Draw the settings that are seldom changed."""
    config = session.config
    counts = list(NODES) if config.nodes in NODES else [*NODES, config.nodes]
    about = "A sample holds all labelled, validation and test nodes if they fit; the others are drawn by class."
    st.selectbox("Nodes shown", counts, format_func=count_words, help=about, **setting(session, "nodes"))
    st.number_input(
        "Perplexity of t-SNE",
        min_value=2.0,
        step=5.0,
        placeholder="30, less on small graphs",
        disabled=config.method != "tsne",
        help="About how many neighbours of each node t-SNE tries to keep close to it.",
        **setting(session, "perplexity"),
    )
    about = "Seeds the sample, the initial positions and the method: the same seed gives the same embeddings."
    st.number_input("Seed", min_value=0, max_value=2**32 - 1, help=about, **setting(session, "seed"))
    about = "A GCN with 16 hidden neurons, seed 0, on the same graph and split."
    st.toggle("Show a GCN beside it", help=about, **setting(session, "gcn"))


def setting(session: EmbeddingSession, name: str) -> dict[str, Any]:
    return widget(session, name, getattr(session.config, name))


def widget(session: EmbeddingSession, name: str, value: Any) -> dict[str, Any]:
    """Set a widget to a value; return its key and what a change does."""
    key = f"embedding_{name}"
    st.session_state[key] = value
    return {"key": key, "on_change": apply_widget, "args": (session, name)}


def count_words(nodes: int | str) -> str:
    return NODES.get(nodes) or f"a sample of {nodes:,}"


def apply_widget(session: EmbeddingSession, name: str) -> None:
    try:
        session.change(**{name: st.session_state[f"embedding_{name}"]})
    except PgcnError as error:
        session.problems = [str(error)]
