"""The jobs of adding a graph: files are read in a folder that is gone afterwards; the graph waits to be saved."""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pgcn.errors import AccessError, PgcnError
from pgcn.execution.jobs import Job
from pgcn.execution.memory import Memory
from pgcn.lessons.work import LessonWork
from pgcn.source import GraphSource
from pgcn.temporary import temporary_folder
from pgcn.ui.server import job_manager, store, submit, visitor_key
from pgcn.ui.session import Session, is_running

if TYPE_CHECKING:
    from pgcn.store import Store

UNPACKED = 10
"""Bytes of memory for each byte of a file, until it is read."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft:
    """A graph that was read and is not stored yet; the store takes it as it takes a graph."""

    content: str
    data: bytes
    counted: dict[str, Any]

    def content_id(self) -> str:
        return self.content

    def to_bytes(self) -> bytes:
        return self.data

    def facts(self) -> dict[str, Any]:
        return self.counted


@dataclass
class AddSession(Session):
    """The files that a visitor has dropped, what was read of them, and what was chosen."""

    files: tuple[str, ...] = ()
    """What tells them from others."""
    contents: list[tuple[str, Any]] = field(default_factory=list)
    """Their names and bytes."""
    choice: dict[str, Any] = field(default_factory=dict)
    """What differs from the guess."""
    share: float = 0.0
    """Of the file that is being read."""
    previews: list[dict[str, Any]] = field(default_factory=list)
    portrait: dict[str, Any] | None = None
    draft: Draft | None = None
    example: str = ""
    round: int = 0
    """Counts what was added: the next files are dropped into an empty place."""
    saved: str = ""

    @property
    def origin(self) -> str:
        return ", ".join(safe_name(name) for name, _ in self.contents)

    def start_over(self) -> None:
        """Forget the files."""
        if is_running(job := self.current_job()):
            job.cancel("Other files were chosen.")
        self.files, self.contents, self.choice, self.previews, self.example = (), [], {}, [], ""
        self.portrait, self.draft, self.job = None, None, ""
        self.round += 1


def safe_name(name: str) -> str:
    """Return the name of a file that can be written anywhere and said in a sentence."""
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(letter if letter.isprintable() else "_" for letter in last)[-80:].strip(". ")
    return kept or "file"


def read_files(session: AddSession) -> None:
    """Have the files read in the background: first how they begin, then the graph."""
    if is_running(job := session.current_job()):
        job.cancel("It is read again with other settings.")
    session.draft, session.portrait, session.share = None, None, 0.0
    contents, choice, database = list(session.contents), dict(session.choice), store()

    def start(progress: Callable[[str], None]) -> LessonWork:
        progress("Importing torch…")
        return LessonWork(reading(session, database, contents, choice, progress))

    size = sum(len(data) for _, data in contents)
    submitted = submit(start, memory=Memory(UNPACKED * size))
    session.follow(submitted)


def reading(
    session: AddSession, database: "Store", contents: list, choice: dict, progress: Callable
) -> Generator[dict[str, Any]]:
    """Yield what is known of the files, and then of their graph."""
    from pgcn.data.importers import ImportOptions, import_graph
    from pgcn.data.importers.preview import preview
    from pgcn.embeddings.portrait import portrait_of
    from pgcn.execution.graphs import load_source, named_source

    roles, settings = choice.get("roles", {}), choice.get("options", {})

    def told(what: str, done: int, total: int | None) -> None:
        session.share = done / total if total else 1.0
        progress(f"{what}…")

    with temporary_folder() as folder:
        paths = []
        for number, (name, data) in enumerate(contents):
            progress(f"Copying {safe_name(name)}…")
            (folder / str(number)).mkdir()
            paths.append(folder / str(number) / safe_name(name))
            paths[-1].write_bytes(data)
        most = (job_manager().limits.memory or 2**34) / 4e9
        options = ImportOptions(**settings, most_gigabytes=min(4.0, max(0.01, most)))
        session.previews = [preview(path, options) for path in paths]
        yield {"previews": len(paths)}
        named = {role: paths[number] for number, role in roles.items()}
        others = [path for number, path in enumerate(paths) if number not in roles]
        like = load_source(named_source(database, choice["like"]), database) if "like" in choice else None
        graph = import_graph(*others, **named, options=options, progress=told, like=like)
        progress("Drawing the graph…")
        portrait = portrait_of(graph)
        progress("Packing it…")
        draft = Draft(content=graph.content_id(), data=graph.to_bytes(), counted=graph.facts())
    session.draft, session.portrait = draft, portrait
    yield {"read": True}


def save(session: AddSession, name: str) -> None:
    """Store the graph that was read, in the background."""
    from pgcn.store.graphs import check_graph_name

    draft, found, origin, creator, database = (
        session.draft,
        session.portrait,
        session.origin,
        visitor_key(),
        store(),
    )
    if draft is None or found is None or session.is_busy():
        return
    check_graph_name(name)
    known = database.stored_graphs()
    if name in known and known[name].content != draft.content:
        raise PgcnError(f"Another graph is called {name}. Choose another name.")

    def states() -> Generator[dict[str, Any]]:
        from pgcn.embeddings.portrait import cache_portrait

        source: GraphSource = database.add_graph(draft, name=name, origin=origin, creator=creator)
        cache_portrait(database, source, found)
        yield {"saved": source.name}

    def start(progress: Callable[[str], None]) -> LessonWork:
        progress("Saving…")
        return LessonWork(states())

    session.follow(submit(start))


def saved_name(job: Job | None) -> str:
    """Return the name under which a job has stored a graph, "" if it has not."""
    values = [event.event.values for event in job.events()] if job is not None else []
    return next((value["saved"] for value in values if "saved" in value), "")


def stop(session: AddSession) -> None:
    """Give up what is being read."""
    job = session.current_job()
    if job is None:
        raise AccessError("There is nothing to stop.")
    job.cancel("Stopped.")
