"""The jobs a visitor starts on the Grow page: a run, a batch of seeds, a run again, perturbed or resumed."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pgcn.events import RunStarted, opening
from pgcn.execution.graphs import facts_of
from pgcn.execution.jobs import Job, Start
from pgcn.execution.memory import RunMemory
from pgcn.execution.spec import RunSpec
from pgcn.ui.access import require_change
from pgcn.ui.grow.planned import plan_batch
from pgcn.ui.grow.session import GrowSession, use_settings
from pgcn.ui.grow.settings import Settings, settings_of_spec
from pgcn.ui.server import store, submit, visitor_key

if TYPE_CHECKING:
    from pgcn.studies.sensitivity import Grown

SEEDS = 20


def start_job(
    session: GrowSession, start: Start, memory: RunMemory, *, base: Settings, steps: int | None = None, **shown: str
) -> Job | None:
    """Start a job and show it, unless the one that is shown is still running; ``base`` are its settings."""
    if session.is_busy():
        return None
    session.problems = []
    job = submit(start, keep_running=session.keep_running, steps=steps, memory=memory)
    session.started(job, base=base, **shown)
    return job


def report_every(spec: RunSpec) -> int:
    """Return after how many epochs a loss is shown and stored: of a block 1000 at most, however long it trains."""
    return max(10, getattr(spec.config, "epochs", 0) // 1000)  # the networks of a search have epochs, it has none


def memory_of(specs: Sequence[RunSpec], workers: int = 1) -> RunMemory:
    """Return how much memory runs on one graph are estimated to take."""
    source, processes = specs[0].source, min(workers, len(specs))
    own = processes if processes > 1 else int(specs[0].reproducible)
    configs = [spec.config for spec in specs]
    return RunMemory(facts_of(source, store()), configs, own, dense=source.dims is not None)


def grow(session: GrowSession, *, steps: int | None = None) -> None:
    """Grow with the settings in the sidebar; with ``steps`` pause after so many blocks."""
    from pgcn.store import new_id

    spec, database, run, creator = session.settings.spec, store(), new_id(), visitor_key()

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.execution.execute import execute

        how = {"creator": creator, "progress": progress, "report_every": report_every(spec)}
        return execute([spec], database, ids=[run], **how)

    start_job(session, start, memory_of([spec]), base=session.settings, steps=steps, run=run)


def grow_seeds(session: GrowSession) -> None:
    """Grow twenty networks, from the seed in the sidebar upwards."""
    from pgcn.store import new_id

    spec, seed = session.settings.spec.with_config(decider="rule"), session.settings.seed
    specs = [spec.with_config(seed=seed + number) for number in range(SEEDS)]
    start_batch(session, specs, new_id(), base=session.settings)


def grow_perturbed(session: GrowSession, started: RunStarted) -> None:
    """Grow a run again with tiny changes to its initial weights, or show the results if they are stored."""
    from pgcn.studies.sensitivity import TIMES, perturbed_specs, sensitivity_batch

    spec = RunSpec.of(started)
    batch = sensitivity_batch(spec)
    if session.run:  # a click may be sent twice, and the batch is what is shown by then
        session.perturbed[batch] = session.run
    if len(store().runs(batch=batch)) >= TIMES and not session.is_busy():
        session.show_batch(batch)
        return
    start_batch(session, perturbed_specs(spec), batch, base=session.base)


def start_batch(session: GrowSession, specs: Sequence[RunSpec], batch: str, *, base: Settings) -> None:
    """Grow several networks at a time; ``base`` are the settings of the first."""
    from pgcn.store import new_id

    database, ids, creator = store(), [new_id() for _ in specs], visitor_key()
    workers = os.cpu_count() or 1

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.execution.execute import execute

        how = {"creator": creator, "workers": workers, "progress": progress, "report_every": report_every(specs[0])}
        return execute(specs, database, ids=ids, batch=batch, **how)

    job = start_job(session, start, memory_of(specs, workers), base=base, batch=batch)
    if job is not None:
        plan_batch(job, specs, ids)


def perturbed_runs(started: RunStarted) -> "list[Grown]":
    """Return the results of the perturbed runs that have finished."""
    from pgcn.studies.sensitivity import Grown, sensitivity_batch

    alone = started.recipe is not None and started.parent is None
    runs = [] if not alone else store().runs(batch=sensitivity_batch(RunSpec.of(started)))
    return [
        Grown(
            topology=run.topology,
            val_accuracy=run.scores["val_accuracy"],
            test_accuracy=run.scores["test_accuracy"],
        )
        for run in runs
        if run.status == "finished" and run.scores
    ]


def grow_branch(session: GrowSession) -> None:
    """Grow on from a step of the run that is shown, as the visitor has chosen."""
    from pgcn.store import new_id

    branching = session.branching
    if branching is None or session.is_busy():
        return
    database, parent, run, creator = store(), session.run, new_id(), visitor_key()
    step, changes = branching.step, branching.changes
    spec = replace(RunSpec.of(opening(database.events(parent))), config=branching.config)

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.execution.execute import branch_execution

        return branch_execution(database, parent, step, changes, run=run, creator=creator)

    session.parents[run] = parent
    base = settings_of_spec(spec) or session.base
    if start_job(session, start, memory_of([spec]), base=base, run=run) is not None:
        use_settings(session, base)


def resume(session: GrowSession) -> None:
    """Resume the stored run that is shown."""
    database, run = store(), session.run
    require_change(database.run(run))

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.execution.execute import resume_execution

        return resume_execution(database, run)

    spec = RunSpec.of(database.events(run)[0])
    start_job(session, start, memory_of([spec]), base=session.base, run=run)
