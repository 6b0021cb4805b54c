"""What a visitor has open on the Difficulty page: one typed object, and its link."""

from dataclasses import dataclass, field

from pgcn.ui.difficulty.question import Question, question_from_query
from pgcn.ui.links import read_ids
from pgcn.ui.session import Session, new_link, save_session, saved_session


@dataclass
class DifficultySession(Session):
    """The question in the sidebar, and the job that answers it."""

    question: Question = field(default_factory=Question)
    keep_running: bool = False
    method: str = "pgcn-ce"
    """Whose mark was clicked last: its runs are listed first."""

    def query(self) -> dict[str, str]:
        return {**self.question.to_query(), **({"job": self.job} if self.job else {})}


def difficulty_session() -> DifficultySession:
    """Return this visitor's session, read from the link if the link is new."""
    query, saved = new_link("difficulty"), saved_session("difficulty")
    if query is None:
        return saved
    session = DifficultySession()
    session.question, session.problems = question_from_query(query)
    ids, wrong = read_ids(query, ("job",))
    session.job = ids.get("job", "")
    session.problems += wrong
    if saved is not None:
        session.keep_running = saved.keep_running
    save_session("difficulty", session, widgets="ask_")
    return session
