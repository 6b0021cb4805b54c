"""What is mapped and how: the widgets above the maps."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.embeddings.reduce import TITLES
from pgcn.embeddings.steps import ALL_UP_TO, SAMPLE
from pgcn.errors import PgcnError
from pgcn.ui.embedding_session import Look
from pgcn.ui.run_views import row_of
from pgcn.ui.shell import go_to
from pgcn.views.batch import topology_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun

NODES = {
    "auto": f"all up to {ALL_UP_TO:,}, else a sample of {SAMPLE:,}",
    1000: "a sample of 1,000",
    SAMPLE: f"a sample of {SAMPLE:,}",
    10_000: "a sample of 10,000",
    "all": "all, however many",
}


def show_choices(session: Look, runs: "list[StoredRun]") -> None:
    """Draw the widgets; each puts its value into the session."""
    names = {run.id: f"{row_of(run)['name']} · {topology_text(run)} · {run.id[:8]}" for run in runs}
    whole = next((name for name in names if session.run and name.startswith(session.run)), session.run)
    session.run = whole  # a link may name a run by the beginning of its id
    options = list(names) if whole in names else [whole, *names]
    config = session.config
    values = {
        "maps_run": whole, "maps_method": config.method, "maps_nodes": config.nodes, "maps_seed": config.seed,
        "maps_gcn": config.gcn, "maps_perplexity": config.perplexity,
    }  # fmt: skip
    for key, value in values.items():
        st.session_state[key] = value
    run, method, more, grow = st.columns([3.2, 1.6, 1, 1], vertical_alignment="bottom")
    run.selectbox(
        "Run", options, key="maps_run", format_func=lambda name: names.get(name, f"run {name[:8]}"),
        on_change=change, args=(session, "run"),
    )  # fmt: skip
    method.segmented_control(
        "Method", list(TITLES), key="maps_method", format_func=TITLES.get, required=True,
        on_change=change, args=(session, "method"),
    )  # fmt: skip
    with more.popover("More", icon=":material/tune:", width="stretch", key="maps_more"):
        counts = list(NODES) if config.nodes in NODES else [*NODES, config.nodes]
        st.selectbox(
            "Nodes shown", counts, key="maps_nodes", format_func=count_words,
            on_change=change, args=(session, "nodes"),
            help="A sample holds all labelled, validation and test nodes where there is room for them; the others "
            "are drawn by class.",
        )  # fmt: skip
        st.number_input(
            "Perplexity of t-SNE", min_value=2.0, step=5.0, key="maps_perplexity",
            placeholder="30, less on small graphs",
            on_change=change, args=(session, "perplexity"), disabled=config.method != "tsne",
            help="About how many neighbours of each node the map tries to keep near it.",
        )  # fmt: skip
        st.number_input(
            "Seed", min_value=0, max_value=2**32 - 1, key="maps_seed", on_change=change, args=(session, "seed"),
            help="Of the sample, the start and the method: the same seed makes the same maps.",
        )  # fmt: skip
        st.toggle(
            "Map a GCN beside it", key="maps_gcn", on_change=change, args=(session, "gcn"),
            help="A GCN with 16 hidden neurons, seed 0, on the same graph and split.",
        )  # fmt: skip
    if grow.button("Open in Grow", icon=":material/hub:", key="maps_grow", width="stretch"):
        go_to("grow", run=session.run)


def count_words(nodes: int | str) -> str:
    return NODES.get(nodes) or f"a sample of {nodes:,}"


def change(session: Look, name: str) -> None:
    try:
        session.ask(**{name: st.session_state[f"maps_{name}"]})
    except PgcnError as error:
        session.complaints = [str(error)]
