"""GraphML and GEXF, read by networkx, and its node-link JSON: every attribute of nodes is a column."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts
from pgcn.data.importers.recognise import GRAPHML, JSON, checked_size, refuse_declarations, unmarked
from pgcn.data.importers.tables import Table
from pgcn.data.importers.tabular import node_parts
from pgcn.errors import DataError, PgcnError, shown

MOST_BYTES = 1_000_000_000
"""Of a file that is read as a whole: it takes about ten times as much memory."""
MOST_DEPTH = 200


Document = tuple[dict[str, dict], list, bool]
"""Nodes with their attributes by id, edges (source, target, attributes), and whether they are directed."""


def read_document(path: Path, kind: str, options: ImportOptions) -> Parts:
    """Return the parts of a graph in a GraphML, GEXF or node-link JSON file."""
    nodes, edges, directed = document(path, kind, options)
    return graph_parts(path, nodes, edges, options, directed=directed)


def document(path: Path, kind: str, options: ImportOptions) -> Document:
    """Return what a file holds."""
    checked_size(path, min(MOST_BYTES, options.most_bytes))
    return read_json(path) if kind == JSON else read_xml(path, kind)


def read_xml(path: Path, kind: str) -> Document:
    """Return what a GraphML or GEXF file holds."""
    import networkx as nx

    check_xml(path)
    try:
        graph = nx.read_graphml(path, node_type=str) if kind == GRAPHML else nx.read_gexf(path, node_type=str)
    except PgcnError:
        raise
    except Exception as error:  # networkx raises whatever it stumbles over
        text = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{path.name} is no {kind} that can be read: {text[:200]}. Export it again.") from error
    nodes = {node: dict(attributes) for node, attributes in graph.nodes(data=True)}
    if kind != GRAPHML and all(values.get("label", node) == node for node, values in nodes.items()):
        for values in nodes.values():  # in GEXF what a node is called, and networkx writes its id there
            values.pop("label", None)
    return nodes, list(graph.edges(data=True)), graph.is_directed()


def check_xml(path: Path) -> None:
    """Read an XML file once without building anything: no document type, no entities, not too deep."""
    depth = 0

    def started(name: str, attributes: dict) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise DataError(f"{path.name} nests more than {MOST_DEPTH} elements. A graph does not need that.")

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = started, ended
    refuse_declarations(parser, path.name)
    try:
        with path.open("rb") as file:
            parser.ParseFile(file)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise DataError(f"{path.name} is damaged XML: {error}. Export it again.") from error


def read_json(path: Path) -> Document:
    """Return what a node-link JSON file holds. Read here, since errors then say which node or link."""
    try:
        found = json.loads(unmarked(path.read_bytes()))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} is damaged JSON: {error}. Export it again.") from error
    links = found.get("links", found.get("edges"))
    if not isinstance(found.get("nodes"), list) or not isinstance(links, list):
        keys = ", ".join(shown(key, longest=40) for key in list(found)[:10])
        raise DataError(
            f"{path.name} is JSON, but not a node-link graph: it needs the lists 'nodes' and "
            "'links' (or 'edges'), as "
            f"networkx.node_link_data writes them; it has {keys or 'nothing'}."
        )
    nodes: dict[str, dict] = {}
    for number, node in enumerate(found["nodes"]):
        if not isinstance(node, dict) or not is_id(node.get("id")):
            raise DataError(f"{path.name}, node {number}: it needs an 'id', a text or a number, got {shown(node)}.")
        key = str(node["id"])
        if key in nodes:
            raise DataError(
                f"{path.name}, node {number}: the id {shown(key)} is there twice. Give each node its own."
            )
        nodes[key] = {name: value for name, value in node.items() if name != "id"}
    edges = []
    for number, link in enumerate(links):
        ends = (link.get("source"), link.get("target")) if isinstance(link, dict) else (None, None)
        if not all(map(is_id, ends)):
            raise DataError(f"{path.name}, link {number}: it needs a 'source' and a 'target', got {shown(link)}.")
        edges.append((str(ends[0]), str(ends[1]), link))
    return nodes, edges, bool(found.get("directed"))


def is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip() != ""


def graph_parts(
    path: Path, nodes: Mapping[str, dict], edges: Iterable, options: ImportOptions, *, directed: bool
) -> Parts:
    """Return the parts of a graph given as nodes and edges with attributes."""
    import pyarrow as pa

    fields = node_parts(node_table(path, nodes), options.change(id="id"))
    edges = list(edges)
    fields["ends"] = tuple(pa.array([str(edge[end]) for edge in edges], pa.string()) for end in (0, 1))
    fields["weight"] = edge_weights(path, [values.get(options.weight or "weight") for *_, values in edges])
    used = {"id", "key", "source", "target", options.weight or "weight"}
    if unused := list(dict.fromkeys(str(name) for *_, values in edges for name in values if name not in used)):
        names = ", ".join(shown(name, longest=40) for name in unused[:20])
        fields["notes"].append(f"Attributes of edges that are not used: {names}.")
    fields["notes"] += ["Directions of edges are not used."] if directed else []
    return Parts(name=path.stem, **fields)


def node_table(path: Path, nodes: Mapping[str, dict]) -> Table:
    """Return nodes as a table with a column for every attribute."""
    import pyarrow as pa

    if not nodes:
        raise DataError(f"{path.name} has no nodes. Choose another file.")
    names = list(dict.fromkeys(str(name) for values in nodes.values() for name in values))
    if len(names) * len(nodes) > 200_000_000:
        raise DataError(f"{path.name} has {len(names):,} attributes of {len(nodes):,} nodes: too many. Use .npz.")
    columns = {name: column_of([values.get(name) for values in nodes.values()]) for name in names if name != "id"}
    return Table(path=path, data=pa.table({"id": pa.array(list(nodes)), **columns}))


def column_of(values: list) -> Any:
    """Return values as a column; where they are of several kinds, as texts."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError, ValueError, TypeError):
        return pa.array([None if value is None else str(value) for value in values])


def edge_weights(path: Path, values: list) -> np.ndarray | None:
    """Return the weights of edges, None where no edge has one."""
    if all(value is None for value in values):
        return None
    if bad := [number for number, value in enumerate(values) if not is_weight(value)]:
        raise DataError(
            f"{path.name}, edge {bad[0]}: a weight must be a number above 0, got {shown(values[bad[0]])}. "
            "Give every edge one, or none."
        )
    return np.array(values, dtype=np.float64)


def is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e300
