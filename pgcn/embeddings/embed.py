"""Maps of a run's logits, step by step as the network grew.

Each map begins at the one before it and is turned to lie as near to it as can be, so that a node keeps its place
unless it has reason to move. The first begins at the map of the input features, the GCN's at the last.

    work = embed(Store(), "99e4c8a2", EmbeddingConfig(method="tsne"))
    for said in work:      # what happens, as it happens; to stop is to stop asking
        print(said.event)
    work.pictures          # maps, predictions, numbers
"""

import hashlib
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.config import IDENTITY
from pgcn.embeddings.cache import Kept, MapCache, digest, network_digests
from pgcn.embeddings.metrics import median_move, separation
from pgcn.embeddings.reduce import checked_features, checked_method, library_version, reduce_features
from pgcn.embeddings.steps import (
    Step,
    chosen_nodes,
    input_features,
    predictions,
    step_features,
    steps_with_weights,
)
from pgcn.errors import ConfigError, GraphError, StoreError
from pgcn.events import Event, RunEvent, RunStarted
from pgcn.methods.gcn import GCNConfig
from pgcn.store import Store, StoredRun

if TYPE_CHECKING:
    from pgcn.graph import Graph

FORMAT = 1
"""Part of every key: raised when the same question would have another answer."""
Tell = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class EmbeddingConfig:
    """How maps are made.

    method      tsne, umap or pca
    nodes       'auto' (all of a graph up to 5,000 nodes, else a sample of 3,000), 'all', or a number
    perplexity  of t-SNE; None is 30, or the most a small graph allows
    seed        of the sample, the start and the method
    gcn         also map a GCN with 16 hidden neurons, seed 0, on the same graph
    """

    method: str = "tsne"
    nodes: int | str = "auto"
    perplexity: float | None = None
    seed: int = 0
    gcn: bool = False

    def __post_init__(self) -> None:
        checked_method(self.method)
        if self.nodes not in ("auto", "all") and not (isinstance(self.nodes, int) and self.nodes >= 10):
            raise ConfigError(f"nodes must be auto, all or a number of at least 10, got {self.nodes!r}.")
        if self.perplexity is not None and not self.perplexity >= 2:
            raise ConfigError(f"perplexity must be at least 2, got {self.perplexity}.")
        if not 0 <= self.seed < 2**32:
            raise ConfigError(f"seed must be from 0 to {2**32 - 1}, got {self.seed}.")


@dataclass(frozen=True, kw_only=True)
class MapProgressed(Event):
    """The map of ``picture`` (of ``pictures``) is made up to ``share``, 0 to 1."""

    picture: int
    pictures: int
    title: str
    share: float


@dataclass(frozen=True, kw_only=True)
class MapMade(Event):
    """A map is there: ``kept`` says that it had been made before."""

    picture: int
    pictures: int
    title: str
    seconds: float
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A map that a run calls for: ``kind`` is input, step or gcn."""

    kind: str
    key: str
    title: str
    step: Step | None = None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All maps that a run calls for, in the order in which they are made, and the key of its nodes."""

    run: StoredRun
    started: RunStarted
    steps: tuple[Step, ...]
    nodes_key: str
    pictures: tuple[Planned, ...]


def plan_maps(store: Store, run: str, config: EmbeddingConfig, graph: "Graph | None" = None) -> Plan:
    """Return what there is to map in a run, without making any tensor."""
    stored = store.run(run)
    events, networks = store.events(stored.id), network_digests(store, stored.id)
    started = events[0]
    steps = steps_with_weights(events, set(networks), stored.id)
    if graph is None and started.recipe is None:
        raise StoreError(
            f"Run {stored.id[:8]} was on a graph of your own, which is not kept. Embed it from Python: "
            "pgcn.embeddings.embed.embed(store, run, graph=graph)."
        )
    about = started.recipe if graph is None else graph_digest(graph)
    nodes_key = digest(FORMAT, IDENTITY, about, config.nodes, config.seed)
    key = digest(nodes_key, config.method, config.perplexity, library_version(config.method), "input")
    pictures = [Planned(kind="input", key=key, title="Input features")]
    for step in steps:
        key = digest(key, networks[step.topology])
        pictures.append(Planned(kind="step", key=key, title=step.title, step=step))
    if config.gcn:
        key = digest(key, GCNConfig(seed=0).to_dict())
        pictures.append(Planned(kind="gcn", key=key, title="GCN with 16 hidden neurons, seed 0"))
    return Plan(run=stored, started=started, steps=tuple(steps), nodes_key=nodes_key, pictures=tuple(pictures))


