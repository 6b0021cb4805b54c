"""What a visitor has open on the Difficulty page."""

from dataclasses import dataclass, field

from pgcn.ui.difficulty.question import Question, question_from_query
from pgcn.ui.study.session import StudySession, study_session


@dataclass
class DifficultySession(StudySession):
    """The question in the sidebar, and the job that answers it."""

    question: Question = field(default_factory=Question)
    method: str = "pgcn-ce"
    """Whose mark was clicked last: its runs are listed first."""


def difficulty_session() -> DifficultySession:
    """Return this visitor's session, read from the link if the link is new."""
    return study_session("difficulty", DifficultySession, question_from_query, widgets="ask_")
