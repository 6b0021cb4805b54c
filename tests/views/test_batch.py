"""A batch is listed whole from its first moment, and counted right."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pgcn.store.rows import StoredRun
from pgcn.views.batch import batch_rows, scatter_figure, seeds_text, topology_figure

SCORES = {"labelled_accuracy": 1.0, "val_accuracy": 0.8, "test_accuracy": 0.75}


DONE = StoredRun(
    id="run",
    created=0.0,
    method="pgcn",
    dataset="cora",
    seed=0,
    status="finished",
    name="",
    note="",
    step=1,
    topology=(10, 5),
    parameters=900,
    scores=SCORES,
    best_val_accuracy=0.8,
    seconds=1.5,
    deleted=None,
    batch="b",
    creator="",
    here=False,
    parent=None,
    parent_step=None,
)


def run(seed, status="finished", **values):
    return replace(DONE, **{"id": f"run{seed}", "seed": seed, "status": status, **values})


def waiting(*seeds):
    return [SimpleNamespace(seed=seed) for seed in seeds]


def test_before_any_process_has_begun_every_row_is_there_and_waits():
    rows, ids = batch_rows([], waiting(3, 4, 5))
    assert [(row["seed"], row["state"]) for row in rows] == [(3, "waiting"), (4, "waiting"), (5, "waiting")]
    assert ids == ["", "", ""]
    assert scatter_figure([], None)["data"] == [] and topology_figure([])["data"][0]["x"] == []


def test_rows_keep_their_order_and_only_runs_that_have_ended_can_be_opened():
    better = {**SCORES, "val_accuracy": 0.9}
    runs = [run(3), run(4, "running", scores=None, topology=(), parameters=0), run(6, scores=better)]
    rows, ids = batch_rows(runs, waiting(5))
    assert [row["seed"] for row in rows] == [3, 4, 5, 6]
    assert [row["state"] for row in rows] == ["finished", "growing", "waiting", "best on validation"]
    assert ids == ["run3", "", "", "run6"]
    assert rows[0]["topology"] == "10 → 5" and rows[1]["topology"] is None


def test_runs_of_one_seed_are_told_apart_by_their_number():
    rows, _ = batch_rows([run(7), run(7, id="other")], waiting(7), perturbed=True)
    assert [row["run"] for row in rows] == [1, 2, 3] and "seed" not in rows[0]


def test_a_mark_knows_its_run_and_one_run_is_no_runs():
    [marks] = scatter_figure([run(3), run(4)], None)["data"]
    assert marks["customdata"] == ["run3", "run4"]
    assert topology_figure([run(3)])["data"][0]["text"] == ["1 run"]


@pytest.mark.parametrize(
    ("seeds", "text"),
    [
        ([3], "seed 3"),
        ([1, 0, 2], "seeds 0 to 2"),
        ([1, 2, 13], "3 of the seeds 1 to 13"),
        ([4, 4], "seed 4"),
    ],
)
def test_seeds_are_counted_as_they_are(seeds, text):
    assert seeds_text(seeds) == text
