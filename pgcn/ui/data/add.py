"""Add a graph: drop files, see what was read of them, correct it, save."""

from pathlib import Path
from typing import Any

import streamlit as st

from pgcn.data.examples import EXAMPLES
from pgcn.errors import DataError, PgcnError
from pgcn.ui.access import why_not_start
from pgcn.ui.data.component import show_data
from pgcn.ui.data.details import show_notes, show_numbers
from pgcn.ui.data.mapping import show_mapping
from pgcn.ui.data.reading import AddSession, read_files, save, saved_name, stop
from pgcn.ui.refreshing import refreshed
from pgcn.ui.session import is_running, saved_session
from pgcn.ui.shell import attempt, show_error
from pgcn.ui.text import plain
from pgcn.views.data_page import drawn

TICK = 0.5
FORMATS = (
    "CSV, TSV or Parquet tables of nodes and edges, an edge list, GraphML, GEXF, node-link JSON, .npz, .mtx, or "
    ".pt of PyG. Nothing is unpickled."
)


def add_session() -> AddSession:
    """Return what this visitor is adding."""
    session = saved_session("data")
    if not isinstance(session, AddSession):
        session = st.session_state["session_data"] = AddSession()
    return session


def show_add() -> None:
    """Draw the place for files and the examples; below, what was read of them."""
    session, why = add_session(), why_not_start()
    with st.container(border=True, key="add"):
        left, right = st.columns([3, 2], gap="medium")
        with left:
            most = st.get_option("server.maxUploadSize")
            dropped = st.file_uploader(
                "Add your graph: a table of nodes and one of edges, or one file",
                accept_multiple_files=True,
                key=f"add_files_{session.round}",
                disabled=bool(why),
                help=f"{FORMATS} Up to {most} MB each (server.maxUploadSize); for more: `pgcn data add`.",
            )
        with right:
            st.caption("Or try a made-up example:")
            with st.container(horizontal=True, key="add_examples"):
                for name, example in EXAMPLES.items():
                    click = {"on_click": attempt, "args": (use_example, session, name), "disabled": bool(why)}
                    st.button(example.title, key=f"example_{name}", help=why or example.about, **click)
        attempt(take_files, session, dropped)
        if session.contents:
            show_reading(session)


def take_files(session: AddSession, dropped: list[Any]) -> None:
    """Read the files that were dropped, if they are others than before."""
    if len(dropped) > 2:
        session.contents = []
        raise DataError(f"A graph is one file, or a table of nodes and one of edges; got {len(dropped)} files.")
    files = tuple(file.file_id for file in dropped)
    if files == session.files or (not files and session.example):
        return
    job = session.current_job()
    if is_running(job):
        job.cancel("Other files were chosen.")
    session.files, session.example, session.choice, session.previews = files, "", {}, []
    session.portrait, session.draft, session.job = None, None, ""
    session.contents = [(file.name, file.getbuffer()) for file in dropped]
    forget_widgets()
    if session.contents:
        attempt(read_files, session)


def use_example(session: AddSession, name: str) -> None:
    """Read an example as if its files had been dropped."""
    session.start_over()
    forget_widgets()
    session.example = name
    session.contents = [(path.name, path.read_bytes()) for path in EXAMPLES[name].paths]
    read_files(session)


def forget_widgets() -> None:
    for key in [key for key in st.session_state if str(key).startswith("map_")]:
        del st.session_state[key]


def show_reading(session: AddSession) -> None:
    """Draw what is being read, or what was read."""
    job = session.current_job()
    if name := saved_name(job):
        session.start_over()
        st.query_params.from_dict({"dataset": name})
        st.rerun()
    running = is_running(job)
    refreshed(show_progress, TICK if running else None, session, running, len(session.previews))
    if job is not None and job.error:
        show_error(job.error)
    elif job is not None and job.status == "cancelled":
        st.info(f"Stopped. {plain(job.stop_reason or '')}")
    left, right = st.columns(2, gap="medium")
    if session.previews or (job is not None and job.error):
        with left:
            choice = show_mapping(session)
        if choice != session.choice and not (running and saving(session)):
            session.choice = choice
            attempt(read_files, session)
            st.rerun()
    if session.portrait is not None:
        with right:
            show_read(session, running)
    click = {"on_click": session.start_over}
    st.button("Discard", icon=":material/close:", key="add_discard", **click)


def saving(session: AddSession) -> bool:
    return session.draft is not None


def show_progress(session: AddSession, running: bool, previews: int) -> None:
    """Say what is being done; while it is, this alone runs again."""
    job = session.current_job()
    if is_running(job) != running or len(session.previews) != previews:
        st.rerun()
    if is_running(job):
        with st.container(horizontal=True, vertical_alignment="center", key="add_progress"):
            st.progress(session.share, text=plain(job.doing or "Waiting for a free worker…"))
            st.button("Cancel", icon=":material/stop:", key="add_stop", on_click=attempt, args=(stop, session))


def show_read(session: AddSession, running: bool) -> None:
    """Draw the graph that was read, what was cleaned, and Save."""
    show_data({"kind": "detail", "portrait": drawn(session.portrait)}, "add_drawn")
    show_numbers(session.portrait)
    with st.container(horizontal=True, vertical_alignment="bottom", key="add_save"):
        guess = session.example or Path(session.contents[0][0]).stem[:60].strip() or "mine"
        name = st.text_input("Name", value=guess, max_chars=100, key=f"add_name_{session.round}")
        if st.button("Save", icon=":material/save:", type="primary", key="add_save_button", disabled=running):
            try:
                save(session, name.strip())
            except PgcnError as error:
                show_error(str(error))
            else:
                st.rerun()
    show_notes(session.portrait)
