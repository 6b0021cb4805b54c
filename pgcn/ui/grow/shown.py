"""What is shown on the Grow page: how it began, and the settings that give it again."""

from typing import TYPE_CHECKING

from pgcn.errors import PgcnError
from pgcn.events import RunStarted, opening
from pgcn.ui.grow.planned import planned_runs
from pgcn.ui.grow.settings import Settings, settings_of_run, settings_of_spec
from pgcn.ui.server import store
from pgcn.ui.stored_runs import stored_events

if TYPE_CHECKING:
    from pgcn.ui.grow.session import GrowSession

PERTURBATION = ("perturbation", "perturbation_seed")


def settings_shown(session: "GrowSession") -> Settings | None:
    """Return the settings of the run that is shown, or of the first run of the batch; None where there is none."""
    try:
        if session.batch:
            return settings_of_batch(session)
        started = opening_shown(session)
        if started is None:
            return None
        session.parents.pop(session.run, None)
        if started.parent is not None:
            session.parents[session.run] = started.parent["run"]
        return settings_of_run(started)
    except PgcnError:
        return None  # the page says so where it shows the run


def opening_shown(session: "GrowSession") -> RunStarted | None:
    """Return the event that opened the run that is shown; None where none is shown."""
    job = session.current_job()
    if job is not None and (first := job.events()[:1]):
        return opening([first[0].event])
    return opening(stored_events(store().run(session.run))) if session.run else None


def settings_of_batch(session: "GrowSession") -> Settings | None:
    """Return the settings of the first run of a batch, but for the perturbation in which its runs may differ."""
    planned, stored = planned_runs(session.current_job()), store().runs(batch=session.batch)
    settings = None
    if planned:
        settings = settings_of_spec(planned[0].spec)
    elif stored:
        first = min(stored, key=lambda run: run.seed)
        settings = settings_of_run(opening(stored_events(first)))
    if settings is None:
        return None
    changes = {name: value for name, value in settings.changes.items() if name not in PERTURBATION}
    return settings.change(changes=changes)
