"""What one visitor of the Grow page has before him: one typed object, and its link."""

from dataclasses import dataclass, field

import streamlit as st

from pgcn.jobs import Job
from pgcn.ui.server import jobs, viewer
from pgcn.ui.settings import GROWTH, OWN, Settings, settings_from_query

SHOWN = ("job", "run", "batch")


@dataclass
class Grow:
    """The settings at the left and what is shown: a job under way, a stored run, or a batch of runs."""

    settings: Settings = field(default_factory=Settings)
    complaints: list[str] = field(default_factory=list)
    job: str = ""
    run: str = ""
    batch: str = ""
    at: int | None = None
    """The step of the film that a link asks for."""
    keep_running: bool = False
    waited_for: str = ""
    yardsticks: dict[str, str] = field(default_factory=dict)
    """The jobs that train lines to beat, by batch."""
    link: dict[str, str] = field(default_factory=dict)
    """What was last put into the address bar."""
    links: set[frozenset] = field(default_factory=set)
    """All that was ever put there. A browser may ask once more with an address that has just been replaced."""

    def query(self) -> dict[str, str]:
        shown = {name: getattr(self, name) for name in SHOWN if getattr(self, name)}
        if self.at is not None:
            shown["at"] = str(self.at)
        return {**self.settings.to_query(), **shown}

    def show(self, *, job: str = "", run: str = "", batch: str = "") -> None:
        self.job, self.run, self.batch, self.at = job, run, batch, None

    def current_job(self) -> Job | None:
        """Return the job looked at, None if there is none on this server (any more)."""
        job = jobs().get(self.job) if self.job else None
        if job is not None:
            viewer().watch(job)
        return job


def grow_session() -> Grow:
    """Return this visitor's session, read from the link if the link is new."""
    query = st.query_params.to_dict()
    known: Grow | None = st.session_state.get("visit")
    asked = st.session_state.pop("visit_asked", None)  # by another page
    if asked is not None:
        query = asked
    elif known is not None and (not query or frozenset(query.items()) in known.links):
        return known
    session = Grow()
    session.settings, session.complaints = settings_from_query(query)
    unknown = query.keys() - set(OWN) - set(GROWTH) - set(SHOWN) - {"at"}
    if unknown:
        session.complaints.append(f"The link names what is not a setting: {', '.join(sorted(unknown))}.")
    session.show(**{name: query[name] for name in SHOWN if name in query})
    if "at" in query:
        if query["at"].isdecimal():
            session.at = int(query["at"])
        else:
            session.complaints.append(f"The step of a link must be a whole number, got {query['at']!r}.")
    if known is not None:
        session.keep_running, session.yardsticks = known.keep_running, known.yardsticks
        session.links = known.links
    st.session_state["visit"] = session
    for name in [name for name in st.session_state if str(name).startswith("set_")]:
        del st.session_state[name]  # the widgets show what the link says
    return session


def write_link(session: Grow) -> None:
    """Put what is shown into the address bar."""
    session.link = session.query()
    session.links.add(frozenset(session.link.items()))
    if st.query_params.to_dict() != session.link:
        st.query_params.from_dict(session.link)
