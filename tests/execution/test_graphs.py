"""A graph that was built in Python and stored is as good as a data set of the catalogue."""

import gc
import json
import threading
import time

import numpy as np
import pytest
import torch
from comparison import same, state, timeless
from small_arena import here

from pgcn.cli import main
from pgcn.data import load_graph
from pgcn.embeddings.embed import embed
from pgcn.embeddings.plan import EmbeddingConfig
from pgcn.errors import ConfigError, DataError, StoreError
from pgcn.events import RunFinished
from pgcn.execution.execute import execute, resume_execution
from pgcn.execution.graphs import GraphCache, bytes_of, facts_of, known_graphs, load_source, named_source
from pgcn.execution.spec import RunSpec
from pgcn.graph import build_graph, content_id, graph_from_bytes, graph_to_bytes
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.studies.difficulty import studies_of, study_growth
from pgcn.studies.difficulty.results import Results, outcomes_as_csv, stored_outcomes
from pgcn.studies.study import StudyRun

QUICK = {"epochs": 15, "max_width": 10, "max_layers": 2}


@pytest.fixture(scope="module")
def own():
    """A graph of one's own, with names, weights, and no source."""
    base = load_graph("synthetic", nodes=150, classes=3, features=30, average_degree=4.0, seed=5)
    weight = 1 + (base.edge_index.sum(dim=0) % 3).numpy()  # the same in both directions
    return build_graph(
        name="mine",
        features=base.features,
        edge_index=base.edge_index.numpy(),
        edge_weight=weight,
        y=base.y,
        train_mask=base.train_mask,
        val_mask=base.val_mask,
        test_mask=base.test_mask,
        class_names=["a", "b", "c"],
        node_names=[f"person {number}" for number in range(base.num_nodes)],
        feature_names=[f"word {number}" for number in range(base.num_features)],
    )


