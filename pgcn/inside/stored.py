"""The class profiles of a run's accepted networks: saved in the store, read from there by pages. No torch.

Made from the accepted weights where they are first looked at; they are no part of the events.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pgcn.embeddings.plan import digest
from pgcn.events import Event
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache

if TYPE_CHECKING:
    from pgcn.graph import Graph
    from pgcn.inside.profiles import Profiles

FORMAT = 1


def profiles_key(run: str, step: int) -> str:
    return digest("class profiles", FORMAT, run, step)


def steps_of(events: Sequence[Event]) -> list[int]:
    """Return the numbers of the networks that a run has accepted so far."""
    return list(range(1, 1 + sum(isinstance(event, BlockAccepted) for event in events)))


def read_profiles(store: Store, run: str, steps: list[int]) -> dict[int, dict[str, Any]]:
    """Return the profiles that are there of these steps of a run, as :func:`profile_values` made them."""
    cache = EmbeddingCache(store)
    keys = {profiles_key(run, step): step for step in steps}
    found = {keys[key]: cache.get(key) for key in cache.known(list(keys))}
    return {step: cached.facts for step, cached in sorted(found.items()) if cached is not None}


def save_profiles(store: Store, run: str, step: int, profiles: "Profiles", graph: "Graph") -> None:
    import numpy as np

    values = Cached(facts=profile_values(profiles, graph), arrays={"none": np.zeros(0, np.int8)})
    EmbeddingCache(store).put(profiles_key(run, step), values, run=run)


def profile_values(profiles: "Profiles", graph: "Graph") -> dict[str, Any]:
    """Return profiles as the browser takes them, in three digits; ``about`` are the names and classes of nodes."""
    named = sorted({int(node) for layer in profiles.layers for node in layer.nodes.flat})
    return {
        "layers": [
            {
                "means": rounded(layer.means.tolist()),
                "nodes": layer.nodes.tolist(),
                "peaks": rounded(layer.peaks.tolist()),
                "dead": [number for number, dead in enumerate(layer.dead) if dead],
            }
            for layer in profiles.layers
        ],
        "readout": rounded(profiles.readout.tolist()),
        "classes": list(graph.class_names),
        "about": {
            str(node): [graph.node_names[node] if graph.node_names else str(node), int(graph.y[node])]
            for node in named
        },
    }


def rounded(rows: list[list[float]]) -> list[list[float]]:
    return [[float(f"{value:.3g}") for value in row] for row in rows]
