"""Whatever stands in the file of a store: each run is as it was or named, and what can be read is kept."""

import sqlite3

import pytest
from hypothesis import strategies as st
from nasty import CASES, assert_sentence, attack

from pgcn import load_graph
from pgcn.errors import PgcnError
from pgcn.events import RunFinished, RunStarted
from pgcn.execution.graphs import known_graphs
from pgcn.store import AcceptedNetwork, Store
from pgcn.store.check import KEYS, check
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.store.repair import repair
from pgcn.store.rescue import problems_of_file, rescue
from pgcn.views.run_table import row_of

RUNS = ["a" * 32, "b" * 32]
STARTED = RunStarted(
    method="gcn",
    dataset="karate",
    split="",
    nodes=34,
    edges=78,
    features=34,
    classes=4,
    labelled=4,
    val=15,
    test=15,
    config={"seed": 1},
    versions={"pgcn": "1"},
    notes=(),
    recipe=None,
    reproducible=False,
)
ENDED = RunFinished(status="finished", topology=(3,), parameters=9, scores=None, seconds=1.5)
NETWORK = AcceptedNetwork(
    step=1, description={"widths": [3]}, weights=b"weights", topology=(3,), parameters=9, scores=None
)


@pytest.fixture(scope="module")
def store_bytes(tmp_path_factory):
    """The bytes of a small store with two runs, a graph and an embedding."""
    file = tmp_path_factory.mktemp("sound") / "runs.db"
    store = Store(f"sqlite:///{file}")
    for run in RUNS:
        store.save(run, [STARTED, ENDED], [NETWORK], name="", batch="some")
    store.add_graph(load_graph("synthetic", nodes=60, features=60), name="mine")
    EmbeddingCache(store).put("key", Cached(facts={}, arrays={}), run=RUNS[0])
    store.close()
    return file.read_bytes()


VALUES = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.binary(max_size=20)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from(["null", "[]", "{}", "5", "[1", '{"event": 7}', '{"event": "RunStarted"}', "[" * 5000, "NaN"])
)
COLUMNS = [(table.name, column.name) for table in KEYS for column in table.c]
WRITTEN = st.tuples(st.sampled_from(COLUMNS), st.booleans(), VALUES)
FLIPPED = st.tuples(st.just("flip"), st.integers(100, 10**6), st.integers(0, 7))
CUT = st.tuples(st.just("cut"), st.integers(0, 10**6), st.just(0))
ZEROED = st.tuples(st.just("zeros"), st.integers(100, 10**6), st.integers(1, 5000))
DAMAGE = WRITTEN | WRITTEN | FLIPPED | FLIPPED | ZEROED | CUT


def damage(file, data, kind, place, value):
    """Write a damaged file."""
    damaged = bytearray(data)
    if kind == "flip":
        damaged[place % len(data)] ^= 1 << value
    elif kind == "cut":
        del damaged[place % len(data) :]
    elif kind == "zeros":
        first = place % len(data)
        damaged[first : first + value] = bytes(len(damaged[first : first + value]))
    file.write_bytes(damaged)
    if isinstance(kind, tuple):
        table, column = kind
        raw = sqlite3.connect(file)
        which = "WHERE rowid = 1" if place else ""
        try:
            raw.execute(f"UPDATE OR IGNORE {table} SET {column} = ? {which}", (value,))
            raw.commit()
        except sqlite3.Error:  # such as NULL where there must be none
            pass
        raw.close()


def read_everything(url):
    """Read all there is; what is not refused is what was stored."""
    try:
        store = Store(url)
    except PgcnError as error:
        assert_sentence(error)
        return
    try:
        for run in (*store.runs(), *store.runs(deleted=True)):
            row_of(run)
            try:
                events, networks = store.events(run.id), store.networks(run.id)
            except PgcnError as error:
                assert_sentence(error)
                continue
            if run.status != "damaged":
                assert events == (STARTED, ENDED) and networks[1].weights == b"weights"
        known_graphs(store)
        for graph in store.stored_graphs().values():
            try:
                store.graph_bytes(graph.source)
            except PgcnError as error:
                assert_sentence(error)
        EmbeddingCache(store).get("key")
    except PgcnError as error:
        assert_sentence(error)
    finally:
        store.close()


def repaired(file, url):
    """Repair as the command does; what is left is sound, but for a graph, which must be added again."""
    try:
        if problems_of_file(file):
            rescue(file)
        store = Store(url)
    except PgcnError as error:
        assert_sentence(error)
        return
    list(repair(store.database))
    assert [problem for problem in check(store.database) if "The graph" not in problem.text] == []
    store.close()


def test_a_run_that_has_lost_its_id_is_removed(store_bytes, tmp_path):
    file = tmp_path / "runs.db"
    damage(file, store_bytes, ("pgcn_runs", "id"), False, "")
    repaired(file, f"sqlite:///{file}")


@CASES
def test_any_damaged_store_is_read_or_refused_in_words_and_can_be_repaired(
    cases, store_bytes, tmp_path, monkeypatch
):
    file = tmp_path / "runs.db"
    for name in ("MOST_ROWS", "MOST_ERRORS"):
        monkeypatch.setattr(f"pgcn.store.rescue.{name}", 100)  # there are three rows

    def attacked(case):
        (kind, place, value), mended = case
        for beside in tmp_path.iterdir():
            beside.unlink()
        damage(file, store_bytes, kind, place, value)
        read_everything(f"sqlite:///{file}")
        if mended:
            repaired(file, f"sqlite:///{file}")

    attack(st.tuples(DAMAGE, st.sampled_from([False] * 5 + [True])), attacked, cases)
