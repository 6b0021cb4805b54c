"""The Embedding page: maps of a run's logits, step by step."""

import time
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.embeddings.cache import MapCache
from pgcn.embeddings.embed import Plan, plan_maps
from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.methods.registry import grows
from pgcn.ui.clock import timed
from pgcn.ui.embedding_choices import show_choices
from pgcn.ui.embedding_session import Look, embedding_session, write_link
from pgcn.ui.maps import show_maps
from pgcn.ui.recorded import recorded_maps
from pgcn.ui.run_views import row_of
from pgcn.ui.runs_page import may_be_seen
from pgcn.ui.server import jobs, store, viewer
from pgcn.ui.shell import go_to, show_error
from pgcn.ui.visits import known_visit, let_arrive
from pgcn.views.maps import map_film

if TYPE_CHECKING:
    from pgcn.store import StoredRun

TICK, LIVE_TICK = 0.5, 2.0
"""Seconds between two looks at a job, and at a run under way."""
UMAP_WORDS = "UMAP compiles itself at its first use on a server: about half a minute before its first map."


@timed("embedding page")
def show_embedding_page() -> None:
    session = embedding_session()
    try:
        runs = [run for run in store().runs() if run.topology and may_be_seen(run)]
    except PgcnError as error:
        show_error(str(error))
        runs = []
    if not session.run:
        session.run = default_run(runs)
    for complaint in session.complaints:
        st.warning(complaint, icon=":material/rule_settings:")
    if not session.run:
        show_welcome()
        return
    show_choices(session, runs)
    write_link(session)
    every = pace(session)
    st.fragment(look, run_every=every)(session, every)
    if every:
        let_arrive()


def default_run(runs: "list[StoredRun]") -> str:
    """Return the run of the Grow page where there is one, else the latest that has ended."""
    visit = known_visit("grow")
    grown = [run for run in runs if grows(run.method)]
    mine = [run.id for run in grown if visit is not None and run.id == visit.run]
    ended = [run.id for run in grown if run.status == "finished"]
    return next(iter([*mine, *ended, *(run.id for run in grown)]), "")


def show_welcome() -> None:
    words, button = st.columns([3, 1], vertical_alignment="center")
    words.markdown("#### See classes separate as a network grows")
    words.markdown(
        "Each point is a paper of Cora, placed by its logits. Play: with every accepted block "
        "the map is made anew from the one before it. This run is recorded; grow one, and it appears here."
    )
    if button.button("Grow your own", icon=":material/eco:", type="primary", key="to_grow", width="stretch"):
        go_to("grow")
    show_maps(recorded_maps(), key="maps")


def pace(session: Look) -> float | None:
    """Return the seconds between two looks, None where nothing changes by itself."""
    job = session.current_job()
    if job is not None and not job.ended:
        return TICK
    try:
        return LIVE_TICK if store().run(session.run).status == "running" else None
    except PgcnError:
        return None  # said where the run is to be shown


@timed("embedding tick")
def look(session: Look, paced: float | None) -> None:
    """Draw the maps that are there; have those made that are not."""
    job = session.current_job()
    try:
        plan = plan_of(session)
    except PgcnError as error:
        show_error(str(error))
        st.caption("Choose another run above, or grow one on the Grow page.")
        return
    pictures = read_pictures(session, plan)
    missing = sum(picture is None for picture in pictures)
    if missing and (job is None or job.ended) and not session.given_up and not (job and job.error):
        job = start(session)
        st.rerun()  # to look on, and to have the job in the link
    if not missing and job is not None and job.ended and not job.error:
        session.job = ""  # its work is done; the link need not name it
    show_status(session, job, plan, missing)
    if plan.nodes_key not in session.kept:
        st.caption(
            "Each point will be a node, placed by its logits. The first two maps take the "
            "longest; each one after them starts from the last."
        )
    else:
        show_maps(film_of(session, plan, pictures), key="maps")
    if pace(session) != paced:
        st.rerun()


