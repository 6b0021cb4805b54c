"""Flipped, cut, overwritten: a damaged run is named, the others stay, and what can be read is saved."""

import os
import random
import re
import sqlite3

import pytest
from interruption import RUN, resumed_as_whole

from pgcn.cli import main
from pgcn.errors import StoreError
from pgcn.store import Store
from pgcn.views.run_table import row_of


def read_all(url, known):
    """Read everything; each run is as it was, or an error in words names it. Return how many were refused."""
    refused = 0
    try:
        store = Store(url)
    except StoreError:
        return len(known)
    try:
        try:
            listed = {run.id: run for run in (*store.runs(), *store.runs(deleted=True))}
        except StoreError:
            return len(known)
        for run, (events, networks, row) in known.items():
            try:
                assert store.events(run) == events and store.networks(run) == networks
                if listed[run].status != "damaged":
                    covered = ("scores", "topology", "parameters", "seed", "method", "dataset", "step", "seconds")
                    assert all(getattr(listed[run], name) == getattr(row, name) for name in covered)
                else:
                    refused += 1
            except (StoreError, KeyError):
                refused += 1
    finally:
        store.close()
    return refused


@pytest.mark.parametrize("flips", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_a_flipped_bit_is_never_taken_for_a_result(tmp_path, bytes_of_store, flips):
    data, known = bytes_of_store
    rng, refused = random.Random(flips), 0
    for number in range(flips):
        damaged = bytearray(data)
        damaged[rng.randrange(100, len(data))] ^= 1 << rng.randrange(8)
        file = tmp_path / f"{number}.db"
        file.write_bytes(damaged)
        refused += read_all(f"sqlite:///{file}", known) > 0
        file.unlink()
    assert refused  # or the test finds nothing


@pytest.mark.parametrize("kind", ["cut", "zeros", "noise", "text", "empty page"])
def test_a_damaged_file_is_refused_in_words_and_what_can_be_read_is_saved(
    tmp_path, bytes_of_store, kind, monkeypatch, capsys
):
    data, known = bytes_of_store
    damaged = bytearray(data)
    if kind == "cut":
        damaged = damaged[: len(data) * 3 // 4]
    elif kind == "zeros":
        damaged[8192:16384] = bytes(8192)
    elif kind == "noise":
        damaged[20000:24000] = random.Random(1).randbytes(4000)
    elif kind == "text":
        damaged = bytearray(b"This is no database. " * 500)
    else:
        damaged[4096:8192] = bytes(4096)
    file = tmp_path / "runs.db"
    file.write_bytes(damaged)
    read_all(f"sqlite:///{file}", known)
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    assert main(["store", "check"]) == 2
    assert " found. 'pgcn store repair'" in capsys.readouterr().err
    if kind == "text":
        return
    main(["store", "repair"])
    assert main(["store", "check"]) == 0 and "No problems found." in capsys.readouterr().out
    assert next(tmp_path.glob("runs.damaged-*")).read_bytes()[100:] == bytes(damaged)[100:]


def test_a_damaged_run_is_named_cut_back_and_resumed_and_the_others_stay(
    tmp_path, bytes_of_store, whole, monkeypatch
):
    data, known = bytes_of_store
    file = tmp_path / "runs.db"
    file.write_bytes(data)
    half = len(known[RUN][0]) // 2
    raw = sqlite3.connect(file)
    raw.execute("UPDATE pgcn_events SET body = replace(body, ':', ' :') WHERE run = ? AND number = ?", (RUN, half))
    raw.execute("UPDATE pgcn_events SET body = '{}' WHERE run = ? AND number = ?", (RUN, half))
    raw.execute("UPDATE pgcn_runs SET parameters = 7 WHERE id = ?", ("b" * 32,))
    raw.commit()
    raw.close()
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    store = Store()
    assert {run.id: run.status for run in store.runs()} == {
        RUN: "finished",
        "b" * 32: "damaged",
        "c" * 32: "finished",
    }
    with pytest.raises(StoreError, match=f"Run aaaaaaaa is damaged: its event {half} is not what was stored"):
        store.events(RUN)
    assert store.events("c" * 32) == known["c" * 32][0]
    store.close()
    assert main(["store", "check"]) == 2 and main(["store", "repair"]) == 0 and main(["store", "check"]) == 0
    store = Store()
    assert len(store.events(RUN)) == half and store.run("b" * 32).parameters == known["b" * 32][2].parameters
    resumed_as_whole(store, whole)
    store.close()


def run_row(file, run):
    """Return where the row of a run begins and ends in a file: its id, and all values after it."""
    raw = sqlite3.connect(file)
    (checksum,) = raw.execute("SELECT checksum FROM pgcn_runs WHERE id = ?", (run,)).fetchone()
    raw.close()
    data = file.read_bytes()
    end = data.index(checksum.encode()) + len(checksum)
    return data.rindex(run.encode(), 0, end), end


@pytest.mark.parametrize("flips", [20, pytest.param(80, marks=pytest.mark.slow)])
def test_a_bit_flipped_in_a_run_s_row_costs_no_other_run_and_can_be_repaired(
    tmp_path, bytes_of_store, flips, monkeypatch
):
    data, known = bytes_of_store
    file, run, rng = tmp_path / "runs.db", "b" * 32, random.Random(flips)
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    file.write_bytes(data)
    place = run_row(file, run)
    named = 0
    for _ in range(flips):
        damaged = bytearray(data)
        damaged[rng.randrange(*place)] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        store = Store()
        listed = {row.id: row for row in (*store.runs(), *store.runs(deleted=True))}
        for other in {*known} - {run}:
            assert listed[other] == known[other][2] and store.events(other) == known[other][0]
        assert len(listed) == 3
        named += any(row.status == "damaged" for row in listed.values())
        store.close()
        assert main(["store", "check"]) in (0, 2) and main(["store", "repair"]) == 0
        assert main(["store", "check"]) == 0
        store = Store()
        whole = {row.id: row for row in (*store.runs(), *store.runs(deleted=True))}
        assert whole.keys() == known.keys() and store.events(run) == known[run][0]
        assert whole[run].scores == known[run][2].scores and whole[run].status == "finished"
        store.close()
        for beside in tmp_path.iterdir():
            beside.unlink()
    assert named > flips / 2


@pytest.mark.parametrize(
    "change",
    [
        "topology = '5'",
        "topology = 'null'",
        "topology = '[1'",
        "topology = x'ff00'",
        "scores = '[1]'",
        "scores = x'ff'",
        "created = 'abc'",
        "created = 1e300",
        "dataset = x'ff41'",
        "dataset = CAST(x'ff41' AS TEXT)",
        "seed = 'x'",
        "events = 'many'",
        "events = 10000000000000",
        "step = x'00'",
        "networks = -1",
        "status = 7",
        "lease = 'soon', status = 'running'",
        "deleted = 'yesterday'",
        "name = x'00ff', note = 5",
        "checksum = x'00'",
        "batch = x'ff'",
        "id = x'ff00ff'",
        "id = CAST(x'ff62' AS TEXT)",
    ],
)
def test_whatever_stands_in_a_run_s_row_the_others_are_listed_and_it_is_repaired(
    tmp_path, bytes_of_store, change, monkeypatch
):
    data, known = bytes_of_store
    file = tmp_path / "runs.db"
    file.write_bytes(data)
    raw = sqlite3.connect(file)
    raw.execute(f"UPDATE pgcn_runs SET {change} WHERE id = ?", ("b" * 32,))
    raw.commit()
    raw.close()
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    assert read_all(f"sqlite:///{file}", known) <= 1
    store = Store()
    listed = [*store.runs(), *store.runs(deleted=True)]
    assert len(listed) == 3 and all(map(row_of, listed))  # as the Runs page shows them
    store.close()
    main(["store", "repair"])
    assert main(["store", "check"]) == 0
    assert read_all(f"sqlite:///{file}", known) == 0


def test_a_missing_table_is_named_and_made_again(tmp_path, bytes_of_store, monkeypatch, capsys):
    data, known = bytes_of_store
    file = tmp_path / "runs.db"
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    for table in ("pgcn_embeddings", "pgcn_networks", "pgcn_schema", "pgcn_runs"):
        file.write_bytes(data)
        raw = sqlite3.connect(file)
        raw.execute(f"DROP TABLE {table}")
        raw.close()
        assert main(["store", "check"]) == 2 and f"{table} is missing" in capsys.readouterr().out
        assert main(["store", "repair"]) == 0 and main(["store", "check"]) == 0
        store = Store()
        assert {run.id for run in store.runs()} == known.keys()
        store.close()


def test_a_damaged_name_of_a_column_is_named_and_costs_nothing(tmp_path, bytes_of_store, monkeypatch, capsys):
    data, known = bytes_of_store
    file = tmp_path / "runs.db"
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    file.write_bytes(data.replace(b"\tbest_val_accuracy FLOAT", b"\tbest_vel_accuracy FLOAT"))
    assert main(["store", "check"]) == 2 and "no column best_val_accuracy" in capsys.readouterr().out
    assert main(["store", "repair"]) == 0 and main(["store", "check"]) == 0
    assert read_all(f"sqlite:///{file}", known) == 0


@pytest.mark.parametrize("name", [b"pgcn_runs", b"pgcn_events", b"pgcn_networks", b"pgcn_schema"])
def test_a_name_that_is_no_text_any_more_is_a_sentence_and_the_file_is_repaired(
    tmp_path, bytes_of_store, monkeypatch, capsys, name
):
    data, _ = bytes_of_store
    file = tmp_path / "runs.db"
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{file}")
    for place in (at.start() + len(name) - 1 for at in re.finditer(name, data)):
        file.write_bytes(data[:place] + b"\xf0" + data[place + 1 :])
        if main(["store", "check"]) == 2:
            assert "damaged" in capsys.readouterr().out
            assert main(["store", "repair"]) == 0 and main(["store", "check"]) == 0


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_read_only_store_can_be_read_and_says_that_it_cannot_be_written(tmp_path, bytes_of_store, monkeypatch):
    data, known = bytes_of_store
    file = tmp_path / "runs.db"
    file.write_bytes(data)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write anything
    store = Store(f"sqlite:///{file}")
    assert {run.id for run in store.runs()} == set(known) and store.events(RUN) == known[RUN][0]
    with pytest.raises(StoreError, match="This store is read-only"):
        store.delete(RUN)
    store.close()
    assert file.read_bytes() == data and [path.name for path in tmp_path.iterdir()] == ["runs.db"]