def graph_digest(graph: "Graph") -> str:
    """Return the digest of a graph's content, for a graph without a recipe."""
    told = hashlib.sha256(repr((graph.num_nodes, graph.class_names)).encode())
    for part in (graph.features.indptr, graph.features.indices, graph.features.data):
        told.update(np.ascontiguousarray(part).tobytes())
    for part in (graph.edge_index, graph.y, graph.train_mask, graph.val_mask, graph.test_mask):
        told.update(np.ascontiguousarray(part.numpy()).tobytes())
    return told.hexdigest()


def embed(
    store: Store, run: str, config: EmbeddingConfig | None = None, *, graph: "Graph | None" = None,
    load: "Callable[[dict, Tell], Graph] | None" = None, tell: Tell = lambda words: None, until: int | None = None,
) -> "Embedding":  # fmt: skip
    """Map the features of a run's accepted steps, up to step ``until`` if given; iterate to have it done."""
    return Embedding(store, run, config or EmbeddingConfig(), graph, load, tell, until)


class Embedding(Iterator[RunEvent]):
    """Maps in the making. Each is kept in the store as soon as it is there."""

    def __init__(self, store, run, config, graph, load, tell, until) -> None:
        self.config, self.plan = config, plan_maps(store, run, config, graph)
        self.pictures: list[Kept] = []
        """The maps so far, in the order of the plan."""
        self.nodes: Kept | None = None
        self._store, self._cache, self._tell = store, MapCache(store), tell
        self._graph, self._load = graph, load or load_by_recipe
        self.until = until
        self._models: dict | None = None
        self._events = self._carry_out()

    def __next__(self) -> RunEvent:
        return RunEvent(run=0, event=next(self._events))

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list[RunEvent]:
        """Give it up; the maps that are there stay."""
        self._events.close()
        return []

    def finish(self) -> "Embedding":
        """Work until all maps are there."""
        for _ in self:
            pass
        return self

    @property
    def graph(self) -> "Graph":
        if self._graph is None:
            self._graph = self._load(self.plan.started.recipe, self._tell)
        return self._graph

    def _carry_out(self) -> Generator[Event]:
        self.nodes = self._cache.get(self.plan.nodes_key)
        if self.nodes is None:
            self.nodes = described_nodes(self.graph, self.config)
            self._cache.put(self.plan.nodes_key, self.nodes)
        wanted = [p for p in self.plan.pictures if p.step is None or p.step.number <= (self.until or p.step.number)]
        for number, planned in enumerate(wanted):
            began, kept = time.monotonic(), self._cache.get(planned.key)
            place = {"picture": number, "pictures": len(wanted), "title": planned.title}
            if kept is None:
                yield MapProgressed(**place, share=0.0)
                made = self._make(planned)
                try:
                    while True:
                        yield MapProgressed(**place, share=next(made))
                except StopIteration as end:
                    kept = end.value
                kept.facts["seconds"] = time.monotonic() - began
                self._cache.put(planned.key, kept)
                yield MapMade(**place, seconds=kept.facts["seconds"], kept=False)
            else:
                yield MapMade(**place, seconds=time.monotonic() - began, kept=True)
            self.pictures.append(kept)

    def _make(self, planned: Planned) -> Generator[float, None, Kept]:
        """Compute features, map and numbers of one picture."""
        y = self.nodes.arrays["y"]
        self._tell(f"{planned.title}: computing features…")
        features = self.features(planned)
        arrays: dict[str, np.ndarray] = {}
        if planned.kind != "input":
            arrays["predicted"], arrays["confidence"] = predictions(features)
        try:
            checked_features(features, "the input" if planned.kind == "input" else planned.title)
        except GraphError as error:  # the other steps may have a map
            return Kept(facts={"missing": str(error)}, arrays={"map": np.zeros((0, 2), dtype=np.float32)})
        last = next((kept.arrays["map"] for kept in reversed(self.pictures) if len(kept.arrays["map"])), None)
        afresh = planned.kind == "gcn" or not any(len(kept.arrays["map"]) for kept in self.pictures[1:])
        self._tell("")
        made = yield from reduce_features(
            features, last, method=self.config.method, perplexity=self.config.perplexity, seed=self.config.seed,
            afresh=afresh,
        )  # fmt: skip
        facts: dict[str, Any] = {
            "features": separation(features, y),
            "map": separation(made, y),
            "move": None if last is None else median_move(last, made),
        }
        return Kept(facts=facts, arrays={"map": made, **arrays})

    def features(self, planned: Planned) -> np.ndarray:
        """Return what a picture is a map of: the features of the nodes shown, [n, d]."""
        ids = self.nodes.arrays["nodes"]
        if planned.kind == "input":
            return input_features(self.graph, ids, self.config.seed)
        if planned.kind == "gcn":
            return step_features(gcn_model(self.graph, self._store), self.graph)[ids]
        if self._models is None:
            self._models = self._store.models(self.plan.run.id)
        return step_features(self._models[planned.step.topology], self.graph)[ids]


