"""What a visitor has open on the Landscape page."""

from dataclasses import dataclass, field

from pgcn.ui.landscape.question import Question, question_from_query
from pgcn.ui.study.session import StudySession, study_session


@dataclass
class LandscapeSession(StudySession):
    """The question in the sidebar, and the job that answers it."""

    question: Question = field(default_factory=Question)


def landscape_session() -> LandscapeSession:
    """Return this visitor's session, read from the link if the link is new."""
    return study_session("landscape", LandscapeSession, question_from_query, widgets="land_")
