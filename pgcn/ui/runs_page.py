"""The Runs page: every stored run, to compare, open, export and delete."""

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.data.sources import TITLES
from pgcn.errors import PgcnError
from pgcn.methods.registry import grows, title_of
from pgcn.ui.clock import timed
from pgcn.ui.run_views import STATUS, row_of, show_comparison, show_exports
from pgcn.ui.server import jobs, store
from pgcn.ui.shell import go_to, show_error
from pgcn.ui.visits import known_visit
from pgcn.ui.work import stored_events
from pgcn.views.batch import topology_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun


@timed("runs page")
def show_runs_page() -> None:
    try:
        everything = [run for run in store().runs() if may_be_seen(run)]
    except PgcnError as error:
        show_error(str(error))
        return
    st.markdown("#### Runs")
    if not everything:
        st.info(
            "No run is stored yet. Every run of the Grow page is, and those of `pgcn grow --store`.",
            icon=":material/inbox:",
        )
        if st.button("Grow one", icon=":material/eco:", type="primary", key="to_grow"):
            go_to("grow")
        show_deleted()
        return
    shown = filtered(everything)
    chosen = show_table(shown)
    if len(chosen) == 1:
        show_one(chosen[0])
    elif chosen:
        show_comparison(chosen)
        show_delete(chosen)
    else:
        st.caption(
            "Select a run at its left edge to open, name, export or delete it; select several to compare them."
        )
    show_deleted()


def may_be_seen(run: "StoredRun") -> bool:
    """Runs under way on this server belong to those who look at them; they appear here when they have ended."""
    visit = known_visit("grow")
    mine = visit is not None and run.id == visit.run and jobs().get(visit.job) is not None
    return not run.here or mine


def filtered(runs: "list[StoredRun]") -> "list[StoredRun]":
    """Draw the filters and return the runs that pass them."""
    words, datasets, states, methods = st.columns([2, 1.2, 1.2, 1])
    text = (
        words.text_input("Search", key="runs_search", placeholder="name, note, topology, seed or id")
        .strip()
        .lower()
    )
    dataset = datasets.multiselect(
        "Data set", sorted({run.dataset for run in runs}), key="runs_dataset",
        format_func=lambda name: TITLES.get(name, name), placeholder="all",
    )  # fmt: skip
    status = states.multiselect(
        "Status", sorted({run.status for run in runs}), key="runs_status", format_func=STATUS.get, placeholder="all"
    )
    known = sorted({run.method for run in runs})
    method = methods.multiselect(
        "Method", known, key="runs_method", default=[name for name in known if grows(name)], placeholder="all",
        format_func=title_of, help="The GCN runs are the baselines of the Grow page.",
    )  # fmt: skip
    studied = [run for run in runs if is_of_study(run)]
    wanted = st.query_params.get("run")
    if studied and not st.toggle(
        f"Show the runs of studies too ({len(studied)})", key="runs_studies",
        value=any(run.id == wanted for run in studied), help="The Difficulty page shows what they come to.",
    ):  # fmt: skip
        runs = [run for run in runs if not is_of_study(run)]
    return [
        run
        for run in runs
        if (not dataset or run.dataset in dataset)
        and (not status or run.status in status)
        and (not method or run.method in method)
        and (not text or text in searchable(run))
    ]


def is_of_study(run: "StoredRun") -> bool:
    return (run.batch or "").startswith("difficulty-")


def searchable(run: "StoredRun") -> str:
    return f"{run.name} {run.note} {topology_text(run)} seed {run.seed} {run.id} {run.dataset} {run.status}".lower()


def show_table(runs: "list[StoredRun]") -> "list[StoredRun]":
    """Draw the table and return the selected runs."""
    if not runs:
        st.info("No run passes these filters.", icon=":material/filter_alt_off:")
        return []
    key, preselected = table_identity(runs)
    percent = st.column_config.NumberColumn(format="%.1f")
    event = st.dataframe(
        [row_of(run) for run in runs],
        key=key,
        hide_index=True,
        height=min(38 + 35 * len(runs), 420),
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": preselected}},
        column_config={
            "best validation (%)": percent,
            "validation (%)": percent,
            "test (%)": percent,
            "seconds": percent,
            "parameters": st.column_config.NumberColumn(format="localized"),
            "when": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm"),
        },
    )
    chosen = [runs[number] for number in event.selection.rows if number < len(runs)]
    st.session_state["runs_chosen"] = [run.id for run in chosen]
    return chosen


