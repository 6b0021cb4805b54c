"""What a visitor has open on the Grow page: one typed object, and its link."""

from dataclasses import dataclass, field

import streamlit as st

from pgcn.config import Config, option
from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn import GrowthConfig
from pgcn.ui.grow.branching import BRANCH, BRANCH_NAMES, Branching, branching_from_query
from pgcn.ui.grow.settings import FIRST, Settings, settings_from_query
from pgcn.ui.grow.shown import opening_shown, settings_shown
from pgcn.ui.links import Query, as_text, read_ids, read_link, unknown_names
from pgcn.ui.session import Session, is_requested, new_link, save_session, saved_session, show_link

SHOWN = ("job", "run", "batch")
BACK = "of"
"""In the link to a batch that grew a run again, or to a branch: that run, or the parent."""
EDIT = "next_"
"""Before the name of a setting in a link: what was edited since the run that the link shows, to be grown next."""
NAMES = {*Settings.OWN, *Settings.GROWTH}
EDITS = {f"{EDIT}{name}" for name in NAMES}


@dataclass(frozen=True, kw_only=True)
class View(Config):
    """What a link asks the replay to show."""

    at: int | None = option(None, "The step of the replay.", at_least=0, at_most=1_000_000)
    branch: int | None = option(None, "The accepted block to grow on from.", at_least=1, at_most=1_000_000)


@dataclass
class GrowSession(Session):
    """The settings in the sidebar and what is shown: a job, a stored run, or a batch of runs."""

    settings: Settings = field(default_factory=Settings)
    """What will be grown next."""
    base: Settings = field(default_factory=Settings)
    """What these began with: the settings of what is shown, where they are known; else those of the link."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why a value could not be used, by setting."""
    run: str = ""
    batch: str = ""
    at: int | None = None
    """The step of the replay that a link asks for."""
    branching: Branching | None = None
    """The branch that the visitor is about to grow from the run that is shown."""
    wanted: bool = False
    """It was opened by a click, not by a link: what is missing beside it is computed."""
    keep_running: bool = False
    perturbed: dict[str, str] = field(default_factory=dict)
    """The run that a batch grew again with perturbed weights, by batch."""
    parents: dict[str, str] = field(default_factory=dict)
    """The parents of branches that were shown, by branch."""
    grown: dict[str, str] = field(default_factory=dict)
    """The jobs that grow runs, by run: a visitor walks to the parent of a branch and comes back."""
    waited_for: str = ""
    """The job whose first events were waited for."""
    baselines: dict[str, str] = field(default_factory=dict)
    """The jobs that train GCN baselines, by batch."""
    beside: dict[str, str] = field(default_factory=dict)
    """The jobs that grow the rule's run beside one that a visitor has decided, by batch."""
    batches: dict[str, str] = field(default_factory=dict)
    """The jobs that grow batches, by batch: a visitor opens a run of one and comes back."""
    settled: tuple[str, str] | None = None
    """The run and the batch whose settings ``base`` has."""
    is_known: bool = False
    """These settings make the run or the batch again that is shown."""
    followed: bool = True
    """It was read from the address in this very run of the page."""

    @property
    def subject(self) -> tuple[str, ...]:
        return (*super().subject, self.run, self.batch)

    @property
    def way_back(self) -> str:
        """The run that the batch that is shown grew again, "" where it is about none."""
        return self.perturbed.get(self.batch, "")

    @property
    def parent(self) -> str:
        """The parent of the run that is shown, "" where it is no branch."""
        return self.parents.get(self.run, "")

    @property
    def edited(self) -> list[str]:
        """The settings that were changed since, by name."""
        return self.settings.differences(self.base)

    def query(self) -> dict[str, str]:
        """Return the link: beside a run or a batch stand its own settings, and apart what was edited since."""
        shown = {name: getattr(self, name) for name in SHOWN if getattr(self, name)}
        if self.at is not None:
            shown["at"] = str(self.at)
        if self.way_back or self.parent:
            shown[BACK] = self.way_back or self.parent
        if self.branching:
            shown |= self.branching.to_query()
        about_shown = self.run or self.batch
        query = {**(self.base if about_shown else self.settings).to_query(), **shown}
        if about_shown and self.edited:
            query |= written_edits(self.base, self.settings)
        return query or {"dataset": self.settings.dataset}  # the bare address is a newcomer's

    def started(self, job: Job, *, base: Settings, **shown: str) -> None:
        """Show what was just started, with these settings."""
        self.show(**shown)
        self.follow(job)
        self.base, self.settled, self.is_known, self.errors = base, (self.run, self.batch), not self.parent, {}
        if self.batch:
            self.batches[self.batch] = job.id
        if self.run:
            self.grown[self.run] = job.id

    def show(self, *, job: str = "", run: str = "", batch: str = "") -> None:
        self.job, self.run, self.batch, self.at, self.wanted = job, run, batch, None, True
        self.branching = None

    def show_run(self, run: str, at: int | None = None) -> None:
        """Show a run at a step of its replay, and the job that grows it if there is one."""
        if self.run and self.job:
            self.grown[self.run] = self.job
        self.show(run=run, job=self.grown.get(run, ""))
        self.at = at

    def show_batch(self, batch: str) -> None:
        """Show a batch, and the job that grows it if there is one."""
        self.show(batch=batch, job=self.batches.get(batch, ""))


