"""The Difficulty page in a real browser: ask, run, stop, look closely, export."""

import re

import pytest
from tools import OVERFLOW, address, one_tab, press, wait_until, words

from pgcn.store import Store
from pgcn.studies.difficulty import Study, study_growth
from pgcn.studies.difficulty.results import Results, stored_outcomes
from pgcn.studies.difficulty.words import headline
from pgcn.studies.study import StudyRun
from pgcn.ui.difficulty.question import Question, question_from_query

GROWTH = {"epochs": 4, "max_layers": 1, "max_width": 10}
QUERY = "datasets=synthetic&dims=5,20&experiments=2&methods=pgcn-ce,gcn&epochs=4&max_layers=1&max_width=10"
STUDY = Study(dataset="synthetic", dims=(5, 20), experiments=2, growth=study_growth(**GROWTH))


@pytest.fixture
def page(window):
    with one_tab(window, height=1800) as page:
        yield page


def click_mark(page, chart, number):
    """Click the ``number``-th mark of the first method of a chart."""
    page.wait_for_selector(f".st-key-{chart} .js-plotly-plot .scatterlayer .points path")
    page.locator(f".st-key-{chart}").scroll_into_view_if_needed()
    spot = page.evaluate(
        """([chart, number]) => {
          const plot = document.querySelector(`.st-key-${chart} .js-plotly-plot`);
          const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
          const line = plot._fullData.find((trace) => trace.mode === "lines+markers");
          const right = xaxis._offset + xaxis.d2p(line.x[number]), down = yaxis._offset + yaxis.d2p(line.y[number]);
          return [box.x + right, box.y + down];
        }""",
        [chart, number],
    )
    page.mouse.move(*spot)
    page.mouse.click(*spot)


def test_a_study_is_run_on_the_page_and_every_point_opens_what_is_behind_it(server, page):
    page.goto(f"{server.url}/difficulty?{QUERY}")
    words(page, re.compile("8 runs, .* in "))
    press(page, "study_run")
    words(page, "All runs were computed here", 180)  # other tests may need the cores too
    store = Store(server.store)
    results = Results(stored_outcomes(STUDY, store))
    assert len(results.outcomes) == 8
    said = headline(results, results.places, "gcn", "dims", 500)
    words(page, f"Synthetic: {said[0].lower()}{said[1:]}")
    page.set_viewport_size({"width": 1440, "height": 900})
    click_mark(page, "study_chart", 1)
    wait_until(lambda: "at=synthetic%3A20%3A50" in address(page))
    words(page, "D' = 20")
    chart, beside = (page.locator(f".st-key-study_{name}").bounding_box() for name in ("chart", "place"))
    assert beside["x"] >= chart["x"] + chart["width"] and abs(beside["y"] - chart["y"]) < 40
    assert beside["y"] >= 0 and beside["y"] + 200 < 900  # in view
    run = next(one for one in results.outcomes if (one.method, one.dims, one.experiment) == ("pgcn-ce", 20, 0))
    # The page has just been drawn anew: a file offered by the run before it is not there any more.
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    with page.expect_download() as download:
        press(page, "study_csv")
    assert download.value.path().read_text().count("\n") == 9
    press(page, f"open_{run.run}")
    page.wait_for_function("document.querySelector('.pgcn')?.dataset.topology !== undefined")
    wait_until(lambda: f"run={run.run}" in address(page))
    store.close()


def test_stop_keeps_what_has_ended_and_running_again_goes_on(server, page):
    page.goto(f"{server.url}/difficulty?{QUERY.replace('epochs=4', 'epochs=3000')}")
    press(page, "study_run")
    words(page, re.compile(r"[1-7] of 8 runs ended"), 120)
    press(page, "study_stop")
    words(page, re.compile(r"[1-7] of 8 runs computed here so far"))
    assert page.locator(".st-key-study_run button").first.inner_text().endswith("Run the rest")
    study = Study(
        dataset="synthetic", dims=(5, 20), experiments=2, growth=study_growth(**{**GROWTH, "epochs": 3000})
    )
    store = Store(server.store)
    kept = {run.id: run.created for run in store.runs()}
    again = StudyRun([study], store)
    assert 0 < len(again.missing) < 8
    assert {task.id for task in again.tasks} - {task.id for task in again.missing} <= kept.keys()
    store.close()


def test_the_slider_shows_what_is_known_and_offers_what_is_not(server, page):
    page.goto(f"{server.url}/difficulty?{QUERY}&at=synthetic:50:50")
    words(page, "4 of 4 runs missing here")
    page.goto(f"{server.url}/difficulty?{QUERY}&at=synthetic:5:50")
    words(page, re.compile(r"^Experiment 0: \d+\.\d %"))


def test_a_first_visitor_sees_recorded_numbers_at_once(server, page):
    page.goto(f"{server.url}/difficulty")
    words(page, "Recorded: 90 runs")
    page.wait_for_selector(".st-key-study_chart .js-plotly-plot .points path")
    page.wait_for_selector(".st-key-study_origins .js-plotly-plot .bars path")
    finding, numbers = (page.locator(f".st-key-study_finding {tag}").bounding_box() for tag in ("h3", "p"))
    assert finding["y"] + finding["height"] <= numbers["y"] + 1
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('.st-key-study_chart').getBoundingClientRect().width < 390")
    wait_until(lambda: page.evaluate(OVERFLOW) == [], page=page)


def test_what_a_link_asks_for_and_cannot_be_is_said(server, page):
    page.goto(f"{server.url}/difficulty?dims=0&rates=100&methods=gat&axis=up&nonsense=1")
    for sentence in (
        "got 0",
        "got 100.0",
        "No method named 'gat'",
        "axis must be one of",
        "unknown settings: nonsense",
    ):
        words(page, sentence)


def test_a_question_goes_into_a_link_and_comes_back():
    question = Question(
        datasets=("cora", "pubmed"),
        dims=(10, 500, 1433),
        rates=(5.2, 50.0),
        experiments=4,
        methods=("pgcn-ce", "gcn"),
        preset="tuned",
        changes={"epochs": 7, "bias": True},
        axis="ratio",
        show="difference",
        rival="matched-gcn",
    )
    assert question_from_query(question.to_query()) == (question, [])
    assert [study.dims for study in question.studies] == [(10, 500, 1433), (10, 500)]
    assert question.left_out == ["PubMed has 500 features: D' = 1,433 is left out there."]
    assert Question().to_query() == {}
    assert "--dims 10,500,1433 --rates 5.2,50" in question.command() and "bias=true" in question.command()
