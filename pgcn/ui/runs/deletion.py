"""Deleting stored runs, and undoing it."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import AccessError
from pgcn.ui.access import may_change, require_change, why_not_change
from pgcn.ui.runs.selection import choose, chosen_ids
from pgcn.ui.server import store
from pgcn.ui.shell import attempt
from pgcn.ui.stored_runs import run_name
from pgcn.ui.text import plain
from pgcn.views.batch import topology_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pgcn.store import StoredRun

MOST_LISTED = 20
STOP_FIRST = "This run is still in progress. Stop it on the page where it was started."
DELETED = "runs_just_deleted"
"""Where a visitor's last deletion is kept: the runs, and what was chosen before."""
# A toast of Streamlit's own holds no button and goes away by itself, so this is a container that looks like one.
STYLE = """
.st-key-undo_bar { position: fixed; z-index: 1000; bottom: 1.2rem; left: 50%; transform: translateX(-50%);
  width: max-content; max-width: calc(100vw - 1.4rem); padding: 0.5rem 0.7rem 0.5rem 1.1rem; gap: 0.7rem;
  flex-wrap: nowrap; border-radius: 10px; border: 1px solid var(--border); background: var(--paper);
  box-shadow: 0 6px 24px rgb(0 0 0 / 28%); }
.st-key-undo_bar :is(p, [data-testid="stMarkdownContainer"]) { margin: 0; }
"""
COLOURS = {"light": "--paper: #FFFFFF; --border: #D7DEE5;", "dark": "--paper: #1A242E; --border: #33414E;"}


def show_delete_button(runs: "Sequence[StoredRun]") -> None:
    count = len(runs)
    running = any(run.status == "running" for run in runs)
    why = next(filter(None, map(why_not_change, runs)), "")
    if running and not why:
        why = STOP_FIRST
    st.button(
        "Delete" if count == 1 else f"Delete these {count} runs",
        icon=":material/delete:",
        key="delete",
        on_click=attempt,
        args=(delete, [run.id for run in runs]),
        disabled=bool(why),
        help=why or "Can be undone.",
    )


def delete(ids: list[str]) -> None:
    for run in map(store().run, ids):
        require_change(run)
        if run.status == "running":
            raise AccessError(STOP_FIRST)
    for run in ids:
        store().delete(run)
    st.session_state[DELETED] = (ids, chosen_ids())
    choose([])


def restore(ids: list[str], chosen: list[str] | None = None) -> None:
    """Bring runs back, and what was chosen when they were deleted."""
    for run in map(store().run, ids):
        require_change(run)
    for run in ids:
        store().restore(run)
    dismiss()
    if chosen:
        choose(chosen)


def dismiss() -> None:
    st.session_state.pop(DELETED, None)


def purge() -> None:
    """Delete for good what this visitor has deleted, and nothing of others."""
    store().purge([run.id for run in deleted_runs()])
    dismiss()


def deleted_runs() -> "list[StoredRun]":
    """Return the deleted runs that this visitor may restore or delete for good."""
    return [run for run in store().runs(deleted=True) if may_change(run)]


def show_undo() -> None:
    """Offer to undo the last deletion, until that is done or dismissed."""
    if DELETED not in st.session_state:
        return
    ids, chosen = st.session_state[DELETED]
    colours = COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    st.html(f"<style>.st-key-undo_bar {{ {colours} }} {STYLE}</style>")
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar"):
        st.markdown(f"{len(ids)} run{'s' * (len(ids) != 1)} deleted.", width="content")
        click = {"on_click": attempt, "args": (restore, ids, chosen)}
        st.button("Undo", key="undo", icon=":material/undo:", type="primary", **click)
        st.button(
            "", key="undo_dismiss", icon=":material/close:", on_click=dismiss, help="Dismiss", type="tertiary"
        )


def show_deleted() -> None:
    """List the deleted runs, to be restored or deleted for good."""
    deleted = deleted_runs()
    if not deleted:
        return
    with st.expander(f"Deleted ({len(deleted)})", icon=":material/delete:", key="deleted"):
        for run in deleted[:MOST_LISTED]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{plain(run_name(run))} · {topology_text(run)} · id `{run.id[:8]}`")
                click = {"on_click": attempt, "args": (restore, [run.id])}
                st.button("Restore", key=f"undo_{run.id}", icon=":material/undo:", **click)
        if len(deleted) > MOST_LISTED:
            st.caption(f"And {len(deleted) - MOST_LISTED} more.")
        about = "Deletes the events and networks of all these runs. This cannot be undone."
        icon = ":material/delete_forever:"
        st.button("Delete for good", key="purge", icon=icon, on_click=attempt, args=(purge,), help=about)
