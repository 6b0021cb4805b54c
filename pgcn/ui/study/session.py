"""What a visitor has open on the page of a study: its question and the job that answers it, and its link."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pgcn.ui.links import Query, read_ids
from pgcn.ui.presets import PresetSettings
from pgcn.ui.session import Session, new_link, save_session, saved_session


@dataclass
class StudySession(Session):
    """The question in the sidebar, and the job that answers it."""

    question: PresetSettings = field(kw_only=True)
    keep_running: bool = False

    def query(self) -> dict[str, str]:
        return {**self.question.to_query(), **({"job": self.job} if self.job else {})}


Opened = TypeVar("Opened", bound=StudySession)
ReadQuestion = Callable[[Query], tuple[PresetSettings, list[str]]]


def study_session(page: str, new: Callable[[], Opened], read: ReadQuestion, *, widgets: str) -> Opened:
    """Return this visitor's session of a page, read from the link if the link is new."""
    query, saved = new_link(page), saved_session(page)
    if query is None:
        return saved
    session = new()
    session.question, session.problems = read(query)
    ids, wrong = read_ids(query, ("job",))
    session.job = ids.get("job", "")
    session.problems += wrong
    if saved is not None:
        session.keep_running = saved.keep_running
    save_session(page, session, widgets=widgets)
    return session
