"""What a batch will consist of, known before its runs are stored: whoever has the link to its job sees all rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.execution.spec import RunSpec
from pgcn.ui.server import job_manager


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """A run that waits for its turn."""

    id: str
    spec: RunSpec

    @property
    def seed(self) -> int:
        return self.spec.config.seed


@st.cache_resource(show_spinner=False)
def _planned() -> dict[str, tuple[PlannedRun, ...]]:
    return {}


def plan_batch(job: Job, specs: Sequence[RunSpec], ids: Sequence[str]) -> None:
    """Remember what a job will grow, as long as this server has the job."""
    planned = _planned()
    for known in [known for known in planned if job_manager().get(known) is None]:
        del planned[known]
    planned[job.id] = tuple(PlannedRun(id=run, spec=spec) for run, spec in zip(ids, specs, strict=True))


def planned_runs(job: Job | None) -> tuple[PlannedRun, ...]:
    """Return what a job will grow; nothing where this server has no such job (any more)."""
    return _planned().get(job.id, ()) if job is not None else ()
