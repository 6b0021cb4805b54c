"""Runs are kept as they happen, and nothing that was kept is lost."""

import csv
import json
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sqlalchemy as sa
import torch
from comparison import same, state, timeless
from interruption import RUN
from tools import start_pgcn, wait_until

from pgcn.cli import main
from pgcn.errors import StoreError
from pgcn.execution.recorder import record_runs, resume_stored, stored_model
from pgcn.execution.start import grow, grow_many
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.store.schema import EMBEDDINGS
from pgcn.store.sqlite import INCREMENTAL

QUICK = {"epochs": 20, "max_width": 10, "max_layers": 2}
SLOW = ["--set", "epochs=250", "max_layers=3", "max_width=10"]


def kept(store, graph, configs):
    """Grow runs into the store; return their results and ids."""
    runs = grow_many(graph, configs)
    recorders = record_runs(runs, store)
    return runs.finish(), [recorder.run for recorder in recorders]


def test_a_kept_run_is_what_happened(store, cora):
    results, ids = kept(store, cora, [growth_preset(seed=seed, **QUICK) for seed in (0, 1)])
    for result, run in zip(results, ids, strict=True):
        assert store.events(run) == result.events
        assert same(state(stored_model(store, run)), state(result.model))
        row = store.run(run[:12])
        assert (row.id, row.status, row.topology) == (run, "finished", result.topology)
        assert row.scores["test_accuracy"] == result.scores.test_accuracy
        accepted = [event for event in result.events if isinstance(event, BlockAccepted)]
        assert row.best_val_accuracy == max(event.after.val_accuracy for event in accepted)
        assert store.networks(run).keys() == set(range(1, len(accepted) + 1))
    assert {row.id for row in store.runs()} == set(ids)


def test_a_gcn_is_kept_likewise(store, cora):
    from pgcn.execution.start import train_gcns

    runs = train_gcns(cora, [GCNConfig(epochs=15)])
    (recorder,) = record_runs(runs, store)
    (result,) = runs.finish()
    assert store.events(recorder.run) == result.events
    assert torch.equal(
        stored_model(store, recorder.run).predict(cora.x, cora.edge_index),
        result.model.predict(cora.x, cora.edge_index),
    )
    with pytest.raises(StoreError, match="is finished"):
        resume_stored(store, recorder.run)


def test_a_deleted_run_can_be_brought_back_until_it_is_purged(store, cora):
    _, (run,) = kept(store, cora, [growth_preset(**QUICK)])
    store.change(run, name="my best", note="on the train")
    store.delete(run)
    assert store.runs() == [] and [row.id for row in store.runs(deleted=True)] == [run]
    store.restore(run)
    assert (store.runs()[0].name, store.runs()[0].note) == ("my best", "on the train")
    store.delete(run)
    assert store.purge() == 1
    with pytest.raises(StoreError, match="No run has an id that begins with"):
        store.events(run)
    with store.database.reading() as connection:
        assert connection.scalar(sa.text("select count(*) from pgcn_events")) == 0


def test_a_run_that_is_cancelled_is_kept_with_what_it_had_and_can_go_on(store, cora, data_dir):
    whole = grow(cora, growth_preset(seed=2, **QUICK)).finish()
    runs = grow_many(cora, [growth_preset(seed=2, **QUICK)])
    (recorder,) = record_runs(runs, store)
    next(said for said in runs if isinstance(said.event, BlockAccepted))
    runs.cancel("Enough.")
    assert store.run(recorder.run).status == "cancelled"
    going_on, _ = resume_stored(store, recorder.run, data_dir=data_dir)
    assert store.run(recorder.run).status == "running"
    again = going_on.finish()
    assert timeless(store.events(recorder.run)) == timeless(again.events) == timeless(whole.events)
    assert same(state(stored_model(store, recorder.run)), state(whole.model))


def test_of_several_who_go_on_with_a_run_at_the_same_time_one_does(store, cora):
    runs = grow_many(cora, [growth_preset(seed=2, **QUICK)])
    (recorder,) = record_runs(runs, store)
    next(said for said in runs if isinstance(said.event, BlockAccepted))
    runs.cancel("Enough.")
    gate = threading.Barrier(4)

    def go_on(_):
        gate.wait(20)
        try:
            store.reopen(recorder.run, 1)
        except StoreError as error:
            return str(error)
        return "mine"

    with ThreadPoolExecutor(4) as pool:
        said = Counter(pool.map(go_on, range(4)))
    assert said.pop("mine") == 1 and list(said.values()) == [3] and "in the meantime" in next(iter(said))


