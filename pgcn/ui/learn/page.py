"""The Learn page: a guided tour of the method, ways to break it, and exercises."""

from typing import Any

import streamlit as st

from pgcn.errors import no_such, shown
from pgcn.lessons.example import CHANGES, RECIPE, TOUR
from pgcn.limits import read_whole
from pgcn.ui.components import keep_in_view, show_lesson
from pgcn.ui.learn.breaks import show_breaks
from pgcn.ui.learn.exercises import show_exercises
from pgcn.ui.learn.fair import show_fair
from pgcn.ui.learn.jobs import forget_job, last_state, lesson_job, stop_states
from pgcn.ui.learn.layout import lesson_columns
from pgcn.ui.learn.own import show_own
from pgcn.ui.learn.paper import show_paper
from pgcn.ui.learn.stops import FIRST, STOPS, Stop
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.shell import show_problems
from pgcn.ui.timing import timed

TICK = 0.5
"""Seconds between two refreshes while numbers are computed."""
NAMES = list(STOPS)
ABOUT = (
    f"Numbers: synthetic graph of {RECIPE['nodes']} nodes, seed {RECIPE['seed']}; random split, 2 labelled nodes "
    f"per class, 10 for validation, 20 for testing. Growth: preset reproduction with "
    f"{', '.join(f'{name} = {value:g}' for name, value in CHANGES.items())}, seed {TOUR.seed}."
)
# At every stop the title, the controls and the picture are in the same place, also before the numbers are there. On
# a phone the sentence comes first, in room for the longest one; then the picture, then equation and text, however
# long they are.
STYLE = """
.st-key-tour { gap: 0.5rem; }
.st-key-tour [data-testid="stButtonGroup"] > div { row-gap: 0.3rem; }
.st-key-learn_stop { flex: 1 1 1080px; min-width: 0; } /* beside Back and Next where there is room */
.st-key-learn_stop button { padding-inline: 0.6rem; }
.st-key-learn_stop :is([data-testid="stButtonGroup"], [role="radiogroup"]) { flex-wrap: wrap; }
.st-key-lesson_title h3 { padding: 0 0 0.3rem; }
.st-key-lesson_controls { min-height: 2.6rem; }
.st-key-lesson_words .katex { font-size: 1.12em; }
.st-key-lesson_words .katex-display { overflow: visible; padding: 0.3rem 0; }
.st-key-paper table { table-layout: fixed; width: 100%; }
.st-key-paper :is(th, td) { overflow-wrap: anywhere; vertical-align: top; }
.st-key-paper th:first-child { width: 11rem; }
@media (max-width: 1100px) {
  .st-key-lesson [data-testid="stHorizontalBlock"]:has(.st-key-lesson_words) { flex-direction: column; }
  .st-key-lesson [data-testid="stColumn"]:has(.st-key-lesson_words, .st-key-lesson_figure) {
    flex: 1 1 auto; width: 100%; min-width: 100%; }
  .st-key-lesson [data-testid="stColumn"]:has(.st-key-lesson_lead), .st-key-lesson_words:has(.st-key-lesson_lead),
    .st-key-lesson [data-testid="stColumn"] :has(.st-key-lesson_words .st-key-lesson_lead) { display: contents; }
  .st-key-lesson_words > * { order: 2; }
  .st-key-lesson_words > :has(> .st-key-lesson_lead) { order: 0; }
  .st-key-lesson [data-testid="stColumn"]:has(.st-key-lesson_figure) { order: 1; }
  .st-key-lesson_lead > .stElementContainer:only-child:has(p) { min-height: 3.2rem; }
}
@media (max-width: 700px) {
  .st-key-paper :is(table, tbody, tr, td) { display: block; width: 100%; border: 0; }
  .st-key-paper thead { display: none; }
  .st-key-paper tr { border-bottom: 1px solid rgb(128 128 128 / 35%); padding: 0.5rem 0; }
  .st-key-paper td { padding: 0.1rem 0; }
  .st-key-paper td:nth-child(2)::before { content: "the paper: "; opacity: 0.75; }
  .st-key-paper td:nth-child(3)::before { content: "its code: "; opacity: 0.75; }
  .st-key-paper td:nth-child(4)::before { content: "ours: "; opacity: 0.75; }
  .st-key-lesson_title h3 { min-height: calc(2.4em + 0.3rem); font-size: 1.4rem; }
  .st-key-learn_stop [data-testid="stButtonGroup"], .st-key-learn_stop [role="radiogroup"] {
    flex-wrap: nowrap; overflow-x: auto; max-width: calc(100vw - 1.4rem); scrollbar-width: thin; }
  .st-key-lesson_words .katex { font-size: 0.94em; }
  .st-key-lesson_lead > .stElementContainer:only-child:has(p) { min-height: 6.6rem; }
}
"""


