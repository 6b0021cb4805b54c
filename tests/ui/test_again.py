"""A stored run as Python, as a command and as a citation: each gives the very same run again."""

import re
import shlex

import pytest
from small_runs import quick

from pgcn.cli import main
from pgcn.events import opening
from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import METHODS
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.ui.runs.again import as_bibtex, as_command, as_python, latex

SOURCES = [
    GraphSource.of("karate", split="fraction:0.5", seed=3, dims=7),
    GraphSource.of("synthetic", seed=1, nodes=60, classes=3, features=20),
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    store = Store()
    yield store
    store.close()


def spec_of(method, source=SOURCES[0]):
    return RunSpec(method=method, config=quick(method).change(seed=5), source=source)


@pytest.mark.parametrize("method", METHODS)
def test_the_command_asks_for_the_same_run(method, store, capsys):
    spec = spec_of(method)
    program, *arguments = shlex.split(as_command(spec))
    assert program == "pgcn" and main([*arguments, "--store", "--workers", "1"]) == 0
    [run] = store.runs()
    assert RunSpec.of(opening(store.events(run.id))) == spec


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_script_trains_the_same_network(source, store, capsys):
    spec = spec_of("pgcn", source)
    [result] = execute([spec], store).finish()
    exec(compile(as_python(spec), "script", "exec"), {})
    assert capsys.readouterr().out.strip() == f"{result.topology} {result.scores.test_accuracy}"


def test_a_reproducible_run_is_asked_for_as_such():
    spec = RunSpec(method="gcn", config=quick("gcn"), source=SOURCES[0], reproducible=True)
    assert "--reproducible" in as_command(spec) and "reproducible=True" in as_python(spec)
    assert "__main__" in as_python(spec)
    assert "--runs 20" in as_command(spec, runs=20)


def test_the_citation_names_the_paper_the_program_and_how_to_get_the_run(store, capsys):
    spec = spec_of("pgcn")
    execute([spec], store).finish()
    [run] = store.runs()
    started = opening(store.events(run.id))
    text = as_bibtex(run, started)
    assert "eprint        = {2003.12277}" in text and f"run {run.id[:8]}" in text
    assert started.versions["pgcn"] in text and "--seed 5" in text
    assert text.count("{") == text.count("}") and not re.search(r"(?<!\\)[&%$#_]", text.partition("note")[2])


def test_latex_is_given_names_to_the_letter():
    assert latex(r"50 % of a_b & {c}\d") == r"50 \% of a\_b \& \{c\}\textbackslash{}d"
