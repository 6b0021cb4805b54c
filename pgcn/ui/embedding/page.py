"""The Embedding page: embeddings of a run's logits, step by step."""

import time
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.embeddings.plan import Plan, plan_embedding
from pgcn.errors import PgcnError
from pgcn.methods.registry import grows
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.ui.embedding.component import show_embedding, show_iterate
from pgcn.ui.embedding.controls import show_controls
from pgcn.ui.embedding.jobs import is_large, keep_previews, latest_iterate, start_embedding
from pgcn.ui.embedding.last import stand_ins
from pgcn.ui.embedding.session import EmbeddingSession, embedding_session, write_link
from pgcn.ui.embedding.status import show_status, unknown_logits
from pgcn.ui.recorded import recorded_embedding
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.server import store
from pgcn.ui.session import is_running, saved_session
from pgcn.ui.shell import go_to, show_error, show_problems
from pgcn.ui.stored_runs import is_visible, run_name
from pgcn.ui.timing import timed
from pgcn.views.embedding import embedding_replay

if TYPE_CHECKING:
    from pgcn.store import StoredRun

TICK, LIVE_TICK = 0.5, 2.0
"""Seconds between two refreshes while a job computes embeddings, and while the run itself is training."""
TITLE = (
    "##### Embedding :small[each point is a node, placed by its logits: see classes separate as a network grows]"
)
# The room of the status is kept: what is below must not move when a job starts or ends.
STYLE = """
.st-key-embedding_room { min-height: 2.5rem; gap: 0; justify-content: center; }
.st-key-embedding_room .stElementContainer:has(> .stBidiComponent) { position: absolute; height: 0; }
.st-key-embedding_controls .stElementContainer:has(.stSelectbox) { flex: 1 1 20rem; min-width: min(20rem, 100%); }
@media (min-width: 641px) { /* beside each other: the bar takes what the button leaves */
  .st-key-embedding_status [data-testid="stColumn"] { flex: 1 1 0; min-width: 0; }
  .st-key-embedding_status [data-testid="stColumn"] + [data-testid="stColumn"] { flex: 0 0 7rem; }
}
.st-key-embedding_controls .stButtonGroup button { min-height: 2.5rem; }
"""


@whole_page
@timed("embedding page")
def show_embedding_page() -> None:
    session = embedding_session()
    try:
        runs = [run for run in store().runs() if run.step is not None and is_visible(run)]
    except PgcnError as error:
        show_error(str(error))
        runs = []
    if not session.run:
        session.run = default_run(runs)
    st.html(f"<style>{STYLE}</style>")
    st.markdown(TITLE)
    show_problems(session.problems)
    if not session.run:
        show_welcome()
        return
    show_controls(session, runs)
    write_link(session)
    every = pace(session)
    refreshed(refresh, every, session, every, session.job)


def default_run(runs: "list[StoredRun]") -> str:
    """Return the run that is open on the Grow page, else the latest that has finished."""
    opened = saved_session("grow")
    grown = [run for run in runs if grows(run.method)] or runs
    own = [run.id for run in grown if opened is not None and run.id == opened.run]
    finished = [run.id for run in grown if run.status == "finished"]
    return next(iter([*own, *finished, *(run.id for run in grown)]), "")


def show_welcome() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("A recorded run: papers of Cora. Every accepted block gives a new embedding; press play.")
        if st.button("Grow your own", icon=":material/eco:", type="primary", key="to_grow"):
            go_to("grow")
    show_embedding(recorded_embedding(), key="embedding_view")


def pace(session: EmbeddingSession) -> float | None:
    """Return the seconds between two refreshes, None where nothing changes by itself."""
    if is_running(session.current_job()):
        return TICK
    try:
        return LIVE_TICK if store().run(session.run).status == "running" else None
    except PgcnError:
        return None  # refresh says so