def table_identity(runs: "list[StoredRun]") -> tuple[str, list[int]]:
    """Return a key for the table and the rows it begins with selected.

    A table knows its selection by row numbers. So when the rows change it is made anew, and told what was chosen
    before, or what a link asks for.
    """
    wanted = st.query_params.get("run")
    if wanted and st.session_state.get("runs_wanted") != wanted:
        st.session_state["runs_wanted"], st.session_state["runs_chosen"] = wanted, [wanted]
    shown = [(run.id, run.name, run.note, run.status) for run in runs]
    key = f"runs_table_{hashlib.sha256(repr((shown, wanted)).encode()).hexdigest()[:16]}"
    known = st.session_state.get("runs_table")
    if known is None or known[0] != key:
        chosen = st.session_state.get("runs_chosen", [])
        known = (key, [number for number, run in enumerate(runs) if run.id in chosen])
        st.session_state["runs_table"] = known
    return known


def show_one(run: "StoredRun") -> None:
    """Draw what can be done with one run."""
    with st.container(border=True, key="one_run"):
        st.markdown(f"**{row_of(run)['name']}** · {STATUS[run.status]} · id `{run.id[:8]}`")
        with st.container(horizontal=True):
            growing = grows(run.method)
            if st.button(
                "Open in Grow", icon=":material/hub:", type="primary", key="open", disabled=not growing,
                help="Replay it block by block." if growing else f"Nothing grows in a {title_of(run.method)}.",
            ):  # fmt: skip
                go_to("grow", run=run.id)
            if st.button(
                "See its embedding", icon=":material/bubble_chart:", key="embedding", disabled=not run.topology,
                help="Maps of its logits." if run.topology else "Nothing had been accepted.",
            ):  # fmt: skip
                go_to("embedding", run=run.id)
            if growing and run.status in ("interrupted", "cancelled") and st.button(
                "Resume in Grow", icon=":material/resume:", key="resume_run",
                help="Opens it in Grow, where it goes on from its last judged block.",
            ):  # fmt: skip
                go_to("grow", run=run.id)
            show_exports(run)
            delete_button([run])
        with st.form("about_run", border=False):
            name, note = st.columns([1, 2])
            named = name.text_input("Name", value=run.name, max_chars=200, key=f"name_{run.id}")
            noted = note.text_input("Note", value=run.note, key=f"note_{run.id}")
            if st.form_submit_button("Save name and note", icon=":material/save:"):
                store().change(run.id, name=named.strip(), note=noted.strip())
                st.rerun()
        with st.expander("Settings and versions"):
            started = stored_events(run)[0]
            st.json({"recipe": started.recipe, "config": started.config, "versions": started.versions}, expanded=2)


def show_delete(runs: "list[StoredRun]") -> None:
    with st.container(horizontal=True):
        delete_button(runs)


def delete_button(runs: "list[StoredRun]") -> None:
    count = len(runs)
    busy = any(run.status == "running" for run in runs)
    st.button(
        "Delete" if count == 1 else f"Delete these {count} runs", icon=":material/delete:", key="delete",
        on_click=delete, args=([run.id for run in runs],), disabled=busy,
        help="A run under way is stopped first, on the Grow page." if busy else "It can be brought back below.",
    )  # fmt: skip


def delete(ids: list[str]) -> None:
    for run in ids:
        store().delete(run)
    st.toast(f"{len(ids)} run{'s' * (len(ids) != 1)} deleted. Bring back below.", icon=":material/delete:")


def show_deleted() -> None:
    """List what was deleted, to be brought back or done away with."""
    deleted = store().runs(deleted=True)
    if not deleted:
        return
    with st.expander(f"Deleted ({len(deleted)})", icon=":material/delete:", key="deleted"):
        for run in deleted[:20]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{row_of(run)['name']} · {topology_text(run)} · id `{run.id[:8]}`")
                st.button(
                    "Undo", key=f"undo_{run.id}", icon=":material/undo:", on_click=store().restore, args=(run.id,)
                )
        if len(deleted) > 20:
            st.caption(f"And {len(deleted) - 20} more.")
        st.button(
            "Delete for good", key="purge", icon=":material/delete_forever:", on_click=store().purge,
            help="Events and networks of all deleted runs are gone for ever.",
        )  # fmt: skip