def plan_of(session: Look) -> Plan:
    """Return what there is to map; of a run that has ended it is looked up once, of one under way now and then."""
    stored = store().run(session.run)
    moment = time.monotonic() // LIVE_TICK if stored.status == "running" else stored.seconds
    state = (stored.id, stored.status, moment, session.config)
    if session.plan is None or session.plan[0] != state:
        session.plan = (state, plan_maps(store(), stored.id, session.config))
    return session.plan[1]


def read_pictures(session: Look, plan: Plan) -> list:
    """Return the maps of a plan, None for those that are not there."""
    keys = [plan.nodes_key, *(picture.key for picture in plan.pictures)]
    unread = [key for key in keys if key not in session.kept]
    if unread:
        cache = MapCache(store())
        for key in cache.known(unread):
            session.kept[key] = cache.get(key)
    return [session.kept.get(picture.key) for picture in plan.pictures]


def film_of(session: Look, plan: Plan, pictures: list) -> dict[str, Any]:
    """Return the values for the browser, made anew only when a map has come."""
    keys = tuple(picture.key for picture in plan.pictures)
    state = (plan.run.id, session.config, keys, pictures.count(None), session.given_up)
    if session.film is None or session.film[0] != state:
        chosen = session.chosen
        steps = len(plan.steps)
        at = min(max(int(chosen["at"]), 1), steps) if "at" in chosen else None
        if "at" in chosen and at != int(chosen["at"]):
            st.warning(f"The link asks for step {chosen['at']}, but this run has steps 1 to {steps}.")
        waiting = "Stopped before this map was made." if session.given_up else "Its map is being made."
        film = map_film(
            plan, session.kept[plan.nodes_key], pictures, method=session.config.method,
            name=f"{plan.run.id} {session.config}", badge=row_of(plan.run)["name"], at=at,
            colour=chosen.get("colour", "class"), counted=chosen.get("counted", "test"),
            node=int(chosen["node"]) if "node" in chosen else None, waiting=waiting,
        )  # fmt: skip
        session.film = (state, film)
    return session.film[1]


def start(session: Look) -> Job:
    """Have the maps made that are not there."""
    kept, run, config = store(), session.run, session.config

    def begin(tell):
        tell("Importing torch…")
        from pgcn.embeddings.embed import embed
        from pgcn.execution.execute import graph_of

        return embed(kept, run, config, load=graph_of, tell=tell)

    job = jobs().submit(begin, viewer().id)
    session.job, session.given_up = job.id, False
    return job


def stop(session: Look) -> None:
    job = session.current_job()
    if job is not None:
        job.cancel("Stopped on the page.")
    session.given_up = True


def go_on(session: Look) -> None:
    if not session.is_busy():
        session.given_up, session.job = False, ""


def show_status(session: Look, job: Job | None, plan: Plan, missing: int) -> None:
    """Say in one line what is going on; nothing where all maps are there."""
    if job is not None and job.error:
        show_error(job.error)
        return
    if not missing:
        if plan.run.status == "running":
            st.caption("This run is under way: new steps appear as they are accepted.")
        return
    whole = len(plan.pictures)
    with st.container(horizontal=True, vertical_alignment="center", key="maps_status"):
        if session.given_up:
            st.markdown(f"Stopped: {whole - missing} of {whole} maps are there.")
            st.button(
                "Make the others", icon=":material/play_arrow:", key="maps_go_on", on_click=go_on, args=(session,)
            )
            return
        st.progress((whole - missing) / whole, text=status_words(session, job, whole - missing, whole))
        st.button("Stop", icon=":material/stop:", key="maps_stop", on_click=stop, args=(session,))


def status_words(session: Look, job: Job | None, done: int, whole: int) -> str:
    if job is None or job.status == "queued":
        return "Waiting for a free worker…"
    said = job.events()[-1:]
    words = f"Map {done + 1} of {whole}"
    if said:
        event = said[0].event
        words += f" · {event.title} · {100 * getattr(event, 'share', 1.0):.0f} %"
    elif job.doing:
        words += f" · {job.doing}"
    return words + (f". {UMAP_WORDS}" if session.config.method == "umap" and done < 2 else "")
