"""A graph with features and labels: its parts checked and cleaned, its matrices, its content as bytes.

graph      Graph itself
build      build_graph: from parts as people have them
arrays     arrays, masks and names as people have them
labels     classes as people have them
checks     what features, edges and masks must be
matrices   A, Â
content    the same content has the same id; a graph as bytes
"""

from pgcn.graph.build import build_graph
from pgcn.graph.content import content_id, graph_from_bytes, graph_to_bytes
from pgcn.graph.graph import MASKS, Graph
from pgcn.graph.matrices import adjacency, normalized_adjacency, row_normalized, scaled

__all__ = [
    "MASKS",
    "Graph",
    "adjacency",
    "build_graph",
    "content_id",
    "graph_from_bytes",
    "graph_to_bytes",
    "normalized_adjacency",
    "row_normalized",
    "scaled",
]
