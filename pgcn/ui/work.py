"""From the page to the workers: start what a visitor asks for, and look up what is known of it."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.events import Event, RunStarted
from pgcn.execution.jobs import Start
from pgcn.ui.server import jobs, store, viewer
from pgcn.ui.session import Grow

if TYPE_CHECKING:
    from pgcn.store import StoredRun
    from pgcn.studies.baseline import Baseline
    from pgcn.studies.sensitivity import Grown

SEEDS = 20


def begin(session: Grow, start: Start, *, steps: int | None = None, **shown: str) -> None:
    """Have something done in the background and show it, unless what is shown is still under way."""
    if session.is_busy():
        return
    session.complaints = []
    job = jobs().submit(start, viewer().id, keep_running=session.keep_running, steps=steps)
    session.show(job=job.id, **shown)


def grow(session: Grow, *, steps: int | None = None) -> None:
    """Grow with the settings at the left; with ``steps`` pause after so many blocks."""
    from pgcn.store import new_id

    settings, kept, run = session.settings, store(), new_id()

    def start(tell):
        tell("Importing torch…")
        from pgcn.execution.execute import start_growth

        return start_growth(settings.recipe, settings.config, kept, run, tell, reproducible=settings.reproducible)

    begin(session, start, steps=steps, run=run)


def grow_seeds(session: Grow) -> None:
    """Grow twenty networks from the seed at the left upwards."""
    from pgcn.store import new_id

    settings, kept, batch = session.settings, store(), new_id()
    configs = [settings.config.change(seed=settings.seed + number) for number in range(SEEDS)]
    ids = [new_id() for _ in configs]

    def start(tell):
        tell("Importing torch…")
        from pgcn.execution.execute import start_batch

        return start_batch(settings.recipe, configs, kept, ids, batch, tell, reproducible=settings.reproducible)

    begin(session, start, batch=batch)


def grow_perturbed(session: Grow, started: RunStarted) -> None:
    """Grow a run again and again with tiny changes of its initial weights, or show what came of it before."""
    from pgcn.methods.pgcn import GrowthConfig
    from pgcn.store import new_id
    from pgcn.studies.sensitivity import TIMES, perturbed_configs

    session.perturbed = session.run
    batch, kept = perturbed_batch(started), store()
    runs = kept.runs(batch=batch)
    if len(runs) >= TIMES and not session.is_busy():
        session.show(batch=batch)
        return
    configs = perturbed_configs(GrowthConfig.from_dict(started.config))
    ids = [new_id() for _ in configs]

    def start(tell):
        tell("Importing torch…")
        from pgcn.execution.execute import start_batch

        return start_batch(started.recipe, configs, kept, ids, batch, tell, reproducible=started.reproducible)

    begin(session, start, batch=batch)


def perturbed_batch(started: RunStarted) -> str:
    from pgcn.studies.sensitivity import sensitivity_batch

    return sensitivity_batch(started.recipe, started.config, reproducible=started.reproducible)


def perturbed_runs(started: RunStarted) -> "list[Grown]":
    """Return what the perturbed runs of a run came to, as far as they have ended."""
    from pgcn.studies.sensitivity import Grown

    runs = store().runs(batch=perturbed_batch(started)) if started.recipe is not None else []
    return [
        Grown(
            topology=run.topology,
            val_accuracy=run.scores["val_accuracy"],
            test_accuracy=run.scores["test_accuracy"],
        )
        for run in runs
        if run.status == "finished" and run.scores
    ]


def resume(session: Grow) -> None:
    """Resume the stored run that is shown."""
    kept, run = store(), session.run

    def start(tell):
        tell("Importing torch…")
        from pgcn.execution.execute import Resumed

        return Resumed(kept, run)

    begin(session, start, run=run)


@st.cache_resource(show_spinner=False)
def known_baselines() -> "dict[str, Baseline]":
    return {}


def baseline(session: Grow, started: RunStarted, *, train: bool) -> "Baseline | None":
    """Return what the GCN reaches on the graph of a run; where nobody has trained it yet, have it trained."""
    from pgcn.studies.baseline import baseline_batch, stored_baseline

    recipe, how = started.recipe, {"reproducible": started.reproducible}
    if recipe is None:
        return None
    batch, known = baseline_batch(recipe, **how), known_baselines()
    if batch not in known:
        found = stored_baseline(recipe, store(), **how)
        if found is not None:
            known[batch] = found
        elif train and batch not in session.baselines:
            kept = store()

            def start(tell):
                from pgcn.studies.baseline import start_baseline

                return start_baseline(recipe, kept, tell, **how)

            session.baselines[batch] = jobs().submit(start, viewer().id, keep_running=True).id
    return known.get(batch)


def baseline_under_way(session: Grow) -> bool:
    """Return whether a GCN baseline is being trained for this visitor."""
    asked = [jobs().get(job) for job in session.baselines.values()]
    return any(job is not None and not job.ended for job in asked)


@st.cache_data(show_spinner=False, max_entries=32)
def ended_events(run: str, status: str, seconds: float) -> tuple[Event, ...]:
    """Return the events of a stored run that does not change; status and seconds tell one state from another."""
    return store().events(run)


def stored_events(stored: "StoredRun") -> tuple[Event, ...]:
    if stored.status == "running":
        return store().events(stored.id)
    return ended_events(stored.id, stored.status, stored.seconds)