def wait_for_block(store):
    """Wait until a run in the store has accepted its second block; return its id."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for row in store.runs():
            if sum(isinstance(event, BlockAccepted) for event in store.events(row.id)) > 1:
                return row.id
        time.sleep(0.02)
    pytest.fail("no block was accepted in a minute")


def test_kill_9_in_mid_run_loses_only_the_block_in_training(store, url, data_dir, capsys, monkeypatch):
    process = start_pgcn(data_dir, "grow", "--seed", "5", "--store", *SLOW, PGCN_STORE=url)
    run = wait_for_block(store)
    assert store.run(run).status == "running"
    with pytest.raises(StoreError, match="is running"):
        resume_stored(store, run)
    process.kill()
    process.communicate()
    before = store.events(run)
    wait_until(lambda: store.run(run).status == "interrupted")
    if data_dir is not None:
        monkeypatch.setenv("PGCN_DATA_DIR", str(data_dir))
    monkeypatch.setenv("PGCN_STORE", url)
    assert main(["resume", run[:10], "--json"]) == 0
    after = store.events(run)
    assert store.run(run).status == "finished"
    capsys.readouterr()
    assert main(["grow", "--seed", "5", "--json", *SLOW]) == 0
    direct = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for body in direct:
        body.pop("seconds", None)
    assert timeless(after) == direct
    judged = [event for event in before if isinstance(event, BlockAccepted)]
    assert judged == [event for event in after if isinstance(event, BlockAccepted)][: len(judged)]


def test_ctrl_c_keeps_the_run_as_cancelled(store, url, data_dir):
    process = start_pgcn(data_dir, "grow", "--store", *SLOW, PGCN_STORE=url)
    run = wait_for_block(store)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert store.run(run).status == "cancelled" and store.run(run).topology


def test_two_processes_write_into_one_store_at_the_same_time(store, url, data_dir):
    quick = ["--dataset", "synthetic", "--set", "epochs=20", "max_layers=2"]
    processes = [
        start_pgcn(data_dir, "grow", "--store", "--seed", seed, *quick, PGCN_STORE=url) for seed in ("1", "2")
    ]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert sorted((row.seed, row.status) for row in store.runs()) == [(1, "finished"), (2, "finished")]


def test_runs_are_listed_and_taken_away(store, url, cora, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", url)
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["runs"]) == 0 and "No run is stored yet" in capsys.readouterr().out
    (result,), (run,) = kept(store, cora, [growth_preset(**QUICK)])
    assert main(["runs"]) == 0
    assert run[:8] in (out := capsys.readouterr().out) and "finished" in out
    assert main(["runs", "--json"]) == 0 and json.loads(capsys.readouterr().out)["id"] == run
    files = {ending: tmp_path / f"run.{ending}" for ending in ("csv", "jsonl", "safetensors")}
    assert main(["export", run, "--events", str(files["csv"]), "--model", str(files["safetensors"])]) == 0
    assert main(["export", run, "--events", str(files["jsonl"])]) == 0
    with files["csv"].open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [json.loads(line) for line in files["jsonl"].read_text().splitlines()]
    assert len(rows) == len(lines) == len(result.events)
    assert (
        float(rows[-1]["scores.test_accuracy"])
        == lines[-1]["scores"]["test_accuracy"]
        == result.scores.test_accuracy
    )
    assert files["safetensors"].stat().st_size > 4 * result.parameters


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["resume", "nope"], "No run has an id that begins with 'nope'"),
        (["export", "nope", "--events", "x.csv"], "No run has an id that begins with 'nope'"),
        (["export", "nope"], "Nothing to export"),
    ],
)
def test_what_is_not_in_the_store_is_said(url, arguments, message, capsys, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", url)
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("bad", ["no url at all", "nosuchdb://x", "sqlite:////proc/none/runs.db"])
def test_a_store_that_cannot_be_opened_says_what_to_do(bad):
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(bad)


def test_deleting_for_good_takes_embeddings_along_and_shrinks_the_file(tmp_path, bytes_of_store):
    data, _ = bytes_of_store
    file = tmp_path / "runs.db"
    file.write_bytes(data)
    store = Store(f"sqlite:///{file}")
    with store.database.reading() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM pgcn_embeddings")) > 2
    for run in store.runs():
        store.delete(run.id)
    assert store.purge([RUN]) == 1 and len(store.runs(deleted=True)) == 2
    assert store.purge() == 2
    with store.database.reading() as connection:
        for table in ("runs", "events", "networks", "embeddings"):
            assert connection.scalar(sa.text(f"SELECT count(*) FROM pgcn_{table}")) == 0
    store.close()
    assert file.stat().st_size < len(data) / 2


def test_a_store_in_memory_is_refused():
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(StoreError, match="would be in memory"):
            Store(url)


def test_a_new_store_gives_room_back_without_being_written_anew(tmp_path):
    file = tmp_path / "runs.db"
    store = Store(f"sqlite:///{file}")
    for number in range(20):
        EmbeddingCache(store).put(str(number), Cached(facts={}, arrays={"map": np.zeros(100_000)}))
    with store.database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA auto_vacuum").scalar() == INCREMENTAL
    with store.database.writing() as connection:
        connection.execute(EMBEDDINGS.delete())
    store.database.shrink()
    assert file.stat().st_size < 2**20
    store.close()
