"""Maps kept beside the runs they are of, each under the digest of all that it was made from.

The same question has the same key, so a second look is immediate and work that was interrupted goes on from what is
there. Keys are computed from the stored bytes of the networks: no tensor is made, so a page may ask at once.
"""

import hashlib
import json
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays
from sqlalchemy.exc import IntegrityError

from pgcn.store import NETWORKS, Store

METADATA = sa.MetaData()
MAPS = sa.Table(
    "maps",
    METADATA,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("facts", sa.JSON, nullable=False),
    sa.Column("arrays", sa.LargeBinary, nullable=False),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kept:
    """Arrays and the plain values that belong to them."""

    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]


class MapCache:
    """The maps in a store's database. Arrays are kept as safetensors, of which nothing is executed."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine
        METADATA.create_all(self._engine)

    def get(self, key: str) -> Kept | None:
        """Return what is kept under a key, None if nothing is."""
        with self._engine.connect() as connection:
            row = connection.execute(sa.select(MAPS).where(MAPS.c.key == key)).one_or_none()
        return row and Kept(facts=row.facts, arrays=load_arrays(row.arrays))

    def known(self, keys: list[str]) -> set[str]:
        """Return those of the keys under which something is kept."""
        with self._engine.connect() as connection:
            return set(connection.scalars(sa.select(MAPS.c.key).where(MAPS.c.key.in_(keys))))

    def put(self, key: str, kept: Kept) -> None:
        """Keep arrays; where another job has kept the same in the meantime, its copy stays."""
        arrays = {name: np.ascontiguousarray(array) for name, array in kept.arrays.items()}
        row = {"key": key, "created": time.time(), "facts": kept.facts, "arrays": save_arrays(arrays)}
        try:
            with self._engine.begin() as connection:
                connection.execute(MAPS.insert().values(**row))
        except IntegrityError:
            return


def digest(*parts: Any) -> str:
    """Return the digest of plain values."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def network_digests(store: Store, run: str) -> dict[tuple[int, ...], str]:
    """Return the digest of every accepted network's bytes, by topology."""
    query = sa.select(NETWORKS.c.topology, NETWORKS.c.architecture, NETWORKS.c.weights).where(NETWORKS.c.run == run)
    with store.engine.connect() as connection:
        return {
            tuple(json.loads(row.topology)): digest(row.architecture, hashlib.sha256(row.weights).hexdigest())
            for row in connection.execute(query)
        }
