"""The job of the Embedding page: the embeddings of a run that are missing."""

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from pgcn.embeddings.estimate import embedding_memory, embedding_seconds
from pgcn.embeddings.plan import Plan
from pgcn.embeddings.preview import Preview
from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.execution.limits import bytes_text
from pgcn.studies.timing import Takes, in_words
from pgcn.ui.access import why_not_control
from pgcn.ui.embedding.session import EmbeddingSession
from pgcn.ui.server import job_manager, store, submit
from pgcn.views.embedding import point_values

MUCH_MEMORY, LONG = 2**29, 120.0
"""Bytes and seconds from which a visitor is asked once more."""
FASTER, SLOWER = 2 / 3, 2.0
"""An estimate is from another machine: on this one it may take so many times as long."""

PREVIEWS: WeakKeyDictionary[Job, Preview] = WeakKeyDictionary()
"""What can be shown while a job computes; whoever looks at the job sees it."""


def start_embedding(session: EmbeddingSession, plan: Plan) -> None:
    """Start computing the embeddings that are missing; say so where there is no room for it."""
    database, run, config, preview = store(), session.run, session.config, Preview()

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.embeddings.embed import embed

        return embed(database, run, config, progress=progress, preview=preview)

    session.problems, session.ended_because = [], ""
    try:
        job = submit(start, memory=embedding_memory(plan, config))
        PREVIEWS[job] = preview
        session.follow(job)
    except PgcnError as error:
        session.wanted, session.ended_because = False, str(error)


def keep_previews(session: EmbeddingSession, job: Job | None) -> None:
    """Take over what a job can show of embeddings that are not there yet; it stays where the job is stopped."""
    preview = PREVIEWS.get(job) if job is not None else None
    if preview is not None:
        session.previews.update(preview.frames)


def latest_iterate(job: Job | None) -> dict[str, Any] | None:
    """Return the last iterate of the embedding in the making, as the browser takes it."""
    preview = PREVIEWS.get(job) if job is not None and not job.ended else None
    if preview is None or preview.iterate is None:
        return None
    key, number, points = preview.iterate
    return {"key": key, "iterate": number, **point_values(points)}


def is_large(session: EmbeddingSession, plan: Plan, missing: int) -> bool:
    """Return whether embeddings take so much that a visitor is asked first."""
    memory = embedding_memory(plan, session.config).now
    return memory > MUCH_MEMORY or embedding_seconds(plan, session.config, missing) > LONG


def estimate_words(session: EmbeddingSession, plan: Plan, missing: int) -> str:
    """Say what the embeddings that are missing take."""
    seconds = embedding_seconds(plan, session.config, missing)
    takes = Takes(low=FASTER * seconds, usual=seconds, high=SLOWER * seconds)
    memory, most = embedding_memory(plan, session.config).now, job_manager().limits.memory
    words = f"{in_words(takes)} of computing"
    if memory <= MUCH_MEMORY:
        return words
    return f"{words} and {bytes_text(memory)} of memory (at most {bytes_text(most)} here)"


def stop(session: EmbeddingSession) -> None:
    job = session.current_job()
    if job is not None and not why_not_control(job):
        job.cancel("Stopped on the page.")
    session.wanted = False


def compute(session: EmbeddingSession, plan: Plan) -> None:
    """Compute what is missing, because the visitor asks for it."""
    if not session.is_busy():
        session.wanted = True
        start_embedding(session, plan)
