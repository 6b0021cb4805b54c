"""Whatever is given as the parts of a graph: a good graph, or a GraphError."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import strategies as st
from nasty import CASES, NODES, VALUES, arrays, assert_sentence, attack
from small_runs import quick

from pgcn import train
from pgcn.data import load_graph
from pgcn.errors import GraphError, PgcnError
from pgcn.graph import Graph, build_graph, graph_from_bytes, graph_to_bytes
from pgcn.methods.registry import METHODS
from pgcn.predictions.explain import explain_node
from pgcn.predictions.predict import predictions_of

DIVERGED = ("diverged", "layer_diverged", "nothing_found")
"""How runs end whose losses are no numbers."""
PATH = np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])


def parts(**changes):
    """Six nodes of two classes on a path, with two nodes in each mask."""
    return {
        "name": "path",
        "features": np.eye(NODES),
        "edge_index": np.hstack([PATH, PATH[::-1]]),
        "y": np.array([0, 1, 0, 1, 0, 1]),
        "train_mask": np.arange(NODES) < 2,
        "val_mask": np.isin(np.arange(NODES), (2, 3)),
        "test_mask": np.arange(NODES) >= 4,
        **changes,
    }


NAMES = ("name", "class_names", "node_names", "feature_names", "split", "notes")
ARRAYS = ("features", "edge_index", "y", "train_mask", "val_mask", "test_mask", "edge_weight")
CHANGES = st.one_of(
    *(st.fixed_dictionaries({name: arrays() | VALUES}) for name in ARRAYS),
    *(st.fixed_dictionaries({name: VALUES | st.lists(st.text(max_size=3), max_size=7)}) for name in NAMES),
    st.fixed_dictionaries({}, optional={name: arrays() for name in ARRAYS}),
)


def known_class(label, names) -> int:
    """The class that somebody means by a label."""
    if label is None or label != label or (isinstance(label, str) and label.strip() in ("", "nan")):
        return -1
    return names.index(label) if isinstance(label, str) else -1 if label == -100 else int(label)


def assert_good(graph: Graph, given: dict) -> None:
    """A graph is whole: its parts fit together, and its labels are those that were given, not cut."""
    n = graph.num_nodes
    assert graph.features.dtype == np.float32 and np.isfinite(graph.features.data).all()
    assert graph.y.dtype == torch.int64 and graph.y.shape == (n,)
    assert int(graph.y.min()) >= -1 and int(graph.y.max()) < graph.num_classes
    assert [int(label) for label in graph.y] == [known_class(label, graph.class_names) for label in given["y"]]
    masks = torch.stack([graph.train_mask, graph.val_mask, graph.test_mask])
    assert masks.dtype == torch.bool and masks.shape == (3, n) and int(masks.sum(dim=0).max()) <= 1
    source, target = graph.edge_index.tolist()
    pairs = set(zip(source, target, strict=True))
    assert len(pairs) == len(source) and all((b, a) in pairs and a != b for a, b in pairs)
    assert all(0 <= end < n for end in (*source, *target))
    if graph.edge_weight is not None:
        assert graph.edge_weight.shape == (len(source),)
        assert bool((graph.edge_weight.isfinite() & (graph.edge_weight > 0)).all())
    names = graph.class_names
    assert len(set(names)) == len(names) and all(isinstance(name, str) and name.strip() for name in names)
    assert graph_from_bytes(graph_to_bytes(graph)).content_id() == graph.content_id()


@CASES
def test_any_parts_are_a_good_graph_or_an_error_in_words(cases):
    def check(changes):
        given = parts(**changes)
        try:
            graph = build_graph(**given)
        except GraphError as refused:
            assert_sentence(refused)
        else:
            assert_good(graph, given)

    attack(CHANGES, check, cases)


@CASES
def test_bytes_that_were_a_graph_are_a_graph_or_an_error_in_words(cases):
    good = graph_to_bytes(build_graph(**parts()))

    def check(damage):
        data = bytearray(good)
        for place, value in damage:
            data[place % len(data)] = value
        try:
            graph = graph_from_bytes(bytes(data))
        except GraphError:
            return
        assert graph.facts()["nodes"] == graph.y.shape[0] and graph.edge_index.shape[0] == 2

    attack(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4), check, cases)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": [0, 1.9, 0, 1, 0, 1]}, "whole numbers: 1 are not, the first is 1.9 at node 1"),
        ({"y": [True, False] * 3}, "y must hold the numbers of classes, from 0 up, or their names, got bool"),
        ({"y": [0, np.inf, 0, 1, 0, 1]}, "the first is inf at node 1"),
        ({"y": [0, -2, 0, 1, 0, 1]}, "got values from -2 to 1"),
        ({"y": ["a", 1j, "b", None, "a", "b"]}, "y must hold numbers or names of classes"),
        ({"y": ["a", "b"] * 3, "class_names": ["a", "c"]}, "1 class.* not in class_names, the first is 'b'"),
        ({"y": [0, 10**18, 0, 1, 0, 1]}, "more than the 6 nodes"),
        ({"features": np.ma.masked_array(np.eye(6), mask=np.eye(6) > 0)}, "Features has masked entries"),
        ({"features": np.eye(6) * 1j}, "Features must be real numbers, got complex128"),
        ({"features": np.eye(6).astype(object)}, "Features holds Python objects"),
        ({"features": np.eye(6) * 1e39}, "too large for float32"),
        ({"class_names": ["a", "a"]}, "class_names must be different, got 'a' twice"),
        ({"class_names": ["a", " "]}, "class_names must name every class"),
        ({"class_names": "ab"}, "class_names must be a list of names, got the text 'ab'"),
        ({"train_mask": [True, False]}, r"must be bool of shape \(6,\), got bool of shape \(2,\): it must say of"),
        ({"train_mask": [0, 1, 1]}, r"say of every node whether it is marked, or name each node once"),
        ({"train_mask": [0, 6]}, r"read as the numbers of nodes, 6 is none, since they go from 0 to 5"),
        ({"train_mask": np.ones((6, 10), dtype=bool)}, r"these are 10 masks. Choose one"),
        ({"train_mask": [np.nan] * 6}, "with values other than 0 and 1"),
        ({"train_mask": None}, "labelled mask must be given"),
        ({"edge_index": np.eye(6, dtype=int)}, "If it is an adjacency matrix"),
        ({"edge_index": sp.csr_array(np.eye(7))}, "a row and a column for each of 6 nodes, got shape"),
        ({"edge_index": sp.csr_array(np.eye(6) * 2), "edge_weight": [1] * 6}, "leave edge_weight out"),
        ({"edge_index": sp.csr_array(np.eye(6) * 1j)}, "must hold real numbers, got complex128"),
        ({"edge_weight": [1e-300] * 10}, "as float32; some are too large or too small"),
        ({"name": None}, "The name of a graph is a text, got None"),
    ],
)
def test_the_error_says_what_was_given_instead(changes, message):
    with pytest.raises(GraphError, match=message):
        build_graph(**parts(**changes))


def test_parts_are_given_by_name():
    with pytest.raises(GraphError, match="takes its parts by name"):
        build_graph("path", **parts())
    with pytest.raises(GraphError, match="takes its parts by name"):
        build_graph(*parts().values())
    with pytest.raises(GraphError, match="edge_index must be given, got None"):
        build_graph(features=np.ones((6, 2)))
    with pytest.raises(GraphError, match="a row for each of 6 nodes"):
        build_graph(**parts()).with_features(np.ones((5, 3)), note="")
    graph = build_graph(**parts())
    other = graph.with_masks([0, 5], graph.val_mask, [4], split="other")
    assert other.train_mask.tolist() == [True, False, False, False, False, True]


@pytest.mark.parametrize(
    "changes",
    [
        {"edge_index": PATH.T},
        {"edge_index": sp.coo_matrix((np.ones(5), PATH), shape=(6, 6))},
        {"edge_index": torch.sparse_coo_tensor(torch.tensor(PATH), torch.ones(5), (6, 6), check_invariants=True)},
        {"edge_index": PATH, "train_mask": [0, 1], "val_mask": np.array([3, 2]), "test_mask": torch.tensor([4, 5])},
        {"edge_index": PATH, "y": ["x", "y"] * 3, "class_names": ["x", "y"]},
        {"edge_index": PATH, "y": np.array(["x", "y"] * 3, dtype=object), "class_names": ["x", "y"]},
    ],
    ids=["[E, 2]", "SciPy", "sparse tensor", "numbers of nodes", "names", "names as objects"],
)
def test_parts_as_people_have_them_give_the_same_graph(changes):
    names = {"class_names": ["x", "y"]}
    assert build_graph(**parts(**names | changes)).content_id() == build_graph(**parts(**names)).content_id()


@pytest.mark.parametrize("missing", [-1, -100, np.nan, None])
def test_a_class_that_is_not_known_is_written_in_many_ways(missing):
    graph = build_graph(**parts(y=[0, 1, 0, 1, 0, missing], test_mask=[4]))
    assert graph.y.tolist() == [0, 1, 0, 1, 0, -1]
    assert any("not known were given: 1 as" in note for note in graph.notes) == (missing != -1)
    named = build_graph(**parts(y=["b", "a", "b", "a", "b", missing if missing is None else ""], test_mask=[4]))
    assert named.y.tolist() == [1, 0, 1, 0, 1, -1] and named.class_names == ("a", "b")


def test_the_values_of_an_adjacency_are_weights():
    matrix = sp.csr_array((np.arange(1.0, 6.0), PATH), shape=(6, 6))
    graph = build_graph(**parts(edge_index=matrix))
    assert dict(zip(map(tuple, graph.edge_index.T.tolist()), graph.edge_weight.tolist(), strict=True))[2, 1] == 2.0


def test_small_graphs_that_are_good_can_be_trained_on():
    two = {"features": np.eye(2), "edge_index": [], "y": [0, 0], "train_mask": [1, 0], "val_mask": [0, 1]}
    graph = build_graph(name="one class", **two)
    blank = build_graph(**parts(features=np.zeros((NODES, 3))))
    for method in METHODS:
        result = train(method, graph, quick(method)).finish()
        assert result.finished.status == "finished" and result.scores.val_accuracy == 1.0
        with pytest.raises(GraphError, match="one class has one class only"):
            explain_node(result.model, graph, 0)
        result = train(method, blank, quick(method)).finish()
        assert result.finished.status == "finished" and predictions_of(result.model, blank).logits.shape == (
            NODES,
            2,
        )
        assert all(share == 0 for _, _, share in explain_node(result.model, blank, 0).nodes)


@pytest.mark.parametrize("method", METHODS)
def test_what_overflows_has_diverged(method):
    """Features of 1e38, and learning rates up to the largest: a number, or a run that says that it failed."""
    karate = load_graph("karate")
    given = {name: getattr(karate, name) for name in ("y", "train_mask", "val_mask", "test_mask")}
    given["edge_index"] = karate.edge_index.numpy()
    large = build_graph(name="large", features=np.eye(34) * 1e38, **given)
    dense = build_graph(name="dense", features=np.random.default_rng(0).normal(size=(34, 5)) * 3e37, **given)
    config, failed = quick(method), 0
    trained = "child_epochs" if METHODS[method].searches else "epochs"
    for graph in (karate, large, dense):
        for rate in (0.01, 1e10, 1e30, 3e37):
            for epochs in (1, 3):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    result = train(method, graph, config.change(learning_rate=rate, **{trained: epochs})).finish()
                if result.finished.status == "failed":
                    failed += 1
                    assert result.finished.ending in DIVERGED and result.scores is None
                    continue
                assert all(bool(weight.isfinite().all()) for weight in result.model.parameters())
                assert result.scores.finite
    assert failed


def test_a_readout_that_cannot_be_solved_is_a_candidate_that_diverged():
    karate = load_graph("karate")
    how = {"preset": "reference", "lambda1": 5e-324, "lambda2": 1e12, "epochs": 1, "max_layers": 3}
    result = train("pgcn", karate, **how).finish()
    assert result.finished.status in ("failed", "finished")
    with pytest.raises(PgcnError, match="learning_rate must be at most 3e"):
        train("pgcn", karate, learning_rate=1e38)
