"""Deleting a graph of one's own, and undoing it."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import AccessError
from pgcn.ui.access import NOBODYS, NOT_YOURS, has_ownership, why_not_start
from pgcn.ui.runs.deletion import COLOURS, STYLE
from pgcn.ui.server import store, visitor_key
from pgcn.ui.shell import attempt
from pgcn.ui.text import plain

if TYPE_CHECKING:
    from pgcn.store.graphs import StoredGraph

DELETED = "data_just_deleted"


def why_not_delete(graph: "StoredGraph") -> str:
    """Return why this visitor may not delete a graph, "" if it may."""
    if why := why_not_start():
        return why
    if not has_ownership() or (graph.creator and graph.creator == visitor_key()):
        return ""
    return (NOT_YOURS if graph.creator else NOBODYS).replace("run", "graph")


def show_delete_button(graph: "StoredGraph") -> None:
    why = why_not_delete(graph)
    click = {"on_click": attempt, "args": (delete, graph.name), "disabled": bool(why)}
    st.button("Delete", icon=":material/delete:", key="data_delete", help=why or "Can be undone.", **click)


def delete(name: str) -> None:
    graph = store().stored_graphs().get(name)
    if graph is None:
        return  # a click that came twice
    if why := why_not_delete(graph):
        raise AccessError(why)
    store().delete_graph(name)
    st.session_state[DELETED] = name
    st.query_params.clear()


def restore(name: str) -> None:
    graph = store().stored_graphs(deleted=True).get(name)
    if graph is not None:
        if why := why_not_delete(graph):
            raise AccessError(why)
        store().restore_graph(name)
    dismiss()


def purge() -> None:
    """Remove for good what this visitor may; its runs stay."""
    for graph in deleted_graphs():
        store().remove_graph(graph.name)
    dismiss()


def dismiss() -> None:
    st.session_state.pop(DELETED, None)


def deleted_graphs() -> "list[StoredGraph]":
    return [graph for graph in store().stored_graphs(deleted=True).values() if not why_not_delete(graph)]


def show_undo() -> None:
    """Offer to undo the last deletion, until that is done or dismissed."""
    name = st.session_state.get(DELETED)
    if name is None:
        return
    colours = COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    st.html(f"<style>.st-key-undo_bar {{ {colours} }} {STYLE}</style>")
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar"):
        st.markdown(f"{plain(name)} deleted.", width="content")
        click = {"on_click": attempt, "args": (restore, name)}
        st.button("Undo", key="data_undo", icon=":material/undo:", type="primary", **click)
        how = {"icon": ":material/close:", "help": "Dismiss", "type": "tertiary"}
        st.button("", key="data_dismiss", on_click=dismiss, **how)


def show_deleted() -> None:
    """List the deleted graphs, to be restored or removed for good."""
    deleted = deleted_graphs()
    if not deleted:
        return
    with st.expander(f"Deleted ({len(deleted)})", icon=":material/delete:", key="data_deleted"):
        for graph in deleted[:20]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(graph.name))
                click = {"on_click": attempt, "args": (restore, graph.name)}
                st.button("Restore", key=f"restore_{graph.content}", icon=":material/undo:", **click)
        about = "Their runs stay, but can no longer be resumed. This cannot be undone."
        st.button("Delete for good", key="data_purge", on_click=attempt, args=(purge,), help=about)
