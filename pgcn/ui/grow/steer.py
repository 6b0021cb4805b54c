"""A visitor decides: what the rule would do, and five buttons, which have their place while the run trains, too."""

from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pgcn.errors import PgcnError
from pgcn.events import DecisionAwaited, Event
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn.decisions import ACCEPT, DECISIONS, NEW_LAYER, REJECT, STOP, UNDO, WORDS
from pgcn.methods.pgcn.events import BlockAwaited, LayerAwaited
from pgcn.ui.access import require_control, why_not_control, why_not_start
from pgcn.ui.grow.session import GrowSession, use_settings
from pgcn.ui.text import plain

BUTTONS = {
    ACCEPT: ("Accept", "check", "Accept it and continue growing."),
    REJECT: (
        "Reject",
        "close",
        "Reject it. After a block the rule closes the layer, unless patience is left; after a layer growth ends.",
    ),
    NEW_LAYER: ("New layer", "layers", "Accept it and start the next layer."),
    STOP: ("Stop here", "flag", "Accept it and end growth."),
    UNDO: ("Undo", "undo", "Go back to the last accepted block and decide on it again."),
}
"""By decision: its button, its icon, and what it does."""

AHEAD = "Grow: you decide on each candidate."

KEYS = {REJECT: "x"}
"""Where a decision's key is not its first letter: Streamlit keeps R for itself."""


def show_switch(session: GrowSession) -> None:
    """Draw the switch by which the next run asks its visitor."""
    wanted = session.settings.config.decider == "person"
    if st.session_state.get("steer") != wanted:
        st.session_state["steer"] = wanted
    about = (
        "After each candidate the rule's verdict and its reason are shown, and the run waits for you: accept, "
        "reject, new layer, stop here or undo. After a rejected block the rule closes the layer, unless patience "
        "is left; a rejected layer ends growth. At the end you can compare your run with the rule's."
    )
    how = {"help": about, "disabled": bool(why_not_start()), "value": wanted}  # told twice, as that of any setting
    st.toggle("I decide", key="steer", on_change=use_switch, args=(session,), **how)


def use_switch(session: GrowSession) -> None:
    decider = "person" if st.session_state.get("steer") else "rule"
    use_settings(session, session.settings.with_value("decider", decider))


def is_to_decide(session: GrowSession) -> bool:
    """Return whether the next run asks its visitor."""
    return session.settings.config.decider == "person" and not why_not_start()


def show_decision(place: DeltaGenerator, session: GrowSession, job: Job | None, events: Sequence[Event]) -> None:
    """Draw what is asked now, or that nothing is yet, and the buttons, in the place for it.

    The rule's reason stands below, in the title of the picture. A button that can be pressed has no tooltip: it
    would lie on the question.
    """
    asking = job is not None and job.status == "asking"
    question = events[-1] if asking and events and isinstance(events[-1], DecisionAwaited) else None
    why = why_not_control(job) if job is not None else ""
    with place:
        show_words(question_text(question) if job is not None else AHEAD)
        with st.container(horizontal=True, key="decisions"):
            for decision in DECISIONS:
                label, icon, about = BUTTONS[decision]
                possible = question is not None and decision in question.choices and not why
                by_rule = question is not None and question.rule == decision
                st.button(
                    label,
                    key=f"decide_{decision}",
                    icon=f":material/{icon}:",
                    help=None if possible else why or about,
                    type="primary" if by_rule else "secondary",
                    shortcut=KEYS.get(decision, decision[0]) if possible else None,
                    disabled=not possible,
                    on_click=decide,
                    args=(session, decision, len(events)),
                )


def show_words(words: str) -> None:
    """Draw a line that has its room whatever it says."""
    st.html(f'<p class="asked" role="status">{escape(words)}</p>')


def question_text(question: DecisionAwaited | None) -> str:
    """Return what is asked, and what the rule would do."""
    if question is None:
        return "You decide on the next candidate when it has been trained."
    assert isinstance(question, BlockAwaited | LayerAwaited)
    is_block = isinstance(question, BlockAwaited)
    about = f"Layer {question.layer}, block {question.block}" if is_block else f"Layer {question.layer} is complete"
    return f"{about}. The rule would {WORDS[question.rule]} it."


def decide(session: GrowSession, decision: str, number: int) -> None:
    """Answer the question that was shown after so many events."""
    job = session.current_job()
    try:
        if job is None:
            raise PgcnError("The run no longer waits for a decision: resume it.")
        require_control(job)
        job.decide(decision, number)
    except PgcnError as error:
        session.problems = [plain(str(error))]
