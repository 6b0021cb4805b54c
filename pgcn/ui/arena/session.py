"""What a visitor has open on the Arena page: one typed object, and its link.

The address says what is chosen: every choice writes it, so that Back returns to the choice before. Jobs stay with
the visitor whatever the address says; a link may name one.
"""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.arena import Arena
from pgcn.studies.arena.disagreements import Disagreements
from pgcn.studies.sweep import Sweep
from pgcn.ui.arena.question import JOBS, Question, question_from_query, task_of
from pgcn.ui.links import read_ids
from pgcn.ui.session import (
    Session,
    is_requested,
    is_running,
    new_link,
    save_session,
    saved_session,
    show_link,
)

PAGE = "arena"


@dataclass
class MissingRuns(Session):
    """The job that computes missing runs; ``study`` is what they are of, None where the link alone names it."""

    study: "Arena | Sweep | None" = None
    total: int = 0
    """How many runs were missing when it began."""


@dataclass
class Training(Session):
    """The job that trains one run, under the id that the run has in the store."""

    run: str = ""

    @property
    def subject(self) -> tuple[str, ...]:
        return (*super().subject, self.run)


class Comparing(Session):
    """The job that finds the nodes on which two networks disagree."""


@dataclass
class ArenaSession(Session):
    """What is chosen, and the jobs."""

    question: Question = field(default_factory=Question)
    missing: MissingRuns = field(default_factory=MissingRuns)
    training: Training = field(default_factory=Training)
    comparing: Comparing = field(default_factory=Comparing)
    keep_running: bool = False
    disagreements: dict[tuple[str, str], Disagreements] = field(default_factory=dict)
    """What was found, by the two runs."""

    @property
    def jobs(self) -> dict[str, Session]:
        return dict(zip(JOBS, (self.missing, self.training, self.comparing), strict=True))

    def query(self) -> dict[str, str]:
        """Return the address: what is chosen, and the jobs that are running."""
        running = {name: one.job for name, one in self.jobs.items() if is_running(one.current_job())}
        return {**self.question.to_query(), **running}

    def choose(self, **values: Any) -> None:
        """Take a choice into the address; say why it cannot be used where that is so. For callbacks."""
        try:
            self.question = self.question.change(**values)
        except PgcnError as error:
            self.say(f"{error} It was not changed.")
        write_link(self)

    def say(self, problem: str) -> None:
        """Have the page say what could not be done when it is next drawn."""
        st.session_state["arena_said"] = [problem]


def arena_session() -> ArenaSession:
    """Return this visitor's session with what the address says.

    From another page the bare address brings back what was open; on this page it is what Back returns to.
    """
    saved = saved_session(PAGE)
    session = saved or ArenaSession()
    elsewhere = st.session_state.get("page_before", PAGE) != PAGE
    query = new_link(PAGE) if is_requested(PAGE) else st.query_params.to_dict()
    said = st.session_state.pop("arena_said", [])
    if saved is not None and elsewhere and not query:
        write_link(session)
        return session
    session.question, problems = question_from_query(query or {})
    ids, wrong = read_ids(query or {}, JOBS)
    session.problems = said + problems + wrong
    for name, job in ids.items():
        session.jobs[name].job = job
    if "training" in ids:
        session.training.run = task_of(session.question).id
    save_session(PAGE, session)
    return session


def write_link(session: ArenaSession) -> None:
    """Put what is shown into the address bar."""
    show_link(session, session.query())
