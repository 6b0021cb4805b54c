"""Predictions and explanations of stored runs: computed by a job, saved in the store, read from there by pages.

Keys are digests of all that an answer is made from; reading needs no torch.
"""

import io
import json
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.embeddings.plan import digest
from pgcn.errors import GraphError, shown
from pgcn.events import opening
from pgcn.execution.graphs import load_source
from pgcn.execution.spec import RunSpec
from pgcn.predictions.calibration import as_probabilities
from pgcn.predictions.table import Predictions
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache

if TYPE_CHECKING:
    from torch import nn

    from pgcn.graph import Graph
    from pgcn.predictions.explain import Explanation

Progress = Callable[[str], None]
FORMAT, EXPLANATION_FORMAT = 1, 2


def predictions_key(run: str, step: int) -> str:
    return digest("predictions", FORMAT, run, step)


def explanation_key(run: str, step: int, node: int) -> str:
    return digest("explanation", EXPLANATION_FORMAT, run, step, node)


def read_predictions(store: Store, run: str, step: int) -> Predictions | None:
    """Return the predictions of a run's network that are in the store."""
    found = EmbeddingCache(store).get(predictions_key(run, step))
    if found is None:
        return None
    names = found.arrays["node_names"].tobytes()
    return Predictions(
        logits=found.arrays["logits"],
        y=found.arrays["y"],
        part=found.arrays["part"],
        class_names=tuple(found.facts["class_names"]),
        node_names=tuple(json.loads(names)) if names else None,
    )


def read_explanation(store: Store, run: str, step: int, node: int) -> dict[str, Any] | None:
    """Return the explanation of a node that is in the store, as :func:`explanation_facts` made it."""
    found = EmbeddingCache(store).get(explanation_key(run, step, node))
    return None if found is None else found.facts


class PredictionWork(Iterator[None]):
    """The work of a job: the predictions of a run, or the explanation of one of its nodes, put into the store."""

    def __init__(self, store: Store, run: str, node: int | None = None, progress: Progress = lambda text: None):
        self._made = (
            self._predict(store, run, progress) if node is None else self._explain(store, run, node, progress)
        )

    def __next__(self) -> None:
        return next(self._made)

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list:
        """Stop; what is there stays."""
        self._made.close()
        return []

    def _predict(self, store: Store, run: str, progress: Progress) -> Generator[None]:
        from pgcn.execution.recorder import stored_model
        from pgcn.predictions.predict import predictions_of

        graph = graph_of(store, run, progress=progress)
        yield
        progress("Predicting every node…")
        found = predictions_of(stored_model(store, run), graph)
        names = json.dumps(found.node_names).encode() if found.node_names else b""
        arrays = {"logits": found.logits, "y": found.y, "part": found.part}
        arrays["node_names"] = np.frombuffer(names, dtype=np.uint8)
        facts = {"class_names": list(found.class_names)}
        step = store.network(run).step
        EmbeddingCache(store).put(predictions_key(run, step), Cached(facts=facts, arrays=arrays), run=run)
        yield

    def _explain(self, store: Store, run: str, node: int, progress: Progress) -> Generator[None]:
        from pgcn.predictions.explain import explain_node

        graph = graph_of(store, run, progress=progress)
        yield
        model, temperature = model_and_temperature(store, run, graph)
        facts = explanation_facts(explain_node(model, graph, node, progress, temperature=temperature), graph)
        key = explanation_key(run, store.network(run).step, node)
        EmbeddingCache(store).put(key, Cached(facts=facts, arrays={"none": np.zeros(0, np.int8)}), run=run)
        yield


def stored_spec(store: Store, run: str) -> RunSpec:
    """Return what a stored run is a run of."""
    return RunSpec.of(opening(store.events(run)))


def fits_squares(store: Store, run: str) -> bool:
    """Return whether a run's network was fitted to squared error, so that its outputs are no log-probabilities."""
    return getattr(stored_spec(store, run).config, "loss", "") == "mse"


def graph_of(store: Store, run: str, **how: Any) -> "Graph":
    """Return the graph that a stored run was trained on."""
    return load_source(stored_spec(store, run).source, store, **how)


def graph_file(store: Store, run: str, **how: Any) -> bytes:
    """Return the graph that a run was trained on as the file that its script reads (``torch.save``)."""
    import torch

    graph, data = graph_of(store, run, **how), io.BytesIO()
    weight = {} if graph.edge_weight is None else {"edge_weight": graph.edge_weight}
    torch.save({"x": graph.x, "edge_index": graph.edge_index, **weight}, data)
    return data.getvalue()


def explain_stored(store: Store, run: str, node: str, **how: Any) -> "tuple[Explanation, Graph]":
    """Return why a stored network gives a node its class; ``node`` is its id, or its number."""
    from pgcn.predictions.explain import explain_node

    graph = graph_of(store, run, **how)
    number = node_number(graph.node_names, graph.num_nodes, node)
    model, temperature = model_and_temperature(store, run, graph)
    return explain_node(model, graph, number, temperature=temperature), graph


def model_and_temperature(store: Store, run: str, graph: "Graph") -> "tuple[nn.Module, float]":
    """Return a run's network and the temperature at which its outputs are probabilities."""
    from pgcn.execution.recorder import stored_model
    from pgcn.predictions.predict import predictions_of

    model, squares = stored_model(store, run), fits_squares(store, run)
    if not squares:
        return model, 1.0
    return model, as_probabilities(predictions_of(model, graph), fits_squares=squares).temperature


def node_number(names: tuple[str, ...] | None, count: int, node: str) -> int:
    """Return the number of a node that is named by its id, else by its number."""
    if names and node in names:
        return names.index(node)
    if node.isascii() and node.isdecimal() and len(node) < 16 and int(node) < count:
        return int(node)
    raise GraphError(
        f"No node is called {shown(node)}. Give an id of the graph, or a number from 0 to {count - 1:,}."
    )


def explanation_facts(explanation: "Explanation", graph: "Graph") -> dict[str, Any]:
    """Return an explanation in plain values with the user's ids and names; ``number`` is that of a node."""
    classes = graph.class_names

    def name(node: int) -> str:
        return graph.node_names[node] if graph.node_names else str(node)

    def feature_name(feature: int) -> str:
        return graph.feature_names[feature] if graph.feature_names else f"feature {feature}"

    def known(node: int) -> str:
        return classes[int(graph.y[node])] if graph.train_mask[node] else "no label"

    plain = asdict(explanation)
    return {
        "node": name(explanation.node),
        "class": classes[explanation.predicted],
        "second": classes[explanation.second],
        "probability": plain["probability"],
        "lead": plain["lead"],
        "nodes": [
            {"number": node, "node": name(node), "hops": hops, "share": share, "class": known(node)}
            for node, hops, share in explanation.nodes
        ],
        "edges": [
            {"one": name(one), "other": name(other), "numbers": [one, other], "change": change}
            for one, other, change in explanation.edges
        ],
        "features": [
            {"feature": feature_name(feature), "share": share, "change": change}
            for feature, share, change in explanation.features
        ],
    }
