"""The table of stored runs: a batch is one row with mean ± sd, and only what differs is a column."""

import statistics

import pytest
from small_runs import quick

from pgcn import load_graph, train_many
from pgcn.execution.recorder import record_runs
from pgcn.store import Store
from pgcn.views.compare import group_differences, settings_table
from pgcn.views.run_facts import facts_of, rows_of, seeds_text
from pgcn.views.run_table import run_table


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three seeds of two widths each in a batch of its own, three seeds of the GCN, and a single run."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'runs.db'}")
    graph = load_graph("karate")

    def stored(method, batch, seeds, **changes):
        runs = train_many(method, graph, [quick(method).change(seed=seed, **changes) for seed in seeds])
        record_runs(runs, store, batch=batch)
        runs.finish()

    stored("pgcn", "a", range(3))
    stored("pgcn", "b", range(3), block_width=2)
    stored("gcn", "c", range(3))
    stored("pgcn", None, [7])
    yield store
    store.close()


@pytest.fixture(scope="module")
def rows(store):
    runs = store.runs()
    openings = store.openings([run.id for run in runs])
    return rows_of(runs, {run.id: facts_of(run, openings[run.id]) for run in runs})


def cells(table, row):
    return {name: cell[0] for (name, _), cell in zip(table.columns, row["cells"], strict=True)}


def test_a_batch_is_one_row_with_mean_and_sd_and_unfolds_into_its_runs(rows):
    table = run_table(rows)
    assert [len(row["runs"]) for row in table.rows] == [0, 3, 3, 3]
    assert [row["name"] for row in table.rows[:3]] == [
        "Karate club, seed 7",
        "Karate club, GCN, seeds 0 to 2",
        "Karate club, seeds 0 to 2",
    ]
    batch = rows[2]
    tests = [100 * run.scores["test_accuracy"] for run in batch.runs]
    shown = cells(table, table.rows[2])["test (%)"]
    assert shown == f"{statistics.fmean(tests):.1f} ± {statistics.stdev(tests):.1f}"
    assert [run["id"] for run in table.rows[2]["runs"]] == [run.id for run in batch.runs]


def test_what_is_the_same_for_all_runs_is_said_once_and_has_no_column(rows):
    names = [name for name, _ in run_table(rows).columns]
    assert {"method", "preset", "block_width"} <= set(names)
    assert not {"data set", "split", "D'", "status", "note", "dropout"} & set(names)
    assert {"Karate club", "public split"} <= set(run_table(rows).same)
    alike = run_table([row for row in rows if row.facts.of("method") == "GCN"])
    assert "GCN" in alike.same and "method" not in [name for name, _ in alike.columns]


def test_a_cell_of_a_setting_that_a_method_does_not_have_is_empty(rows):
    table = run_table(rows)
    assert cells(table, table.rows[1])["block_width"] == "–"
    assert cells(table, table.rows[2])["block_width"] == "2"


def test_the_id_of_a_batch_stays_the_same_when_more_runs_are_stored(store, rows):
    again = rows_of(store.runs(batch="a"), {run.id: rows[3].facts for run in store.runs(batch="a")})
    assert again[0].id == rows[3].id


def test_batches_of_the_same_seeds_are_compared_in_pairs(rows):
    one, other = rows[3], rows[2]
    [found] = group_differences([one, other])
    gaps = [
        100 * (after.scores["test_accuracy"] - before.scores["test_accuracy"])
        for before, after in zip(one.runs, other.runs, strict=True)
    ]
    assert found.test.startswith("paired") and found.mean == pytest.approx(statistics.fmean(gaps))


def test_only_cells_that_differ_from_the_others_are_marked():
    runs = [{"a": "1", "b": "x", "d": "p"}, {"a": "2", "b": "x", "d": "q"}, {"a": "2", "b": "x", "c": "y"}]
    table = dict(settings_table(runs))
    assert table["a"] == [("1", True), ("2", False), ("2", False)]
    assert table["b"] == [("x", False)] * 3
    assert table["c"] == [("–", False), ("–", False), ("y", False)]  # another method's
    assert table["d"] == [("p", False), ("q", True), ("–", False)]


def test_seeds_are_named():
    assert seeds_text([2, 0, 1]) == "seeds 0 to 2" and seeds_text([0, 5]) == "2 seeds"
    assert seeds_text([4, 4, 4]) == "seed 4, 3 times"
