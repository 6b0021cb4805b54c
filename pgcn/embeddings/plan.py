"""What there is to embed in a run, and how: every embedding under the key of all that it is made from.

Keys are computed from the stored bytes of the networks: no tensor is made, so a page may ask at once.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.config import IDENTITY
from pgcn.embeddings.reduce import checked_method, library_version
from pgcn.embeddings.steps import steps_with_weights
from pgcn.errors import ConfigError, StoreError, shown
from pgcn.events import RunStarted
from pgcn.limits import checked_number
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.steps import Step
from pgcn.store import Store, StoredRun

if TYPE_CHECKING:
    from pgcn.graph import Graph

FORMAT = 1
"""Part of every key: raised when the same question would have another answer."""


MOST_NODES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class EmbeddingConfig:
    """How embeddings are made.

    method      tsne, umap or pca
    nodes       'auto' (all of a graph up to 5,000 nodes, else a sample of 3,000), 'all', or a number
    perplexity  of t-SNE; None is 30, or the most a small graph allows
    seed        of the sample, the start and the method
    gcn         also embed a GCN with 16 hidden neurons, seed 0, on the same graph
    dimensions  of the embedding, 2 or 3
    """

    method: str = "tsne"
    nodes: int | str = "auto"
    perplexity: float | None = None
    seed: int = 0
    gcn: bool = False
    dimensions: int = 2

    def __post_init__(self) -> None:
        checked_method(self.method)
        whole = isinstance(self.nodes, int) and not isinstance(self.nodes, bool)
        if self.nodes not in ("auto", "all") and not (whole and self.nodes >= 10):
            raise ConfigError(f"nodes must be auto, all or a number of at least 10, got {shown(self.nodes)}.")
        if whole:
            checked_number("nodes", self.nodes, at_most=MOST_NODES)
        checked_number("perplexity", self.perplexity, kind=float | None, at_least=2, at_most=MOST_NODES)
        checked_number("seed", self.seed, at_least=0, at_most=2**32 - 1)
        checked_number("gcn", self.gcn, kind=bool)
        checked_number("dimensions", self.dimensions, at_least=2, at_most=3)


@dataclass(frozen=True, kw_only=True)
class PlannedFrame:
    """An embedding that a run calls for: ``kind`` is input, step or gcn.

    ``logits`` is the key of the logits that it is an embedding of, "" for the input: they are the same for every
    method.
    """

    kind: str
    key: str
    title: str
    step: Step | None = None
    logits: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All embeddings that a run calls for, in the order in which they are made, and the key of its nodes."""

    run: StoredRun
    started: RunStarted
    steps: tuple[Step, ...]
    nodes_key: str
    frames: tuple[PlannedFrame, ...]


def plan_embedding(store: Store, run: str, config: EmbeddingConfig, graph: "Graph | None" = None) -> Plan:
    """Return what there is to embed in a run, without making any tensor."""
    stored = store.run(run)
    events, networks = store.events(stored.id), network_digests(store, stored.id)
    started = events[0]
    steps = steps_with_weights(events, set(networks), stored.id)
    if graph is None and started.recipe is None:
        raise StoreError(
            f"Run {stored.id[:8]} was on a graph of your own, which is not stored. Embed it from Python: "
            "pgcn.embeddings.embed.embed(store, run, graph=graph)."
        )
    about = started.recipe if graph is None else graph.content_id()
    nodes_key = digest(FORMAT, IDENTITY, about, config.nodes, config.seed)
    # Two dimensions were the only ones once: their keys do not name them.
    space = () if config.dimensions == 2 else (config.dimensions,)
    key = digest(nodes_key, config.method, config.perplexity, library_version(config.method), "input", *space)
    frames = [PlannedFrame(kind="input", key=key, title="Input features")]
    for step in steps:
        key = digest(key, networks[step.number])
        logits = digest(nodes_key, networks[step.number], "logits")
        frames.append(PlannedFrame(kind="step", key=key, title=step.title, step=step, logits=logits))
    if config.gcn:
        network = GCNConfig(seed=0).to_dict()
        key, logits = digest(key, network), digest(nodes_key, network, "logits")
        frames.append(PlannedFrame(kind="gcn", key=key, title="GCN with 16 hidden neurons, seed 0", logits=logits))
    return Plan(run=stored, started=started, steps=tuple(steps), nodes_key=nodes_key, frames=tuple(frames))


def digest(*parts: Any) -> str:
    """Return the digest of plain values."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def network_digests(store: Store, run: str) -> dict[int, str]:
    """Return the digest of every accepted network's bytes, by step."""
    return {
        step: digest(network.description, hashlib.sha256(network.weights).hexdigest())
        for step, network in store.networks(run).items()
    }