def written_edits(base: Settings, settings: Settings) -> dict[str, str]:
    """Return for a link what makes the settings of the base."""
    before, now = base.to_query(), settings.to_query()
    names = [name for name in dict.fromkeys([*now, *before]) if before.get(name) != now.get(name)]
    return {f"{EDIT}{name}": as_text(settings.value(name)) for name in names}


def apply_edits(session: GrowSession, query: Query) -> None:
    """Edit the settings as a link says, after they have become those of what is shown."""
    edits = {name.removeprefix(EDIT): text for name, text in query.items() if name in EDITS}
    if edits:
        settings, problems = settings_from_query({**session.settings.to_query(), **edits})
        session.problems += problems
        use_settings(session, settings)


def grow_session() -> GrowSession:
    """Return this visitor's session, read from the link if the link is new."""
    wanted = is_requested("grow")  # by a click on another page
    query, saved = new_link("grow"), saved_session("grow")
    if query is None:
        settle(saved)
        return saved
    session = GrowSession()
    session.settings, session.problems = settings_from_query(query) if query else (FIRST, [])
    session.problems += unknown_names(query, {*NAMES, *EDITS, *SHOWN, BACK, "at", *BRANCH_NAMES})
    ids, wrong = read_ids(query, (*SHOWN, BACK))
    way_back = ids.pop(BACK, "")
    session.show(**ids)
    session.wanted = wanted
    session.problems += wrong
    names = ("at", BRANCH)
    view, problems = read_link(View(), query, names, lambda view, name, text: view.set(f"{name}={text}"))
    session.at, session.problems = view.at, session.problems + problems
    session.base = session.settings
    if saved is not None:
        session.keep_running, session.baselines = saved.keep_running, saved.baselines
        session.perturbed, session.batches, session.beside = saved.perturbed, saved.batches, saved.beside
        session.parents, session.grown = saved.parents, saved.grown
    if session.batch and way_back:
        session.perturbed[session.batch] = way_back
    elif session.run and way_back:
        session.parents[session.run] = way_back
    save_session("grow", session, widgets="set_")
    settle(session, keep=bool(query.keys() & NAMES))
    apply_edits(session, query)
    if view.branch is not None:
        read_branching(session, view.branch, query)
    return session


def read_branching(session: GrowSession, step: int, query: Query) -> None:
    """Have the session be about to branch, as a link says."""
    try:
        started = opening_shown(session)
        if started is not None:
            parent = GrowthConfig.from_dict(started.config)
            session.branching, problems = branching_from_query(query, step, parent)
            session.problems += problems
    except PgcnError as error:
        session.problems.append(f"{error} The link's branch is ignored.")


def settle(session: GrowSession, *, keep: bool = False) -> None:
    """Have the settings be those of what is shown, once for each; what was edited or is to be kept stays."""
    shown = (session.run, session.batch)
    if session.settled == shown:
        return
    own, edited = settings_shown(session), keep or session.edited
    session.settled, session.base = shown, own or session.settings
    session.is_known = (own is not None or keep) and not session.parent
    if own is not None and not edited:
        use_settings(session, own)


def use_settings(session: GrowSession, settings: Settings) -> None:
    """Make settings the visitor's own, and have the widgets show them."""
    session.settings = settings
    for key in [key for key in st.session_state if str(key).startswith("set_") and key != "set_example"]:
        value = settings.value(str(key).removeprefix("set_"))
        if st.session_state[key] != value:
            st.session_state[key] = value


def write_link(session: GrowSession) -> None:
    """Put what is shown into the address bar; the address that was just followed stays as it is.

    It says the same, perhaps in fewer words. The browser may not be ready yet to replace it, and would add a step
    to its history.
    """
    if session.followed:
        session.followed = False
    else:
        show_link(session, session.query())
