"""What one visitor of the Difficulty page has before him, its link, and the study under way."""

import os
from dataclasses import dataclass, field

import streamlit as st

from pgcn.jobs import Job
from pgcn.studies.difficulty import Study
from pgcn.ui.difficulty_asked import Asked, asked_from_query
from pgcn.ui.server import jobs, store, viewer

WORKERS = os.cpu_count() or 1


@dataclass
class Inquiry:
    """The question at the left, and the job that answers it."""

    asked: Asked = field(default_factory=Asked)
    complaints: list[str] = field(default_factory=list)
    job: str = ""
    keep_running: bool = False
    rival: str = "gcn"
    """What PGCN is compared with in words and on the map."""
    links: set[frozenset] = field(default_factory=set)
    """All that was ever put into the address bar: a browser may ask once more with an old address."""

    def query(self) -> dict[str, str]:
        return {**self.asked.to_query(), **({"job": self.job} if self.job else {})}

    def current_job(self) -> Job | None:
        job = jobs().get(self.job) if self.job else None
        if job is not None:
            viewer().watch(job)
        return job


def inquiry() -> Inquiry:
    """Return this visitor's session, read from the link if the link is new."""
    query = st.query_params.to_dict()
    known: Inquiry | None = st.session_state.get("inquiry")
    if known is not None and (not query or frozenset(query.items()) in known.links):
        return known
    session = Inquiry()
    session.asked, session.complaints = asked_from_query(query)
    session.job = query.get("job", "")
    if known is not None:
        session.links, session.keep_running, session.rival = known.links, known.keep_running, known.rival
    st.session_state["inquiry"] = session
    for name in [name for name in st.session_state if str(name).startswith("ask_")]:
        del st.session_state[name]  # the widgets show what the link says
    return session


def write_link(session: Inquiry) -> None:
    """Put the question and what is looked at into the address bar."""
    link = session.query()
    session.links.add(frozenset(link.items()))
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)


def run_studies(session: Inquiry, studies: list[Study]) -> None:
    """Have what is missing of the studies carried out in the background."""
    kept = store()

    def start(tell):
        tell("Starting the worker processes…")
        from pgcn.studies.running import StudyRun

        return StudyRun(studies, kept)

    session.complaints = []
    session.job = jobs().submit(start, viewer().id, keep_running=session.keep_running).id
