"""What one visitor of the Difficulty page has before him, its link, and the study under way."""

import os
from dataclasses import dataclass, field

from pgcn.studies.difficulty import Study
from pgcn.ui.difficulty_asked import Asked, asked_from_query
from pgcn.ui.server import jobs, store, viewer
from pgcn.ui.visits import Visit, begin, known_visit, new_query

WORKERS = os.cpu_count() or 1


@dataclass
class Inquiry(Visit):
    """The question at the left, and the job that answers it."""

    asked: Asked = field(default_factory=Asked)
    keep_running: bool = False
    rival: str = "gcn"
    """What PGCN is compared with in words and on the map."""

    def query(self) -> dict[str, str]:
        return {**self.asked.to_query(), **({"job": self.job} if self.job else {})}


def inquiry() -> Inquiry:
    """Return this visitor's session, read from the link if the link is new."""
    query, known = new_query("difficulty"), known_visit("difficulty")
    if query is None:
        return known
    session = Inquiry()
    session.asked, session.complaints = asked_from_query(query)
    session.job = query.get("job", "")
    if known is not None:
        session.keep_running, session.rival = known.keep_running, known.rival
    begin("difficulty", session, widgets="ask_")
    return session


def run_studies(session: Inquiry, studies: list[Study]) -> None:
    """Have what is missing of the studies carried out in the background."""
    if session.is_busy():
        return
    kept = store()

    def start(tell):
        tell("Starting the worker processes…")
        from pgcn.studies.running import StudyRun

        return StudyRun(studies, kept)

    session.complaints = []
    session.job = jobs().submit(start, viewer().id, keep_running=session.keep_running).id