def load_by_recipe(recipe: dict[str, Any], tell: Tell) -> "Graph":
    from pgcn.data import load_graph

    tell(f"Loading {recipe['name']}…")
    return load_graph(**recipe)


def gcn_model(graph: "Graph", store: Store):
    """Return the GCN that is compared with: the GCN baseline's first where it is kept, else one trained now."""
    from pgcn.execution.start import train_gcn
    from pgcn.studies.baseline import baseline_batch

    if graph.recipe is not None:
        for run in store.runs(batch=baseline_batch(graph.recipe)):
            if run.seed == 0 and run.status == "finished":
                return store.model(run.id)
    return train_gcn(graph, GCNConfig(seed=0)).finish().model


def described_nodes(graph: "Graph", config: EmbeddingConfig) -> Kept:
    """Return what a map says of its nodes whatever the step: number, class, part, degree, and edges among them.

    ``edges`` holds positions among the nodes shown, each edge once, [2, e]; ``part`` is 0 for none, 1 labelled,
    2 validation, 3 test.
    """
    nodes = chosen_nodes(graph, config.nodes, config.seed)
    source, target = graph.edge_index.numpy()
    place = np.full(graph.num_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    shown = (source < target) & (place[source] >= 0) & (place[target] >= 0)
    part = graph.train_mask + 2 * graph.val_mask.int() + 3 * graph.test_mask.int()
    masks = {name: int(getattr(graph, f"{name}_mask").sum()) for name in ("train", "val", "test")}
    return Kept(
        facts={"count": graph.num_nodes, "classes": list(graph.class_names), "masks": masks, "split": graph.split,
               "dataset": graph.name, "config": asdict(config)},
        arrays={
            "nodes": nodes.astype(np.int64),
            "y": graph.y.numpy()[nodes],
            "part": part.numpy()[nodes].astype(np.int8),
            "degree": np.bincount(source, minlength=graph.num_nodes)[nodes].astype(np.int32),
            "edges": np.stack([place[source[shown]], place[target[shown]]]).astype(np.int32),
        },
    )  # fmt: skip
