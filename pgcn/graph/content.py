"""A graph's content: the same content has the same id, and a graph can be written to bytes and read back."""

import hashlib
import json

import numpy as np
import scipy.sparse as sp
import torch
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from pgcn.errors import GraphError
from pgcn.graph.arrays import first_line
from pgcn.graph.graph import MASKS, Graph

NAMES = ("node_names", "feature_names")


def content_id(graph: Graph) -> str:
    """Return the SHA-256 of all that makes a graph what it is, whatever it is called."""
    found = hashlib.sha256(repr((graph.num_nodes, graph.class_names)).encode())
    for part in (graph.features.indptr, graph.features.indices, graph.features.data):
        found.update(np.ascontiguousarray(part).tobytes())
    for part in (graph.edge_index, graph.y, graph.train_mask, graph.val_mask, graph.test_mask):
        found.update(np.ascontiguousarray(part.numpy()).tobytes())
    if graph.edge_weight is not None:
        found.update(graph.edge_weight.contiguous().numpy().tobytes())
    for names in NAMES:
        if getattr(graph, names) is not None:
            found.update(json.dumps([names, getattr(graph, names)]).encode())
    return found.hexdigest()


def graph_to_bytes(graph: Graph) -> bytes:
    """Return a graph as safetensors: arrays, and what is text as JSON."""
    features = graph.features
    arrays = {"indptr": features.indptr, "indices": features.indices, "data": features.data}
    for name in ("edge_index", "y", *MASKS, "edge_weight"):
        if getattr(graph, name) is not None:
            arrays[name] = getattr(graph, name).numpy()
    text = {name: getattr(graph, name) for name in ("name", "class_names", "split", "notes", *NAMES)}
    text |= {"fitted": graph.fitted} if graph.fitted else {}
    arrays["text"] = np.frombuffer(json.dumps({**text, "shape": features.shape}).encode(), dtype=np.uint8)
    return save_arrays({name: np.ascontiguousarray(array) for name, array in arrays.items()})


def graph_from_bytes(data: bytes) -> Graph:
    """Return the graph that :func:`graph_to_bytes` wrote. Nothing is executed."""
    try:
        arrays = load_arrays(data)
        text = json.loads(arrays.pop("text").tobytes())
        parts = tuple(arrays.pop(name) for name in ("data", "indices", "indptr"))
        features = sp.csr_array(parts, shape=tuple(text.pop("shape")))
        lists = {name: tuple(value) for name, value in text.items() if isinstance(value, list)}
        features.check_format(full_check=True)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        graph = Graph(features=features, **{**text, **lists}, **tensors)
        check_parts(graph)
        return graph
    except (
        SafetensorError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        RecursionError,
        AttributeError,
    ) as error:
        raise GraphError(f"These bytes are not a graph: {first_line(error)}.") from error


def check_parts(graph: Graph) -> None:
    """Refuse parts that do not fit together: what was written whole may have been damaged since."""
    nodes, kinds = graph.num_nodes, {"y": torch.int64, **dict.fromkeys(MASKS, torch.bool)}
    for name, kind in kinds.items():
        part = getattr(graph, name)
        if part.shape != (nodes,) or part.dtype != kind:
            raise GraphError(f"{name} must be {kind} of shape ({nodes},), got {part.dtype} {tuple(part.shape)}.")
    edges, weights = graph.edge_index, graph.edge_weight
    inside = edges.ndim == 2 and edges.shape[0] == 2 and edges.dtype == torch.int64
    if not inside or (edges.numel() and not 0 <= int(edges.min()) <= int(edges.max()) < nodes):
        raise GraphError("edge_index must name nodes of the graph.")
    if weights is not None and weights.shape != edges.shape[1:]:
        raise GraphError("edge_weight must have a weight for every edge.")
    if int(graph.y.min()) < -1 or int(graph.y.max()) >= graph.num_classes:
        raise GraphError("y must name classes of the graph.")