@whole_page
@timed("learn page")
def show_learn_page() -> None:
    st.html(f"<style>{STYLE}</style>")
    name = stop_of_link()
    show_row_of_stops(name)
    stop = STOPS[name]
    st.container(key="lesson_title").markdown(f"### {stop.title}")
    if name == "fair":
        show_fair()
    elif name == "break":
        show_breaks()
    elif name == "paper":
        show_paper()
    elif name == "own":
        show_own()
    elif name == "exercises":
        show_exercises()
    else:
        show_stop(name, stop)


def stop_of_link() -> str:
    """Return the stop that the link names; say so where there is no such stop."""
    name = st.query_params.get("stop", FIRST)
    if name in STOPS:
        return name
    show_problems([f"{no_such('stop', name, NAMES)} The first one is shown."])
    return FIRST


def go(name: str) -> None:
    """Move to a stop: the address alone says which one is shown."""
    st.query_params.from_dict({"stop": name})


def show_row_of_stops(name: str) -> None:
    """Draw the row of stops, with Back and Next."""
    at = NAMES.index(name)

    def picked() -> None:
        if chosen := st.session_state["learn_stop"]:
            go(chosen)

    st.session_state["learn_stop"] = name
    with st.container(horizontal=True, vertical_alignment="center", key="tour"):
        back = {"on_click": go, "args": (NAMES[max(0, at - 1)],)}
        st.button("Back", icon=":material/arrow_back:", key="tour_back", disabled=at == 0, **back)
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            icon_position="right",
            key="tour_next",
            type="primary",
            disabled=at == len(NAMES) - 1,
            on_click=go,
            args=(NAMES[min(at + 1, len(NAMES) - 1)],),
        )
        st.segmented_control(
            "Stop",
            NAMES,
            key="learn_stop",
            label_visibility="collapsed",
            on_change=picked,
            format_func=lambda stop: f"{NAMES.index(stop) + 1} {STOPS[stop].short}",
            required=True,
        )
    keep_in_view(".st-key-learn_stop", at)  # on a phone the row scrolls


def show_stop(name: str, stop: Stop) -> None:
    """Show the text and the equation at once, and the figure when its numbers are computed."""
    words, figure = lesson_columns()
    with words:
        st.container(key="lesson_lead").markdown(stop.sentence)
        st.latex(stop.latex)
        st.markdown(stop.words)
    job = lesson_job(name, lambda: stop_states(name), keep_running=True)
    job.wait_for_events(1, 0.25)  # so that what is quick is shown at once
    following = NAMES[NAMES.index(name) + 1]
    if job.ended and STOPS[following].equation:  # compute the next stop in advance
        lesson_job(following, lambda: stop_states(following), keep_running=True)
    with figure:
        refreshed(refresh, None if job.ended else TICK, name, job.ended)
        st.caption(ABOUT)


@timed("learn tick")
def refresh(name: str, ended: bool) -> None:
    """Draw the figure of a stop; while it is being computed, this alone runs again and again."""
    query = st.query_params.to_dict()
    late = query.get("stop", FIRST) in STOPS.keys() - {name}  # this tick still carries the address of another stop
    job = lesson_job(name, lambda: stop_states(name), keep_running=True)
    values = last_state(job)
    # One element from beginning to end, also while it waits: the browser need not draw it from scratch.
    if values is None:
        words = job.error or job.doing or "Waiting for a free worker…"
        show_lesson({"kind": "waiting", "data": {"sentence": words}}, key=f"lesson_{name}")
        if job.error:
            st.button("Try again", key="lesson_again", on_click=forget_job, args=(name,))
    else:
        choices, problems = choices_of_link(name, values, {} if late else query)
        show_lesson({"kind": name, "data": values, **choices}, key=f"lesson_{name}")
        show_problems(problems)
    if job.ended != ended and not late:
        st.rerun()  # there is nothing more to wait for, or again something


def choices_of_link(name: str, values: dict[str, Any], query: dict[str, str]) -> tuple[dict[str, int], list[str]]:
    """Return the frame and the node that the link asks for, and a sentence for each that does not exist."""
    limits = {"at": frames_of(values), "node": len(values["rows"]) if name == "convolution" else 0}
    choices, problems = {}, []
    for key, most in limits.items():
        text = query.get(key, "")
        number = read_whole(text)
        if number is not None and number < most:
            choices[key] = number
        elif text and most:
            problems.append(
                f"The link asks for {key} = {shown(text)[1:-1]}; in this figure it may be 0 to {most - 1}."
            )
    return choices, problems


def frames_of(values: dict[str, Any]) -> int:
    """Return how many frames a figure has."""
    for name in ("frames", "steps", "epochs", "sums"):
        if isinstance(values.get(name), list):
            return len(values[name])
    if "runs" in values:
        runs = values["runs"]
        return len(runs) if "epsilon" in runs[0] else max(len(run["steps"]) for run in runs)
    return 5  # the graph and the convolution have five steps
