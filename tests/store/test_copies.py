"""Graphs and embeddings in the store have checksums: what was damaged is never computed with, nor shown."""

import random
import sqlite3

import numpy as np
import pytest

from pgcn import load_graph
from pgcn.cli import main
from pgcn.errors import StoreError
from pgcn.execution.graphs import facts_of, graph_cache, load_source
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.store.schema import VERSION

MAP = np.arange(60, dtype=np.float32).reshape(30, 2)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A store with a graph and an embedding."""
    file = tmp_path / "runs.db"
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    store = Store()
    store.add_graph(load_graph("synthetic", nodes=120), name="mine")
    EmbeddingCache(store).put("key", Cached(facts={"seconds": 1.5}, arrays={"map": MAP}))
    store.close()
    return file


def change(file, statement, *values):
    with sqlite3.connect(file) as database:
        database.execute(statement, values)
    database.close()


def flipped(file, column, table, rng):
    """Flip a bit of a value."""
    with sqlite3.connect(file) as database:
        (data,) = database.execute(f"SELECT {column} FROM {table}").fetchone()
        damaged = bytearray(data)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        database.execute(f"UPDATE {table} SET {column} = ?", (bytes(damaged),))
    database.close()
    return data


def test_a_flipped_bit_of_a_graph_is_said_and_adding_it_again_mends_it(file, capsys):
    rng, graph = random.Random(1), load_graph("synthetic", nodes=120)
    for _ in range(5):
        whole = flipped(file, "data", "pgcn_graphs", rng)
        store = Store()
        source = store.stored_graphs()["mine"].source
        graph_cache.cache_clear()
        with pytest.raises(StoreError, match=r"The graph mine is damaged: .*add it again"):
            load_source(source, store)
        assert main(["store", "check"]) == 2 and "The graph mine is not what was stored" in capsys.readouterr().out
        assert main(["store", "repair"]) == 0 and "The graph mine" in capsys.readouterr().out
        assert store.add_graph(graph, name="mine") == source and store.graph_bytes(source) == whole
        store.close()
        assert main(["store", "check"]) == 0


def test_a_graph_that_was_damaged_before_it_had_a_checksum_is_not_computed_with(file):
    flipped(file, "data", "pgcn_graphs", random.Random(2))
    as_version_2(file)
    store = Store()
    source = store.stored_graphs()["mine"].source
    graph_cache.cache_clear()
    with pytest.raises((StoreError, ValueError), match=r"damaged|not a graph|must"):
        load_source(source, store)
    store.close()


@pytest.mark.parametrize("facts", ["5", "null", "{", "[1]", '{"nodes": "many"}', '{"nodes": 1}'])
def test_facts_of_a_graph_that_cannot_be_read_cost_no_other_graph(file, facts):
    store = Store()
    other = store.add_graph(load_graph("synthetic", nodes=130), name="other")
    change(file, "UPDATE pgcn_graphs SET facts = ? WHERE name = 'mine'", facts)
    assert list(store.stored_graphs()) == ["other"] and facts_of(other, store).nodes == 130
    store.add_graph(load_graph("synthetic", nodes=120), name="mine")
    assert set(store.stored_graphs()) == {"mine", "other"}
    store.close()


@pytest.mark.parametrize("statement", ["arrays = x'00'", "arrays = 7", "facts = '{'", "facts = '{\"seconds\": 2}'"])
def test_a_damaged_embedding_counts_as_not_cached_and_is_made_again(file, statement, capsys):
    change(file, f"UPDATE pgcn_embeddings SET {statement}")
    store = Store()
    cache = EmbeddingCache(store)
    assert cache.get("key") is None
    assert main(["store", "check"]) == 2 and "1 embedding not as stored" in capsys.readouterr().out
    cache.put("key", Cached(facts={}, arrays={"map": MAP}))
    assert np.array_equal(cache.get("key").arrays["map"], MAP)
    store.close()
    assert main(["store", "check"]) == 0


def test_flipped_bits_of_an_embedding_are_found_and_repair_drops_it(file):
    rng = random.Random(3)
    flipped(file, "arrays", "pgcn_embeddings", rng)
    store = Store()
    assert EmbeddingCache(store).get("key") is None
    store.close()
    assert main(["store", "repair"]) == 0 and main(["store", "check"]) == 0


def as_version_2(file):
    """Make a store what it was before graphs and embeddings had checksums."""
    for table in ("pgcn_graphs", "pgcn_embeddings"):
        change(file, f"ALTER TABLE {table} DROP COLUMN checksum")
    change(file, "DELETE FROM pgcn_schema")
    change(file, "INSERT INTO pgcn_schema VALUES (2)")


def test_a_store_of_version_2_is_brought_up_to_date(file):
    as_version_2(file)
    store = Store()
    source = store.stored_graphs()["mine"].source
    graph_cache.cache_clear()
    assert load_source(source, store).num_nodes == 120
    assert np.array_equal(EmbeddingCache(store).get("key").arrays["map"], MAP)
    store.close()
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT max(version) FROM pgcn_schema").fetchone() == (VERSION,)
    database.close()
    assert main(["store", "check"]) == 0
