"""2-D embeddings cached in the store, each under the digest of all that it was made from.

The same question has the same key, so a second look is immediate and work that was interrupted resumes from what is
there.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from pgcn.store.checksums import embedding_checksum, matches
from pgcn.store.patience import patiently
from pgcn.store.schema import EMBEDDINGS
from pgcn.store.store import Store


@dataclass(frozen=True, kw_only=True, eq=False)
class Cached:
    """Arrays and the plain values that belong to them."""

    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]


class EmbeddingCache:
    """The embeddings in a store. Arrays are safetensors, of which nothing is executed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Cached | None:
        """Return what is cached under a key, None if nothing is, or if it is not what was written."""
        with self._store.database.reading() as connection:
            row = connection.execute(sa.select(EMBEDDINGS).where(EMBEDDINGS.c.key == key)).one_or_none()
        if row is None or not is_sound_embedding(row):
            return None
        return Cached(facts=row.facts, arrays=load_arrays(row.arrays))

    def known(self, keys: list[str]) -> set[str]:
        """Return those of the keys under which something is cached."""
        with self._store.database.reading() as connection:
            return set(connection.scalars(sa.select(EMBEDDINGS.c.key).where(EMBEDDINGS.c.key.in_(keys))))

    def put(self, key: str, cached: Cached, *, run: str | None = None) -> None:
        """Cache arrays, which are deleted with a run; where another job has cached the same, its copy stays."""
        arrays = save_arrays({name: np.ascontiguousarray(array) for name, array in cached.arrays.items()})
        row = {"key": key, "created": time.time(), "facts": cached.facts, "arrays": arrays, "run": run}
        row["checksum"] = embedding_checksum(key, cached.facts, arrays)
        patiently(lambda: self._write(row))

    def _write(self, row: dict[str, Any]) -> None:
        same = EMBEDDINGS.c.key == row["key"]
        with self._store.database.writing() as connection:
            there = connection.execute(sa.select(EMBEDDINGS).where(same)).one_or_none()
            if there is not None and is_sound_embedding(there):
                return
            connection.execute(EMBEDDINGS.delete().where(same))
            connection.execute(EMBEDDINGS.insert().values(**row))


def is_sound_embedding(row: sa.Row) -> bool:
    """Return whether a cached embedding is what was written."""
    return matches(row.checksum, embedding_checksum, row.key, row.facts, row.arrays)