@pytest.fixture
def store(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    yield store
    store.close()


def equal(one, other):
    sparse = all(
        np.array_equal(getattr(one.features, part), getattr(other.features, part))
        for part in ("indptr", "indices", "data")
    )
    tensors = ("edge_index", "edge_weight", "y", "train_mask", "val_mask", "test_mask")
    plain = ("class_names", "node_names", "feature_names", "split", "notes")
    return (
        sparse
        and all(torch.equal(getattr(one, name), getattr(other, name)) for name in tensors)
        and all(getattr(one, name) == getattr(other, name) for name in plain)
    )


def test_a_graph_survives_the_way_to_bytes_and_back_and_keeps_its_id(own):
    again = graph_from_bytes(graph_to_bytes(own))
    assert equal(own, again) and content_id(again) == content_id(own)
    assert content_id(own) != content_id(load_graph("karate"))


def test_a_stored_graph_is_found_by_name_and_known_without_loading(store, own):
    source = store.add_graph(own, name="mine")
    assert source == named_source(store, "mine") and equal(load_source(source, store), own)
    facts = facts_of(source.change(split="random:5", dims=7), store)
    assert (facts.title, facts.nodes, facts.features, facts.labelled) == ("mine", 150, 7, 15)
    assert list(known_graphs(store))[-1] == "mine" and "cora" in known_graphs(store)
    assert GraphSource.from_recipe(json.loads(json.dumps(source.to_recipe()))) == source


def test_the_same_content_is_stored_once_and_a_name_stands_for_one_graph(store, own):
    first = store.add_graph(own, name="mine")
    assert store.add_graph(own, name="mine again") == first and len(store.stored_graphs()) == 1
    with pytest.raises(StoreError, match="Another graph is called mine"):
        store.add_graph(load_graph("karate"), name="mine")
    with pytest.raises(StoreError, match="comes with the program"):
        store.add_graph(own, name="Cora")
    for name in ("", " ", "a\0b", "x" * 101, " mine"):
        with pytest.raises(StoreError, match="name must be 1 to 100 printable characters"):
            store.add_graph(own, name=name)
    with pytest.raises(DataError, match=r"No data set named 'hers'\. Choose one of: cora, .*, mine"):
        named_source(store, "hers")
    store.remove_graph("mine")
    with pytest.raises(StoreError, match="no longer in this store"):
        store.graph_bytes(first)


def test_a_run_on_a_stored_graph_is_resumed_embedded_and_exported_as_any(store, own):
    spec = RunSpec(method="pgcn", config=growth_preset(**QUICK), source=store.add_graph(own, name="mine"))
    whole = execute([spec], store, ids=["a" * 32]).finish()[0]
    assert RunSpec.of(store.events("a" * 32)[0]) == spec
    work = execute([spec], store, ids=["b" * 32])
    for event in work:
        if isinstance(event.event, BlockAccepted):
            break
    work.cancel("Enough.")
    resumed = resume_execution(store, "b" * 32)
    events = [event.event for event in iter(resumed.__next__, None) if not isinstance(event.event, RunFinished)]
    assert timeless(events[:3]) == timeless(whole.events[:3])
    again = resumed.finish()[0]
    assert again.topology == whole.topology and same(state(again.model), state(whole.model))
    made = embed(store, "b" * 32, EmbeddingConfig(method="pca", gcn=True)).finish()
    assert all(len(frame.arrays["map"]) == own.num_nodes for frame in made.frames)


def test_the_study_takes_a_stored_graph(store, own):
    store.add_graph(own, name="mine")
    growth = study_growth(epochs=4, max_layers=1, max_width=10)
    studies = studies_of(["mine", "synthetic"], store=store, dims=(5,), experiments=1, growth=growth)
    assert all(event is None or event.event.scores for event in StudyRun(studies, store, here))
    outcomes = [outcome for study in studies for outcome in stored_outcomes(study, store)]
    assert [outcome.dataset for outcome in outcomes] == ["mine", "mine", "synthetic", "synthetic"]
    results = Results(outcomes)
    assert [place.dataset for place in results.places] == ["synthetic", "mine"]
    assert results.places[-1].labels_per_dimension == 15
    assert "nodes" not in outcomes_as_csv(outcomes).splitlines()[0].split(",")


def test_the_command_line_takes_a_stored_graph(tmp_path, monkeypatch, own, capsys):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    store = Store()
    store.add_graph(own, name="my graph")
    store.close()
    assert main(["train", "gcn", "--dataset", "my graph", "--set", "epochs=20", "--store"]) == 0
    assert "my graph: 150 nodes" in capsys.readouterr().out
    assert main(["grow", "--dataset", "hers"]) == 2
    assert "No data set named 'hers'. Choose one of: cora," in capsys.readouterr().err


def test_a_run_on_a_graph_that_is_only_in_memory_says_how_to_store_it(store, own):
    from pgcn.execution.recorder import record_runs, resume_stored
    from pgcn.execution.start import grow_many

    runs = grow_many(own, [growth_preset(**QUICK)])
    (recorder,) = record_runs(runs, store)
    next(event for event in runs if isinstance(event.event, BlockAccepted))
    runs.cancel("Enough.")
    with pytest.raises(StoreError, match=r"only in memory .* store\.add_graph"):
        resume_stored(store, recorder.run)


def test_a_specification_of_the_wrong_settings_is_refused():
    with pytest.raises(ConfigError, match="PGCN takes a GrowthConfig, got a GCNConfig"):
        RunSpec(method="pgcn", config=GCNConfig(), source=GraphSource(name="karate"))


def test_the_cache_counts_bytes_and_what_somebody_works_with_is_never_loaded_twice():
    graphs = {seed: load_graph("synthetic", nodes=100 * seed, classes=3, seed=seed) for seed in (1, 2, 3)}
    cache = GraphCache(bytes_of(graphs[3]) + bytes_of(graphs[2]))
    loaded = []

    def get(seed):
        return cache.get(seed, lambda: loaded.append(seed) or graphs[seed])

    for seed in (1, 2, 1, 3, 2, 3):
        assert get(seed) is graphs[seed]
        assert cache.size <= cache.limit
    assert loaded == [1, 2, 3]
    del graphs[1]  # nobody has it any more, and it had to make room
    gc.collect()
    graphs[1] = load_graph("karate")
    assert get(1) is graphs[1] and loaded == [1, 2, 3, 1]
    tiny = GraphCache(10)
    assert tiny.get(0, lambda: graphs[3]) is graphs[3] and tiny.size == 0


def test_several_who_want_the_same_graph_load_it_once_and_a_failed_load_is_tried_again():
    cache, loaded, got, waited = GraphCache(2**30), [], [], []

    def load():
        loaded.append(1)
        time.sleep(0.4)
        if len(loaded) == 1:
            raise DataError("gone")
        return load_graph("karate")

    def want():
        try:
            got.append(cache.get("karate", load, lambda: waited.append(1)))
        except DataError:
            got.append(None)

    threads = [threading.Thread(target=want) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loaded) == 2 and got.count(None) == 1 and len({id(graph) for graph in got if graph}) == 1
    assert waited
