"""The Difficulty page without a browser: it starts where results are, and says where there are none."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pgcn.store import Store
from pgcn.studies.difficulty import CONTENDERS
from pgcn.studies.difficulty.results import Outcome, Results
from pgcn.ui.difficulty.question import Question
from pgcn.ui.difficulty.shown import on_data_set, shown_line, shown_place, where_else
from pgcn.ui.server import job_manager

PAGE = Path(__file__).parents[2] / "pages" / "difficulty.py"


def outcome(dims, rate, dataset="cora", method="gcn", experiment=0):
    return Outcome(
        dataset=dataset,
        dims=dims,
        rate=rate,
        experiment=experiment,
        method=method,
        run=f"{dataset}{dims}{rate}{method}",
        status="finished",
        topology=(16,),
        parameters=100,
        seconds=1.0,
        labelled_accuracy=1.0,
        val_accuracy=0.8,
        test_accuracy=0.8,
    )


def test_the_chart_starts_where_results_are():
    question = Question(dims=(10, 30), rates=(5.2, 50.0))
    results = Results([outcome(30, 50.0), outcome(30, 50.0, method="pgcn-ce"), outcome(10, 5.2)])
    place = shown_place(question, results)
    assert (place.dims, place.rate) == (30, 50.0)
    assert [(one.dims, one.rate) for one in shown_line(question, results, place)] == [(10, 50.0), (30, 50.0)]
    along = question.change(axis="rate")
    assert [one.rate for one in shown_line(along, results, shown_place(along, results))] == [5.2, 50.0]


def test_the_place_of_a_link_is_shown_also_where_there_are_no_results():
    question = Question(dims=(10, 30), rates=(5.2, 50.0))
    results = Results([outcome(30, 50.0)])
    asked = question.change(at=question.place("cora", 10, 5.2))
    assert shown_place(asked, results) == asked.at
    assert where_else(results, ("cora", 5.2), "dims") == "Known so far: 1 run at 50 % labelled."
    assert where_else(results, ("pubmed", 50.0), "dims") == "Nothing of this data set is known yet."
    elsewhere = question.change(at=question.place("cora", 20, 30.0))  # a line that the question does not have
    assert {one.rate for one in shown_line(elsewhere, results, elsewhere.at)} == {50.0}


def test_another_data_set_opens_at_the_nearest_place_with_results():
    question = Question(datasets=("cora", "pubmed"), dims=(10, 30, 100))
    results = Results([outcome(10, 50.0), outcome(30, 50.0, "pubmed"), outcome(100, 50.0, "pubmed")])
    assert on_data_set(question, results, question.place("cora", 10, 50.0), "pubmed").dims == 30


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open the page with a store of its own."""
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()

    def open_page(**query):
        page = AppTest.from_file(str(PAGE), default_timeout=60)
        page.query_params |= query
        page.run()
        assert not page.exception
        return page

    yield open_page
    job_manager().close()
    st.cache_resource.clear()


def words(page):
    """All that the page says, as a browser shows it."""
    kinds = (page.markdown, page.caption, page.info, page.error, page.warning)
    return " ".join(element.value for kind in kinds for element in kind).replace("\\", "")


def test_with_two_label_rates_the_page_opens_at_the_one_with_results(opened):
    page = opened(rates="5.2,50")
    assert page.select_slider(key="study_fixed").value == 50.0
    finding = (
        "Cora: at 10 features growing beats GCN by 40 points; with all 1,433 there is no significant difference"
    )
    assert finding in words(page)
    page.select_slider(key="study_fixed").set_value(5.2).run()
    assert not page.exception and page.query_params["at"] in ("cora:10:5.2", ["cora:10:5.2"])
    assert "No results at 5.2 % labelled yet. Known so far: 90 runs at 50 % labelled." in words(page)


def test_a_first_visitor_is_told_what_was_recorded_and_can_compute_it_again(opened):
    page = opened()
    assert "Recorded: 90 runs" in words(page) and "Computed here: " not in words(page)
    assert page.button(key="study_run").label == "Recompute here"
    assert "Where the lead comes from" in words(page) and "D' = 10" in words(page)


def test_what_is_chosen_on_the_page_is_in_its_link_and_shown(opened):
    page = opened(datasets="cora,pubmed")
    page.segmented_control(key="study_rival").set_value("matched-gcn").run()
    page.segmented_control(key="study_show").set_value("difference").run()
    page.segmented_control(key="study_at").set_value("pubmed").run()
    assert not page.exception
    query = {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}
    assert (query["rival"], query["show"], query["at"]) == ("matched-gcn", "difference", "pubmed:10:50")
    assert "PubMed" in words(page) and CONTENDERS["matched-gcn"].about.split(";")[0][:30] in words(page)


def test_a_graph_without_results_is_not_an_empty_page(opened):
    page = opened(datasets="synthetic", dims="5,20")
    assert "There are no results for this question yet." in words(page)
    assert page.button(key="study_run").label == "Run"
    assert Store().runs() == []