@timed("embedding tick")
def refresh(session: EmbeddingSession, paced: float | None, linked: str) -> None:
    """Draw the embeddings that are there; have the missing ones computed where the visitor asked for them.

    ``linked`` is the job in the address bar.
    """
    job = session.current_job()
    try:
        plan = plan_of(session)
    except PgcnError as error:
        show_error(str(error))
        st.caption("Choose another run above, or grow one on the Grow page.")
        return
    embeddings = read_embeddings(session, plan)
    keep_previews(session, job)
    missing = embeddings.count(None)
    unfinished = missing or unknown_logits(session, plan)
    if job is not None and job.ended and not job.error:
        session.job = ""  # it is done; the link need not name it
        if job.status == "cancelled":
            session.wanted, session.ended_because = False, job.stop_reason or ""
    if unfinished and session.wanted and not is_running(job) and not (job and job.error):
        if is_large(session, plan, missing):
            session.wanted = False  # it is offered, with what it takes
        else:
            start_embedding(session, plan)
    if pace(session) != paced or session.job != linked:
        # Before anything is drawn: a button drawn now and once more by the whole page may lose a click between.
        st.rerun()
    with st.container(key="embedding_room"):
        show_status(session, job, plan, missing)
        show_iterate(latest_iterate(job), key="embedding_iterate")
    if plan.nodes_key in session.cached:
        show_embedding(replay_of(session, plan, embeddings), key="embedding_view")
    elif session.last is not None:
        stopped = not is_running(session.current_job())
        shown = session.last.until_nodes_are_known(session.config, waiting_words(stopped), stopped)
        show_embedding(shown, key="embedding_view")
    else:
        with st.container(border=True, height=520, horizontal_alignment="center", vertical_alignment="center"):
            words = "PCA comes first, in a moment." if is_running(job) else "Nothing has been computed yet."
            st.markdown(words, width="content")


def waiting_words(stopped: bool) -> str:
    return "This embedding has not been computed." if stopped else "This embedding is being computed."


def plan_of(session: EmbeddingSession) -> Plan:
    """Return what there is to embed; looked up once for a run that has ended, now and then for a running one."""
    stored = store().run(session.run)
    moment = time.monotonic() // LIVE_TICK if stored.status == "running" else stored.seconds
    state = (stored.id, stored.status, moment, session.config)
    if session.plan is None or session.plan[0] != state:
        session.plan = (state, plan_embedding(store(), stored.id, session.config))
    return session.plan[1]


def read_embeddings(session: EmbeddingSession, plan: Plan) -> list[Cached | None]:
    """Return the embeddings of a plan, None for those that are missing."""
    keys = [plan.nodes_key, *(planned.key for planned in plan.frames)]
    keys += [planned.logits for planned in plan.frames if planned.logits]
    unread = [key for key in keys if key not in session.cached]
    if unread:
        cache = EmbeddingCache(store())
        for key in cache.known(unread):
            if (found := cache.get(key)) is not None:  # what is damaged counts as missing
                session.cached[key] = found
    return [session.cached.get(planned.key) for planned in plan.frames]


def replay_of(session: EmbeddingSession, plan: Plan, embeddings: list[Cached | None]) -> dict[str, Any]:
    """Return the values for the browser, made again only when an embedding has been added."""
    keys = tuple(planned.key for planned in plan.frames)
    logits = {key: session.cached[key] for planned in plan.frames if (key := planned.logits) in session.cached}
    previews = {key: session.previews[key] for key in keys if key in session.previews}
    known = (embeddings.count(None), len(logits), len(previews))
    state = (plan.run.id, session.config, keys, known, session.wanted)
    if session.replay is None or session.replay[0] != state:
        view, steps = session.view, len(plan.steps)
        at = None if view.at is None else min(max(view.at, 1), steps)
        if at != view.at:
            st.warning(f"The link asks for step {view.at}, but this run has steps 1 to {steps}.")
        instead = stand_ins(plan, session.config, previews, session.last)
        replay = embedding_replay(
            plan,
            session.cached[plan.nodes_key],
            embeddings,
            method=session.config.method,
            logits=logits,
            stand_ins={key: one for key, one in instead.items() if key not in session.cached},
            name=f"{plan.run.id} {session.config}",
            badge=run_name(plan.run),
            at=at,
            colour=view.colour,
            counted=view.counted,
            node=view.node,
            waiting=waiting_words(not session.wanted),
            stopped=not session.wanted,
        )
        session.replay = (state, replay | {"words": "", "badge": ""})  # they are said above it
    return session.replay[1]
