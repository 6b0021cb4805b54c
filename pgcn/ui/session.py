"""What one visitor of the Grow page has before him: one typed object, and its link."""

from dataclasses import dataclass, field

from pgcn.ui.settings import GROWTH, OWN, Settings, settings_from_query
from pgcn.ui.visits import Visit, begin, known_visit, new_query, show_link

SHOWN = ("job", "run", "batch")


@dataclass
class Grow(Visit):
    """The settings at the left and what is shown: a job under way, a stored run, or a batch of runs."""

    settings: Settings = field(default_factory=Settings)
    run: str = ""
    batch: str = ""
    at: int | None = None
    """The step of the film that a link asks for."""
    keep_running: bool = False
    perturbed: str = ""
    """The run whose perturbed twins were asked for last."""
    waited_for: str = ""
    baselines: dict[str, str] = field(default_factory=dict)
    """The jobs that train GCN baselines, by batch."""
    link: dict[str, str] = field(default_factory=dict)
    """What was last put into the address bar."""

    def query(self) -> dict[str, str]:
        shown = {name: getattr(self, name) for name in SHOWN if getattr(self, name)}
        if self.at is not None:
            shown["at"] = str(self.at)
        return {**self.settings.to_query(), **shown}

    def show(self, *, job: str = "", run: str = "", batch: str = "") -> None:
        self.job, self.run, self.batch, self.at = job, run, batch, None


def grow_session() -> Grow:
    """Return this visitor's session, read from the link if the link is new."""
    query, known = new_query("grow"), known_visit("grow")
    if query is None:
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
        session.keep_running, session.baselines = known.keep_running, known.baselines
        session.perturbed = known.perturbed
    begin("grow", session, widgets="set_")
    return session


def write_link(session: Grow) -> None:
    """Put what is shown into the address bar."""
    session.link = session.query()
    show_link(session, session.link)
