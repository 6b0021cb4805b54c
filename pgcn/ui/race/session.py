"""What a visitor has open on the Race page: one typed object, and its link."""

from dataclasses import dataclass, field
from typing import Any

from pgcn.errors import PgcnError
from pgcn.ui.links import unknown_names
from pgcn.ui.race.settings import GRAPH, RACERS, Race, race_from_query
from pgcn.ui.session import Session, new_link, save_session, saved_session, show_link


@dataclass
class RaceSession(Session):
    """The race that is shown. Its runs are known by what they are: a link needs no ids of them."""

    race: Race = field(default_factory=Race)
    keep_running: bool = False

    def change(self, **values: Any) -> None:
        """Take a choice over; say why it cannot be used where that is so. For callbacks."""
        self.take(lambda: self.race.change(**values))

    def take(self, changed) -> None:
        self.problems = []
        try:
            self.race = changed()
        except PgcnError as error:
            self.problems = [f"{error} It was not changed."]


def race_session() -> RaceSession:
    """Return this visitor's session, read from the link if the link is new."""
    query, saved = new_link("race"), saved_session("race")
    if query is None:
        return saved
    session = RaceSession()
    session.race, session.problems = race_from_query(query)
    session.problems += unknown_names(query, (*GRAPH, "clock", *RACERS))
    if saved is not None:
        session.keep_running = saved.keep_running
    save_session("race", session, widgets="race_")
    return session


def write_link(session: RaceSession) -> None:
    show_link(session, session.race.to_query())
