"""The runs of a race: what is stored of each, the job that carries it out, starting and stopping them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.events import Event
from pgcn.execution.jobs import Job
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import method_named
from pgcn.ui.access import require_control, why_not_control
from pgcn.ui.arena.jobs import prepare
from pgcn.ui.grow.jobs import memory_of, report_every
from pgcn.ui.race.session import RaceSession
from pgcn.ui.race.settings import Race
from pgcn.ui.recorded import recorded_runs
from pgcn.ui.server import job_manager, store, submit, viewer, visitor_key
from pgcn.ui.session import is_running
from pgcn.ui.stored_runs import shown_events
from pgcn.views.race import Entry

if TYPE_CHECKING:
    from pgcn.store import StoredRun

RECORDED = "recorded"


@dataclass(frozen=True)
class Lane:
    """A run of a race: its id, what it is, its job on this server, and what is stored of it."""

    id: str
    name: str
    spec: RunSpec
    job: Job | None
    stored: "StoredRun | None"

    @property
    def running(self) -> bool:
        return is_running(self.job)

    @property
    def is_recorded(self) -> bool:
        return self.stored is None and not self.running and bool(self.recorded)

    @property
    def recorded(self) -> "Sequence[Event]":
        """What was recorded of this very run, nothing of most."""
        return next((events for spec, events in recorded_runs() if spec == self.spec), ())

    @property
    def missing(self) -> bool:
        """Whether the button has something to start: it is neither done nor under way."""
        ended = self.stored is not None and self.stored.status in ("finished", "failed", "running")
        return not (self.running or ended or self.is_recorded)

    @property
    def state(self) -> str:
        if self.running:
            return "stopping" if self.job.stopping else "in training" if self.job.begun else "queued"
        if self.job is not None and self.job.error and self.stored is None:
            return "failed"
        if self.is_recorded:
            return RECORDED
        return "not run yet" if self.stored is None else self.stored.status

    def entry(self) -> Entry:
        """Return the run as it is drawn."""
        known = method_named(self.spec.method)
        widths = None if known.grows or known.searches else self.spec.config.size().widths
        problem = self.job.error.splitlines()[0] if self.state == "failed" and self.job and self.job.error else ""
        how = {"state": self.state, "events": self.events(), "live": self.running, "widths": widths}
        return Entry(id=self.id, title=self.name, problem=problem, **how)

    def events(self) -> "Sequence[Event]":
        if self.running:
            return [one.event for one in self.job.events()]
        if self.stored is not None:
            return shown_events(self.stored)
        return self.recorded if self.is_recorded else ()


@st.cache_resource(show_spinner=False)
def race_jobs() -> dict[str, str]:
    """Return the last job of each run of a race, by the run: who opens the same race looks on."""
    return {}


def lanes_of(race: Race) -> list[Lane]:
    """Return the runs of a race as they stand now."""
    ids = race.ids
    jobs = [job_manager().get(race_jobs().get(run, "")) for run in ids]  # asked first: then all they did is stored
    stored = store().find(ids)
    lanes = [
        Lane(run, racer.title, spec, job, stored.get(run))
        for run, racer, spec, job in zip(ids, race.racers, race.specs, jobs, strict=True)
    ]
    for lane in lanes:
        if lane.running:
            viewer().watch(lane.job)
    return lanes


def start_race(session: RaceSession) -> None:
    """Start every run that is missing, one job each."""
    session.problems = []
    for lane in lanes_of(session.race):
        if not lane.missing:
            continue
        try:
            start_lane(session, lane)
        except PgcnError as error:
            session.problems.append(f"{lane.name}: {error}")


def start_lane(session: RaceSession, lane: Lane) -> None:
    database, creator, spec, run = store(), visitor_key(), lane.spec, lane.id
    resumes = prepare(lane)

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.execution.execute import execute, resume_execution

        if resumes:
            return resume_execution(database, run)
        how = {"creator": creator, "progress": progress, "report_every": report_every(spec)}
        return execute([spec], database, ids=[run], **how)

    race_jobs()[run] = submit(start, keep_running=session.keep_running, memory=memory_of([spec])).id


def stop_race(session: RaceSession) -> None:
    """Stop the runs that this visitor may stop."""
    session.problems = []
    for lane in lanes_of(session.race):
        if lane.running and not lane.job.stopping:
            try:
                require_control(lane.job)
                lane.job.cancel("Stopped on the page.")
            except PgcnError as error:
                session.problems.append(f"{lane.name}: {error}")


def keep_running(session: RaceSession) -> None:
    """Let runs go on, or not, when nobody looks on: those to come, and those that are this visitor's."""
    session.keep_running = st.session_state["race_keep"]
    for lane in lanes_of(session.race):
        if lane.running and not why_not_control(lane.job):
            lane.job.keep_running = session.keep_running


def why_not_stop(lanes: list[Lane]) -> str:
    """Return why none of the runs can be stopped here, "" where one can."""
    reasons = [why_not_control(lane.job) for lane in lanes if lane.running and not lane.job.stopping]
    return "" if not reasons or "" in reasons else reasons[0]
