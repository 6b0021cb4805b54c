"""``pgcn arena`` and ``pgcn tables``."""

import csv
import io
import json

import pytest

ARENA = ("arena", "--datasets", "karate", "--methods", "gcn,sgc", "--runs", "2", "--workers", "1")


def test_an_arena_is_computed_once_and_shown_in_every_way(pgcn, tmp_path):
    code, out, err = pgcn(*ARENA, "--json")
    runs = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and "4 runs to do" in err and "karate: GCN, seed 0:" in err
    assert [(run["contender"], run["seed"]) for run in runs] == [("gcn", 0), ("sgc", 0), ("gcn", 1), ("sgc", 1)]
    code, out, err = pgcn(*ARENA, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and "4 of 4 runs are stored already" in err
    assert [row["run"] for row in rows] == [run["run"] for run in runs]
    code, out, _ = pgcn(*ARENA)
    assert code == 0 and "karate, public split" in out and "SGC" in out and "best by validation" in out
    code, out, _ = pgcn("tables", "--datasets", "karate", "--methods", "gcn,sgc", "--runs", "3")
    assert code == 0 and "(n = 2)" in out and "GCN (2 of 3 runs), SGC (2 of 3 runs)" in out
    assert "pgcn arena --datasets karate --methods gcn,sgc --runs 3" in out


@pytest.mark.parametrize("form", ["markdown", "csv", "latex"])
def test_tables_print_the_published_figures_where_nothing_was_computed(pgcn, form, monkeypatch):
    monkeypatch.setattr("pgcn.recorded.recorded_arena", dict)
    code, out, _ = pgcn("tables", "--format", form)
    assert code == 0 and all(printed in out for printed in ("84.2", "445.4k", "15-20", "Missing on PubMed"))


def test_the_paper_s_own_protocol_has_a_row_of_its_own(pgcn):
    code, out, _ = pgcn("tables", "--datasets", "cora", "--methods", "gcn,pgcn")
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith("| PGCN (CE), the paper's protocol")]
    assert code == 0 and len(rows) == 3
    accuracy, parameters, architecture = rows
    assert accuracy[1] == "83.1" and "(n = 900)†" in accuracy[2] and "(of 900)†" in accuracy[3]
    assert parameters[1] == "14.7k" and architecture[1] == "10-20"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--datasets", "corra"), "No data set named 'corra'"),
        (("--methods", "gnn"), "No method named 'gnn'. Choose one of: all, fixed, "),
        (("--runs", "0"), "runs must be at least 1, got 0"),
        (("--budget", "0"), "budget must be at least 1, got 0"),
        (("--splits", "3"), "There is one public split"),
        (("--workers", "0"), "--workers must be at least 1"),
        (("--record", "arena.txt"), "--record takes a file that ends in .gz"),
        (("--record", "arena.jsonl.gz"), "--record writes what is the same on every machine"),
    ],
)
def test_bad_input_gets_one_clear_line(pgcn, arguments, message):
    code, out, err = pgcn("arena", *arguments)
    assert code == 2 and out == "" and message in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "word"), "No format named 'word'"),
        (("--datasets", "corra"), "No data set named 'corra'"),
        (("--runs", "0"), "runs must be at least 1"),
    ],
)
def test_bad_input_of_tables_gets_one_clear_line(pgcn, arguments, message):
    code, out, err = pgcn("tables", *arguments)
    assert code == 2 and out == "" and message in err
