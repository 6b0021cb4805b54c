"""``pgcn landscape``."""

import csv
import io
import json

import pytest
from small_arena import here

SET = ("--set", "epochs=5", "max_layers=1", "max_width=4", "block_width=2")
LANDSCAPE = ("landscape", "--dataset", "karate", "--widths", "4,2", "--depths", "1,2", "--runs", "2", *SET)


def test_a_landscape_is_computed_once_and_shown_in_every_way(pgcn, tmp_path, monkeypatch):
    monkeypatch.setattr("pgcn.cli.study_progress.processes", lambda *_, **__: here())
    asked = (*LANDSCAPE, "--paths", "1")
    code, out, err = pgcn(*asked, "--workers", "1", "--json")
    runs = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and "10 runs to do" in err and "karate: fixed 2-2, seed 1:" in err
    assert [run["topology"] for run in runs[:8]] == ["2", "2", "4", "4", "2-2", "2-2", "4-4", "4-4"]
    assert [run["kind"] for run in runs[8:]] == ["pgcn", "gcn"] and runs[8]["blocks_tried"] >= 1
    code, out, err = pgcn(*asked, "--csv", "--html", str(tmp_path / "report.html"))
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and "10 of 10 runs are stored already" in err
    assert [row["run"] for row in rows] == [run["run"] for run in runs]
    assert "The landscape of Karate" in (tmp_path / "report.html").read_text()
    code, out, _ = pgcn(*LANDSCAPE, "--paths", "1")
    assert code == 0 and "Best of 4 points by validation" in out and "Growth ends" in out and "2-2" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--dataset", "corra"), "No data set named 'corra'"),
        (("--widths", "5,ten"), "--widths must be whole numbers divided by commas, got 'ten'"),
        (("--widths", "0"), "widths must be at least 1, got 0"),
        (("--depths", "50"), "depths must be at most 20"),
        (("--depths", "1,1"), "depths must not name anything twice"),
        (("--runs", "0"), "runs must be at least 1"),
        (("--paths", "-1"), "paths must be at least 0"),
        (("--set", "seed=1"), "seed is not set with --set here"),
        (("--set", "loss=mse"), "mse_objective = j1 has no landscape"),
        (("--set", "decider=person"), "decider = person is for a single run"),
        (("--preset", "reference"), "dropout_scope = first_layer has no landscape"),
        (("--split", "half"), "split"),
        (("--record", "map.jsonl.gz"), "--record writes what is the same on every machine"),
    ],
)
def test_bad_input_gets_one_clear_line(pgcn, arguments, message):
    code, out, err = pgcn("landscape", *arguments)
    assert code == 2 and out == "" and message in err and len(err.splitlines()) == 1
