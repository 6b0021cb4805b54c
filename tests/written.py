"""A graph written to every format that can be read, as other programs write it; each returns the files."""

import csv
import json
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import scipy.io
import scipy.sparse as sp
import torch

SPLITS = ("train", "val", "test")


def split_words(graph) -> list[str]:
    words = np.full(graph.num_nodes, "", dtype=object)
    for word in SPLITS:
        words[getattr(graph, f"{word}_mask").numpy()] = word
    return words.tolist()


def labels(graph) -> list[str]:
    return ["" if number < 0 else graph.class_names[number] for number in graph.y.tolist()]


def one_way(graph) -> np.ndarray:
    """Each edge once, [2, E]."""
    edges = graph.edge_index.numpy()
    return edges[:, edges[0] < edges[1]]


def node_table(graph, **more) -> pa.Table:
    features = graph.features.toarray()
    columns = {str(number): features[:, number] for number in range(graph.num_features)}
    first = {"id": [str(number) for number in range(graph.num_nodes)], "label": labels(graph)}
    return pa.table({**first, "split": split_words(graph), **columns, **more})


def edge_table(graph) -> pa.Table:
    source, target = one_way(graph)
    return pa.table({"source": source, "target": target})


def write_csv(graph, folder: Path, delimiter=",") -> list[Path]:
    ending = "tsv" if delimiter == "\t" else "csv"
    files = [folder / f"nodes.{ending}", folder / f"edges.{ending}"]
    for table, file in zip((node_table(graph), edge_table(graph)), files, strict=True):
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, delimiter=delimiter)
            writer.writerow(table.column_names)
            writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return files


def write_tsv(graph, folder: Path) -> list[Path]:
    return write_csv(graph, folder, "\t")


def write_parquet(graph, folder: Path) -> list[Path]:
    files = [folder / "nodes.parquet", folder / "edges.parquet"]
    for table, file in zip((node_table(graph), edge_table(graph)), files, strict=True):
        pa.parquet.write_table(table, file)
    return files


def write_vectors(graph, folder: Path) -> list[Path]:
    """Parquet with all features of a node in one cell."""
    table = node_table(graph).select(["id", "label", "split"])
    vectors = pa.array(list(graph.features.toarray()))
    files = [folder / "nodes.parquet", folder / "edges.parquet"]
    pa.parquet.write_table(table.append_column("x", vectors), files[0])
    pa.parquet.write_table(edge_table(graph), files[1])
    return files


def networkx_graph(graph) -> nx.Graph:
    """Attributes for words that a node has only: thousands of zeros would be gigabytes of XML."""
    found = nx.Graph()
    features, words = graph.features, split_words(graph)
    for node, label in enumerate(labels(graph)):
        row = slice(features.indptr[node], features.indptr[node + 1])
        values = zip(features.indices[row].tolist(), features.data[row].tolist(), strict=True)
        found.add_node(str(node), topic=label, split=words[node], **{str(key): value for key, value in values})
    found.add_edges_from([(str(source), str(target)) for source, target in one_way(graph).T.tolist()])
    return found


def write_graphml(graph, folder: Path) -> list[Path]:
    nx.write_graphml_xml(networkx_graph(graph), folder / "graph.graphml")
    return [folder / "graph.graphml"]


def write_gexf(graph, folder: Path) -> list[Path]:
    nx.write_gexf(networkx_graph(graph), folder / "graph.gexf")
    return [folder / "graph.gexf"]


def write_json(graph, folder: Path) -> list[Path]:
    file = folder / "graph.json"
    file.write_text(json.dumps(nx.node_link_data(networkx_graph(graph), edges="links")), encoding="utf-8")
    return [file]


def write_sparse_npz(graph, folder: Path) -> list[Path]:
    """The layout of the graph benchmarks: two sparse matrices in parts."""
    adjacency = sp.csr_array((np.ones(graph.edge_index.shape[1]), graph.edge_index.numpy()), [graph.num_nodes] * 2)
    parts = {}
    for name, matrix in (("adj", adjacency), ("attr", graph.features)):
        parts |= {f"{name}_{part}": getattr(matrix, part) for part in ("data", "indices", "indptr", "shape")}
    masks = {name: getattr(graph, name).numpy() for name in ("train_mask", "val_mask", "test_mask")}
    names = np.array(graph.class_names)
    np.savez(folder / "graph.npz", labels=graph.y.numpy(), class_names=names, **parts, **masks)
    return [folder / "graph.npz"]


def write_plain_npz(graph, folder: Path) -> list[Path]:
    masks = {name: getattr(graph, name).numpy() for name in ("train_mask", "val_mask", "test_mask")}
    arrays = {"edge_index": graph.edge_index.numpy(), "x": graph.features.toarray(), "y": graph.y.numpy()}
    np.savez_compressed(folder / "graph.npz", **arrays, **masks)
    return [folder / "graph.npz"]


def write_matrix_market(graph, folder: Path) -> list[Path]:
    nodes, _ = write_csv(graph, folder)
    edges = one_way(graph)
    matrix = sp.coo_array((np.ones(edges.shape[1], dtype=int), edges), [graph.num_nodes] * 2)
    scipy.io.mmwrite(folder / "edges.mtx", matrix)
    return [folder / "edges.mtx", nodes]


def write_pyg(graph, folder: Path) -> list[Path]:
    torch.save(graph.to_pyg(), folder / "graph.pt")
    return [folder / "graph.pt"]


def write_tensors(graph, folder: Path) -> list[Path]:
    torch.save(dict(graph.to_pyg().to_dict()), folder / "graph.pt")
    return [folder / "graph.pt"]


WRITERS = {
    "csv": write_csv,
    "tsv": write_tsv,
    "parquet": write_parquet,
    "parquet with vectors": write_vectors,
    "graphml": write_graphml,
    "gexf": write_gexf,
    "json": write_json,
    "npz of sparse parts": write_sparse_npz,
    "npz of plain arrays": write_plain_npz,
    "matrix market": write_matrix_market,
    "pyg data": write_pyg,
    "tensors": write_tensors,
}
