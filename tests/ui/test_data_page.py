"""The Data page: what it shows without loading a graph, the examples, and the lesson's three lines."""

import itertools

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from tools import ROOT

from pgcn import load_graph
from pgcn.cli import main
from pgcn.data.examples import EXAMPLES, FOLDER, write_examples
from pgcn.data.importers.options import names_in, names_text
from pgcn.embeddings.portrait import portrait_of, read_portraits
from pgcn.execution.graphs import named_source
from pgcn.recorded import recorded_portraits
from pgcn.source import CATALOGUE_NAMES
from pgcn.store import Store
from pgcn.ui.data.reading import safe_name
from pgcn.ui.learn.own import LINES
from pgcn.ui.server import job_manager


@pytest.fixture
def database(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    yield f"sqlite:///{tmp_path / 'runs.db'}"
    job_manager().close()
    st.cache_resource.clear()


def opened(**query):
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=60)
    page.query_params |= query
    page.run()
    assert not page.exception
    return page


def test_a_graph_that_another_visitor_adds_or_deletes_while_the_cards_are_drawn_is_no_traceback(
    database, monkeypatch
):
    store = Store(database)
    store.add_graph(load_graph("karate"), name="mine")
    there, looks = store.stored_graphs(), itertools.count()
    for comes in (0, 1):

        def stored_graphs(_store, *, deleted=False, comes=comes):
            return there if not deleted and next(looks) % 2 == comes else {}

        monkeypatch.setattr(Store, "stored_graphs", stored_graphs)
        opened()


def test_the_recorded_portraits_are_those_of_the_graphs():
    recorded = recorded_portraits()
    assert tuple(recorded) == CATALOGUE_NAMES
    for name in ("karate", "synthetic"):
        assert {**portrait_of(load_graph(name)), "sample": 0} == {**recorded[name], "sample": 0}
    for portrait in recorded.values():
        assert sum(count for _, count in portrait["degrees"]) == portrait["nodes"]
        assert np.sum(portrait["sizes"]) + portrait["unknown"] == portrait["nodes"]


def test_a_deleted_graph_can_be_restored_and_nothing_is_offered_where_all_is_read_only(database, monkeypatch):
    store = Store(database)
    store.add_graph(load_graph("karate"), name="mine")
    page = opened(dataset="mine")
    page.button(key="data_delete").click().run()
    assert not store.stored_graphs()
    page.button(key="data_undo").click().run()
    assert list(store.stored_graphs()) == ["mine"]
    monkeypatch.setenv("PGCN_READ_ONLY", "1")
    page = opened(dataset="mine")
    assert page.button(key="data_delete").disabled and page.button(key="data_grow").disabled
    assert opened().button(key="example_papers").disabled
    store.close()


def test_a_link_to_a_data_set_that_is_not_there_says_which_there_are(database):
    assert "No data set named 'hers'" in opened(dataset="hers").warning[0].value.replace("\\", "")


def test_the_examples_are_small_and_made_by_the_program(tmp_path):
    write_examples(tmp_path)
    for path in (path for example in EXAMPLES.values() for path in example.paths):
        assert path.read_bytes() == (tmp_path / path.name).read_bytes() and path.stat().st_size < 100_000


def test_the_three_lines_of_the_lesson_run(monkeypatch):
    import pgcn

    monkeypatch.chdir(FOLDER)
    names = {"pgcn": pgcn}
    exec(LINES, names)
    assert tuple(names["logits"].shape) == (320, 4)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a\\b.csv", "\0x\n", "..", "", "x" * 500])
def test_a_file_is_written_where_it_belongs_whatever_it_is_called(name):
    safe = safe_name(name)
    assert (
        safe and "/" not in safe and "\\" not in safe and safe.isprintable() and safe.strip(".") and len(safe) < 100
    )


def test_names_with_commas_and_quotes_survive_a_list():
    names = ["a,b", 'say "no"', "plain", "two words"]
    assert names_in(names_text(names)) == names


def test_a_link_to_a_graph_that_was_added_in_python_draws_it_only_when_asked(database):
    store = Store(database)
    store.add_graph(load_graph("karate"), name="mine")
    for query in ({}, {"dataset": "mine"}):
        page = opened(**query)
        assert not job_manager()._jobs and page.button(key="data_draw").label == "Draw the graph"
    page.button(key="data_draw").click().run()
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished" and read_portraits(store, [named_source(store, "mine")])
    page.run()
    assert not page.exception and "**34** nodes" in page.markdown[1].value
    store.close()


def test_whether_growing_pays_is_asked_for_once_and_kept(database, monkeypatch):
    page = opened(dataset="karate")
    assert "0.12 labels per feature" in " ".join(one.value for one in page.caption) and not job_manager()._jobs
    page.button(key="advice_ask_0").click().run()
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished", job.error
    page.run()
    assert "15 validation nodes are too few" in " ".join(one.value for one in page.markdown)
    st.cache_resource.clear()  # another server on the same store
    page = opened(dataset="karate")
    assert "15 validation nodes are too few" in " ".join(one.value for one in page.markdown)
    assert not job_manager()._jobs
    monkeypatch.setenv("PGCN_READ_ONLY", "1")
    assert opened(dataset="synthetic").button(key="advice_ask_0").disabled


def test_a_question_about_growing_can_be_stopped_and_asked_again(database):
    page = opened(dataset="synthetic")
    page.button(key="advice_ask_0").click().run()
    page.button(key="advice_stop").click().run()
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "cancelled"
    page.run()
    assert not page.exception and not page.button(key="advice_ask_0").disabled


def test_a_graph_of_the_command_line_is_drawn_already(database, tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,d\nd,a\n")
    (tmp_path / "nodes.csv").write_text("id,label,age\na,x,1\nb,y,2\nc,x,3\nd,y,4\n")
    how = [
        "--nodes",
        str(tmp_path / "nodes.csv"),
        "--edges",
        str(tmp_path / "edges.csv"),
        "--split",
        "fraction:0.5",
    ]
    assert main(["data", "add", "mine", *how]) == 0
    page = opened(dataset="mine")
    assert not job_manager()._jobs and not [button for button in page.button if button.key == "data_draw"]
    assert "**4** nodes" in page.markdown[1].value
