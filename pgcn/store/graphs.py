"""Graphs of one's own in the store, each under the hash of its content.

Beside what is counted of a graph (:data:`FACTS`) its row may hold ``about``: where it came from, who added it, and
when it was deleted. A deleted graph is in no list, but its runs still find it by its content until it is removed.
"""

import time
import uuid
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa

from pgcn.errors import StoreError
from pgcn.source import CATALOGUE_NAMES, GraphSource
from pgcn.store.checksums import graph_checksum, matches
from pgcn.store.database import Database
from pgcn.store.schema import GRAPHS
from pgcn.store.values import time_of

FACTS = {"nodes", "edges", "features", "classes", "labelled"}
ABOUT = "about"


class Storable(Protocol):
    """What the store needs of a :class:`pgcn.graph.Graph`; it does not import torch for it."""

    def content_id(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    def facts(self) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class StoredGraph:
    """A stored graph without its data; ``facts`` are its numbers of nodes, edges, features, classes and labels.

    origin     where it came from, such as the names of its files
    creator    the visitor of the pages who added it
    deleted    when it was deleted, None where it was not
    """

    content: str
    name: str
    created: float
    facts: dict[str, Any]
    origin: str = ""
    creator: str = ""
    deleted: float | None = None

    @property
    def source(self) -> GraphSource:
        return GraphSource(name=self.name, content=self.content)


class Graphs:
    """The part of a store that holds graphs."""

    database: Database

    def add_graph(self, graph: Storable, *, name: str, origin: str = "", creator: str = "") -> GraphSource:
        """Store a graph under a name, as good as a data set of the catalogue from then on; return its source.

        The same content is stored once. A name stands for one graph; a deleted one gives its name up, and is found
        under another.
        """
        check_graph_name(name)
        known = self.stored_graphs()
        content = graph.content_id()
        for other in known.values():
            if other.content == content and self._is_sound(content):
                return other.source
        if name in known and known[name].content != content:
            raise StoreError(f"Another graph is called {name}. Choose another name, or remove that graph first.")
        about = {key: value for key, value in {"origin": origin[:500], "creator": creator}.items() if value}
        facts, data = graph.facts() | ({ABOUT: about} if about else {}), graph.to_bytes()
        row = {"content": content, "name": name, "created": time.time(), "facts": facts}
        row["checksum"] = graph_checksum(content, name, facts, data)
        with self.database.writing() as connection:
            same = sa.or_(GRAPHS.c.content == content, GRAPHS.c.name == name)
            there = connection.execute(sa.select(GRAPHS).where(same)).all()
            taken = any(is_sound_graph(one) and about_of(one).get("deleted") is None for one in there)
            if not taken:  # to add a graph again replaces one that is damaged or was deleted
                for one in there:
                    if one.content != content and is_sound_graph(one):
                        rename(connection, one, f"{name[:80]} ({uuid.uuid4().hex[:8]})")  # runs may need it
                connection.execute(GRAPHS.delete().where(same))
                connection.execute(GRAPHS.insert().values(**row, data=data))
        if taken:  # somebody was quicker
            return self.add_graph(graph, name=name, origin=origin, creator=creator)
        return GraphSource(name=name, content=content)

    def _is_sound(self, content: str) -> bool:
        with self.database.reading() as connection:
            return is_sound_graph(connection.execute(sa.select(GRAPHS).where(GRAPHS.c.content == content)).one())

    def stored_graphs(self, *, deleted: bool = False) -> dict[str, StoredGraph]:
        """Return all stored graphs by name, the newest last; or those that were deleted."""
        query = sa.select(GRAPHS.c.content, GRAPHS.c.name, GRAPHS.c.created, GRAPHS.c.facts).order_by(
            GRAPHS.c.created
        )
        with self.database.reading() as connection:
            found = [listed(row) for row in connection.execute(query) if is_usable(row)]
        return {graph.name: graph for graph in found if (graph.deleted is not None) == deleted}

    def graph_bytes(self, source: GraphSource) -> bytes:
        """Return the bytes of a stored graph, found by its content."""
        with self.database.reading() as connection:
            row = connection.execute(sa.select(GRAPHS).where(GRAPHS.c.content == source.content)).one_or_none()
        if row is None:
            raise StoreError(
                f"The graph {source.name} is no longer in this store. Add it again, or open its store."
            )
        if not is_sound_graph(row):
            raise damaged_graph(source.name)
        return row.data

    def remove_graph(self, name: str) -> None:
        """Remove a stored graph; its runs stay, but can no longer be resumed or embedded."""
        with self.database.writing() as connection:
            if not connection.execute(GRAPHS.delete().where(GRAPHS.c.name == name)).rowcount:
                raise StoreError(f"No stored graph is called {name!r}.")

    def delete_graph(self, name: str) -> None:
        """Take a graph out of all lists; :meth:`restore_graph` brings it back."""
        self._mark_graph(name, time.time())

    def restore_graph(self, name: str) -> None:
        """Bring a deleted graph back."""
        self._mark_graph(name, None)

    def _mark_graph(self, name: str, deleted: float | None) -> None:
        with self.database.writing() as connection:
            row = connection.execute(sa.select(GRAPHS).where(GRAPHS.c.name == name)).one_or_none()
            if row is None:
                raise StoreError(f"No stored graph is called {name!r}.")
            if not is_sound_graph(row):
                raise damaged_graph(name)
            about = {**about_of(row), "deleted": deleted}
            facts = {**row.facts, ABOUT: {key: value for key, value in about.items() if value is not None}}
            seal = graph_checksum(row.content, row.name, facts, row.data)
            own = GRAPHS.update().where(GRAPHS.c.content == row.content)
            connection.execute(own.values(facts=facts, checksum=seal))


def about_of(row: sa.Row) -> dict[str, Any]:
    """Return what is said about a graph beside what is counted of it."""
    found = row.facts.get(ABOUT) if isinstance(row.facts, dict) else None
    return found if isinstance(found, dict) else {}


def rename(connection: sa.Connection, row: sa.Row, name: str) -> None:
    """Give a stored graph another name."""
    seal = graph_checksum(row.content, name, row.facts, row.data)
    own = GRAPHS.update().where(GRAPHS.c.content == row.content)
    connection.execute(own.values(name=name, checksum=seal))


def listed(row: sa.Row) -> StoredGraph:
    """Return a row of the list of graphs; what is said about it may be anything."""
    about = about_of(row)
    return StoredGraph(
        content=row.content,
        name=row.name,
        created=time_of(row.created) or 0.0,
        facts={name: value for name, value in row.facts.items() if name != ABOUT},
        origin=str(about.get("origin", "")),
        creator=str(about.get("creator", "")),
        deleted=None if about.get("deleted") is None else time_of(about["deleted"]) or 0.0,
    )


def check_graph_name(name: str) -> None:
    """Refuse a name that no stored graph can have; whoever reads a large file asks before."""
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > 100:
        raise StoreError(f"A graph's name must be 1 to 100 printable characters, got {name!r}.")
    if name.lower() in CATALOGUE_NAMES:
        raise StoreError(f"{name} is the name of a data set that comes with the program. Choose another name.")


def is_usable(row: sa.Row) -> bool:
    """Return whether what a list says of a graph is of the right kind; its data is looked at when it is loaded."""
    facts = row.facts if isinstance(row.facts, dict) else {}
    counted = facts.keys() - {ABOUT} == FACTS and all(type(facts[name]) is int for name in FACTS)
    return counted and isinstance(row.name, str) and isinstance(row.content, str)


def is_sound_graph(row: sa.Row) -> bool:
    """Return whether a stored graph is what was written."""
    return matches(row.checksum, graph_checksum, row.content, row.name, row.facts, row.data)


def damaged_graph(name: str) -> StoreError:
    return StoreError(f"The graph {name[:100]} is damaged: it is not what was stored. Remove it and add it again.")
