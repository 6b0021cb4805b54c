"""The Runs page shows, opens, compares and exports a stored run of every method."""

import json

import pytest
import streamlit as st
from small_runs import quick
from streamlit.testing.v1 import AppTest
from tools import ROOT

from pgcn import load_graph, train_many
from pgcn.execution.recorder import record_runs
from pgcn.methods.registry import METHODS
from pgcn.store import Store
from pgcn.store.schema import EVENTS, RUNS
from pgcn.ui.runs.compare import MOST_COMPARED
from pgcn.ui.runs.exports import files_of
from pgcn.ui.server import job_manager
from pgcn.views.compare import CURVES, comparison_figure


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('store') / 'runs.db'}"


@pytest.fixture(scope="module")
def runs(database):
    """One finished and one cancelled run of every method, by method."""
    store, graph, ids = Store(database), load_graph("karate"), {}
    for method in METHODS:
        ids[method] = []
        for cancelled in (False, True):
            run = train_many(method, graph, [quick(method)])
            [recorder] = record_runs(run, store)
            run.started()
            run.cancel("Enough.") if cancelled else run.finish()
            ids[method].append(recorder.run)
    store.close()
    return ids


@pytest.fixture(autouse=True)
def server(database, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", database)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield
    monkeypatch.undo()
    job_manager().close()
    st.cache_resource.clear()


def opened(selected=(), **query):
    page = AppTest.from_file(str(ROOT / "pages" / "runs.py"), default_timeout=60)
    page.query_params |= query | ({"runs": ",".join(selected)} if selected else {})
    page.run()
    assert not page.exception
    return page


def words(page):
    return " ".join(element.value for kind in (page.markdown, page.caption, page.info) for element in kind)


def table(page):
    """Return what the table in the browser is given."""
    return next(
        values
        for element in page.get("bidi_component")
        for values in json.loads(element.proto.json)
        if isinstance(values, dict) and "rows" in values
    )


def listed(page):
    """Return the ids of all runs in the table, of batches too."""
    return {run["id"] for row in table(page)["rows"] for run in (row["runs"] or [row])}


@pytest.mark.parametrize("method", METHODS)
def test_a_link_opens_a_run_of_any_method(runs, method):
    for run, status in zip(runs[method], ("finished", "cancelled"), strict=True):
        page = opened(run=run)
        assert run in listed(page) and table(page)["selected"] == [run]
        assert f"id `{run[:8]}`" in words(page) and status in words(page)
        offered = {button.key for button in page.button}
        assert page.button(key="open").disabled != METHODS[method].grows
        can_resume = status == "cancelled" and METHODS[method].resumable
        assert ("resume_run" in offered or f"pgcn resume {run[:8]}" in words(page)) == can_resume


def test_all_runs_are_listed_and_none_is_chosen_unless_the_link_says_so(runs):
    page = opened()
    assert listed(page) == {run for ids in runs.values() for run in ids}
    assert table(page)["selected"] == [] and "tick several to compare" in words(page)


def test_what_a_link_chooses_is_listed_whatever_the_filters_say(runs):
    page = opened(run=runs["gcn"][0])
    page.multiselect(key="runs_method").select("pgcn").run()
    assert set(runs["pgcn"]) | {runs["gcn"][0]} == listed(page)
    assert f"id `{runs['gcn'][0][:8]}`" in words(page)


def test_filters_are_in_the_link_beside_the_selection_and_come_back_with_it(runs):
    page = opened(run=runs["gcn"][0])
    page.multiselect(key="runs_method").select("gcn").run()
    page.text_input(key="runs_search").set_value("cancelled").run()
    link = {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}
    assert link == {"run": runs["gcn"][0], "method": "gcn", "search": "cancelled"}
    again = opened(**link | {"dataset": "nowhere"})
    assert listed(again) == listed(page) == set(runs["gcn"])
    assert again.multiselect(key="runs_method").value == ["gcn"]
    assert any("has the data set 'nowhere'" in warning.value for warning in again.warning)
    again.button(key="runs_all").click().run()
    assert len(listed(again)) == 2 * len(METHODS) and table(again)["selected"] == [runs["gcn"][0]]


def test_a_link_to_what_is_not_there_says_so(runs):
    page = opened([runs["pgcn"][0], "f" * 32], nonsense="1")
    said = [warning.value for warning in page.warning]
    assert any("No run or batch has the id ffffffff" in text for text in said)
    assert any("nonsense" in text for text in said)
    assert f"id `{runs['pgcn'][0][:8]}`" in words(page)


def test_a_deletion_is_undone_by_the_button_of_its_bar(runs):
    chosen = runs["pgcn"][0]
    page = opened(run=chosen)
    page.button(key="delete").click().run()
    assert not page.exception
    assert chosen not in listed(page) and "1 run deleted." in words(page) and "run" not in page.query_params
    page.button(key="undo").click().run()
    assert table(page)["selected"] == [chosen] and not [b for b in page.button if b.key == "undo"]


def test_runs_of_all_methods_are_compared(runs):
    finished = [ids[0] for ids in runs.values()]
    for first in range(0, len(finished) - 1, MOST_COMPARED - 1):
        page = opened(selected=finished[first : first + MOST_COMPARED])
        assert "Compared" in words(page) and "Settings that differ" in words(page)


def test_a_run_that_does_not_grow_is_a_line_without_blocks(runs, database):
    store = Store(database)
    events = {method: store.events(ids[0]) for method, ids in runs.items()}
    store.close()
    for what in CURVES:
        for method, line in zip(events, comparison_figure(events, what)["data"], strict=True):
            assert ("block" in line["hovertemplate"]) == METHODS[method].grows
            assert METHODS[method].grows or len(set(line["y"])) == 1


@pytest.mark.parametrize("method", METHODS)
def test_a_run_of_any_method_is_exported(runs, database, method):
    store = Store(database)
    files = {file.ending: file.make() for file in files_of(store.run(runs[method][0]))}
    store.close()
    assert {"csv", "jsonl", "safetensors"} <= files.keys() and all(files.values())
    assert ("html" in files) == METHODS[method].grows
    assert json.loads(files["jsonl"].splitlines()[0])["method"] == method


def test_a_run_whose_first_event_is_damaged_is_shown_and_said_to_be(runs, database):
    sound, damaged = runs["pgcn"]
    store = Store()
    with store.database.writing() as connection:
        connection.execute(EVENTS.update().where(EVENTS.c.run == damaged, EVENTS.c.number == 0).values(body={}))
    store.close()
    try:
        page = opened(run=damaged)
        assert any("its event 0 is not what was stored" in warning.value for warning in page.warning)
        # No file of it is offered that cannot be made; it was cancelled too early.
        assert [button.key for button in page.get("download_button")] == ["runs_csv"]
        assert len(opened(run=sound).get("download_button")) == 5
        page = opened([sound, damaged])
        assert any("its event 0 is not what was stored" in warning.value for warning in page.warning)
        assert any("Compared block by block" in element.value for element in page.markdown)
    finally:
        store = Store()
        with store.database.writing() as connection:
            connection.execute(EVENTS.delete().where(EVENTS.c.run == damaged))
            connection.execute(RUNS.delete().where(RUNS.c.id == damaged))
        store.close()
