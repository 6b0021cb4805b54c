"""What can be done with a stored run or batch: open it on other pages, name, resume, export, copy, delete it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.events import Event, RunStarted, opening
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import grows, method_title, resumable
from pgcn.ui.access import require_change, why_not_change
from pgcn.ui.family import show_family, show_origin
from pgcn.ui.runs.again import as_bibtex, as_command, as_python
from pgcn.ui.runs.deletion import show_delete_button
from pgcn.ui.runs.exports import show_exports
from pgcn.ui.runs.selection import choose
from pgcn.ui.server import store
from pgcn.ui.shell import attempt, go_to
from pgcn.ui.stored_runs import run_name, shown_events
from pgcn.ui.text import plain
from pgcn.views.run_table import STATUS, measured_cells, states_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun
    from pgcn.views.run_facts import Row

LONGEST = {"name": 200, "note": 5000}
"""Characters that are stored."""


def show_details(run: "StoredRun") -> None:
    with st.container(border=True, key="one_run"):
        st.markdown(f"**{plain(run_name(run))}** · {STATUS[run.status]} · id `{run.id[:8]}`")
        events = shown_events(run)
        with st.container(horizontal=True):
            show_links(run)
            show_exports(run, readable=bool(events))
            if events:
                show_copies(run, opening(events))
            show_delete_button([run])
        if events:
            show_relatives(run, events)
        if is_resumable(run) and not grows(run.method):
            st.caption(f"To resume it: `pgcn resume {run.id[:8]}`")
        show_form(run)
        if events:
            show_settings(opening(events))


def show_relatives(run: "StoredRun", events: Sequence[Event]) -> None:
    """Draw where a run was branched from, and its family."""
    started = opening(events)

    def open_run(other: str, at: int | None) -> None:
        choose([other])

    if started.parent is not None:
        show_origin(started.parent["run"], started, events, open_run)
    show_family(run.id, open_run)


def show_batch(row: "Row") -> None:
    """Draw what can be done with the runs of a batch."""
    first, finished = row.runs[0], row.finished
    with st.container(border=True, key="one_batch"):
        st.markdown(f"**{plain(row.name)}** · {states_text(row.runs)}")
        st.markdown(found(row) if finished else "None of its runs has finished.")
        with st.container(horizontal=True):
            how = {"icon": ":material/hub:", "type": "primary", "help": "All its runs at a glance."}
            if is_batch_of_grow(row) and st.button("Open in Grow", key="open", **how):
                go_to("grow", batch=first.batch or "")
            events = shown_events(first)
            if events:
                show_copies(first, opening(events), runs=len(row.runs) if is_consecutive(row) else 1)
            show_delete_button(row.runs)
        st.caption("▸ before its name unfolds its runs. Tick another batch to compare both with a test.")


def found(row: "Row") -> str:
    """Say what the finished runs of a batch reached."""
    cells = measured_cells(row)
    parts = [f"Test accuracy **{cells['test (%)'][0]} %**"] * (cells["test (%)"][1] is not None)
    parts += [f"Validation accuracy {cells['validation (%)'][0]} %", f"{cells['parameters'][0]} parameters"]
    return f"{' · '.join(parts)} · topology {cells['topology'][0]} (mean ± sd over {len(row.finished)} runs)"


def is_batch_of_grow(row: "Row") -> bool:
    """Return whether the Grow page shows just these runs: a study's share their batch with many others."""
    first = row.runs[0]
    return (
        grows(first.method)
        and bool(first.batch)
        and {run.id for run in row.runs} == {run.id for run in store().runs(batch=first.batch)}
    )


def is_consecutive(row: "Row") -> bool:
    """Return whether the runs have one seed each, one after the other, as ``--runs`` gives them."""
    seeds = [run.seed for run in row.runs]
    return seeds == list(range(seeds[0], seeds[0] + len(seeds)))


def show_copies(run: "StoredRun", started: RunStarted, *, runs: int = 1) -> None:
    """Draw a run as code, as a command and as a citation, each to be copied."""
    with st.popover("Copy as", icon=":material/content_copy:", key="copy"):
        try:
            spec = RunSpec.of(started)
        except PgcnError as error:
            st.caption(plain(error))
        else:
            if runs == 1:
                st.markdown("**Python**")
                st.code(as_python(spec, started.parent), language=None, wrap_lines=True)
            st.markdown("**Command**")
            st.code(as_command(spec, started.parent, runs=runs), language=None, wrap_lines=True)
            if started.parent is not None:
                st.caption(f"They need its parent in the store: run `{started.parent['run'][:8]}`.")
        st.markdown("**Citation** (BibTeX)")
        st.code(as_bibtex(run, started), language=None, wrap_lines=True)


def show_settings(started: RunStarted) -> None:
    """Draw what a run was started with."""
    with st.expander("Settings and versions"):
        st.json({"recipe": started.recipe, "config": started.config, "versions": started.versions}, expanded=2)


def show_form(run: "StoredRun") -> None:
    """Draw the name and the note, to be changed by whoever may."""
    why = why_not_change(run)
    with st.form("about_run", border=False):
        name, note = st.columns([1, 2])
        how = {"disabled": bool(why)}
        name.text_input("Name", value=run.name, max_chars=LONGEST["name"], key=f"name_{run.id}", **how)
        note.text_input("Note", value=run.note, max_chars=LONGEST["note"], key=f"note_{run.id}", **how)
        if why:
            st.caption(why)
        click = {"on_click": attempt, "args": (describe, run.id)}
        st.form_submit_button("Save name and note", icon=":material/save:", disabled=bool(why), **click)


def describe(run: str) -> None:
    """Store the name and the note that were typed."""
    require_change(store().run(run))
    typed = {part: st.session_state[f"{part}_{run}"].strip()[:most] for part, most in LONGEST.items()}
    store().change(run, **typed)


def show_links(run: "StoredRun") -> None:
    """Draw the buttons that open a run on other pages."""
    growing = grows(run.method)
    about = (
        "Replay it block by block." if growing else f"Nothing grows in a run of {plain(method_title(run.method))}."
    )
    how = {"type": "primary", "disabled": not growing, "help": about}
    if st.button("Open in Grow", icon=":material/hub:", key="open", **how):
        go_to("grow", run=run.id)
    about = "2-D embeddings of its logits." if run.step is not None else "No network was accepted."
    how = {"disabled": run.step is None, "help": about}
    if st.button("See its embedding", icon=":material/bubble_chart:", key="embedding", **how):
        go_to("embedding", run=run.id)
    about = "The class of every node, how far to trust it, and why."
    how = {"disabled": run.step is None, "help": about}
    if st.button("Predictions", icon=":material/label:", key="predictions", **how):
        go_to("predictions", run=run.id)
    if growing and is_resumable(run):
        about = "Opens it in Grow, where Resume continues after its last trained block."
        if st.button("Resume in Grow", icon=":material/resume:", key="resume_run", help=about):
            go_to("grow", run=run.id)


def is_resumable(run: "StoredRun") -> bool:
    """Return whether a run ended early and can be resumed: its method says so."""
    return run.status in ("interrupted", "cancelled") and resumable(run.method)
