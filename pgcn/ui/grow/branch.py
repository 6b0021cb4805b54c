"""Grow on from an accepted block of a saved run with other settings: the dialog that asks with which."""

from collections.abc import Sequence

import streamlit as st

from pgcn.config import parsed
from pgcn.engine.architecture import describe_topology
from pgcn.errors import ConfigError, PgcnError
from pgcn.events import Event, opening
from pgcn.limits import kind_of
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.pgcn.lineage import FIXED, settings_changed
from pgcn.methods.pgcn.steps import accepted_blocks
from pgcn.methods.registry import grows
from pgcn.numbers import percent
from pgcn.ui.access import require_start, why_not_start
from pgcn.ui.grow.branching import OTHERS, USUAL, Branching
from pgcn.ui.grow.fields import HINTS, LABELS, about, draw_setting, label
from pgcn.ui.grow.jobs import grow_branch
from pgcn.ui.grow.session import GrowSession, write_link
from pgcn.ui.links import MOST_IN_BROWSER
from pgcn.ui.server import store
from pgcn.ui.stored_runs import stored_events
from pgcn.ui.text import plain
from pgcn.views.family import change_texts

NOTHING_DIFFERS = (
    "Nothing differs yet: with its parent's settings the branch would be the rest of its parent, bit for bit. "
    "Change a setting."
)


def is_branchable(session: GrowSession) -> bool:
    """Return whether the run that is shown is a saved one with an accepted block, and nobody grows it now."""
    if not session.run or session.is_busy() or why_not_start():
        return False
    try:
        run = store().run(session.run)  # a link may name it by the first digits of its id
    except PgcnError:
        return False  # the page says so where it shows the run
    return run.step is not None and grows(run.method) and run.status not in ("running", "damaged")


def begin_branch(session: GrowSession, step: int | None = None) -> None:
    """Ask with which settings to grow on from a step of the run that is shown, by default from its last.

    What was edited in the sidebar since is a change already.
    """
    try:
        require_start()
        events = stored_events(store().run(session.run))
        steps = [one.number for one in accepted_blocks(events)]
        parent = GrowthConfig.from_dict(opening(events).config)
        at = steps[-1] if step is None and steps else step
        if at not in steps:
            raise ConfigError("No block has been accepted there: a branch grows on from an accepted block.")
    except PgcnError as error:
        session.problems = [str(error)]
        return
    forget_widgets()
    session.problems = []
    session.branching = Branching(step=at, parent=parent, config=parent)
    if settings_changed(parent, session.base.config):
        return  # the sidebar is about something else
    for name, value in settings_changed(parent, session.settings.config).items():
        if name not in FIXED:
            session.branching = session.branching.with_value(name, value)


def forget_widgets() -> None:
    for key in [key for key in st.session_state if str(key).startswith("branch_")]:
        del st.session_state[key]


def show_branching(session: GrowSession) -> None:
    """Draw the dialog while the visitor is about to branch."""
    if session.branching is None:
        return

    def dismissed() -> None:
        session.branching = None

    if not is_branchable(session):
        dismissed()
        return
    how = {"width": "medium", "icon": ":material/call_split:", "on_dismiss": dismissed}
    st.dialog("Branch", **how)(show_dialog)(session)


def show_dialog(session: GrowSession) -> None:
    """Draw from which block and with which settings to grow on, and what differs from the parent."""
    if session.branching is None:
        st.rerun()
    write_link(session)
    try:
        events = stored_events(store().run(session.run))
    except PgcnError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.markdown(
        "A branch keeps its parent's blocks up to one of them, and grows on from there with other settings."
    )
    choose_step(session, events)
    show_fields(session)
    said = change_texts(session.branching.parent, session.branching.config)
    if said:
        st.markdown(plain(f"Changed: {', '.join(said)}."))
    else:
        st.info(NOTHING_DIFFERS, icon=":material/info:")
    for problem in session.problems:
        st.error(plain(problem), icon=":material/error:")
    off = {"disabled": not said, "help": None if said else NOTHING_DIFFERS}
    with st.container(horizontal=True):
        start = {"type": "primary", "icon": ":material/call_split:", "on_click": start_branch, "args": (session,)}
        st.button("Grow the branch", key="branch_start", **start, **off)
        st.button("Cancel", key="branch_cancel", on_click=give_up, args=(session,))


def choose_step(session: GrowSession, events: Sequence[Event]) -> None:
    """Draw the accepted blocks to choose from."""
    titles = step_titles(events)
    branching = session.branching
    if branching.step not in titles:
        session.branching = branching = Branching(
            step=max(titles), parent=branching.parent, config=branching.config
        )
    key = "branch_step"
    if st.session_state.get(key) != branching.step:
        st.session_state[key] = branching.step

    def chosen() -> None:
        given = st.session_state[key]
        if session.branching is not None and given in titles:
            now = session.branching
            session.branching = Branching(step=given, parent=now.parent, config=now.config)

    how = {"index": list(titles).index(branching.step), "format_func": titles.get, "on_change": chosen}
    st.selectbox("From the accepted block", list(titles), key=key, **how)


def step_titles(events: Sequence[Event]) -> dict[int, str]:
    """Return every accepted block in words, by its step."""
    accepted = [event for event in events if isinstance(event, BlockAccepted)]
    started, titles = opening(events), {}
    for step, event in zip(accepted_blocks(events), accepted, strict=True):
        shape = describe_topology(started.features, event.topology, started.classes)
        gone = "" if step.stands else " · rejected later with its layer"
        titles[step.number] = (
            f"L{event.layer}·B{event.block} · {shape} · validation {percent(event.after.val_accuracy)}{gone}"
        )
    return titles


def show_fields(session: GrowSession) -> None:
    """Draw the settings that a branch may change: the usual ones, and others that are asked for."""
    changed = [name for name in OTHERS if name in session.branching.changes]
    st.session_state.setdefault("branch_more", changed)
    more = [name for name in OTHERS if name in (*st.session_state["branch_more"], *changed)]
    for number, name in enumerate([*USUAL, *more]):
        if number % 2 == 0:
            columns = st.columns(2)  # row by row: on a telephone they keep their order
        with columns[number % 2]:
            given = field(session, name)
            if isinstance(given["value"], str) and kind_of(HINTS[name])[0] is int:
                st.text_input(label(name), **given)
            else:
                draw_setting(name, given)
    how = {"format_func": LABELS.get, "placeholder": "All except graph and readout settings"}
    st.multiselect("More settings", OTHERS, key="branch_more", **how)


def field(session: GrowSession, name: str) -> dict:
    """Return what the widget of a setting is given; a number that a browser cannot hold is text."""
    key, value = f"branch_of_{name}", getattr(session.branching.config, name)
    value = str(value) if isinstance(value, int) and value > MOST_IN_BROWSER else value
    if st.session_state.get(key, ...) != value:
        st.session_state[key] = value

    def changed() -> None:
        session.problems = []
        given = st.session_state[key]
        try:
            if session.branching is not None:
                value = parsed(GrowthConfig, name, given) if isinstance(given, str) else given
                session.branching = session.branching.with_value(name, value)
        except PgcnError as error:
            session.problems = [f"{error} It was not changed."]

    return {"value": value, "key": key, "on_change": changed, "help": about(name)}


def start_branch(session: GrowSession) -> None:
    """Start the branch, if this visitor may; errors are shown."""
    try:
        require_start()
        if session.branching is not None and session.branching.changes:
            grow_branch(session)
    except PgcnError as error:
        session.problems = [str(error)]


def give_up(session: GrowSession) -> None:
    session.branching, session.problems = None, []
