"""The Difficulty page in a real browser: ask, run, stop, look closely, take away."""

import re

import pytest
from tools import address, press, unexpected, wait_until, watched_tab

from pgcn.store import Store
from pgcn.studies.difficulty import Study, study_growth
from pgcn.studies.results import Results, finding, stored_outcomes
from pgcn.studies.running import StudyRun
from pgcn.ui.difficulty_asked import Asked, asked_from_query

GROWTH = {"epochs": 4, "max_layers": 1, "max_width": 10}
QUERY = "datasets=synthetic&dims=5,20&experiments=2&methods=pgcn-ce,gcn&epochs=4&max_layers=1&max_width=10"
STUDY = Study(dataset="synthetic", dims=(5, 20), experiments=2, growth=study_growth(**GROWTH))


@pytest.fixture
def page(window):
    errors = []
    page = watched_tab(window, errors, height=1800)
    page.set_default_timeout(60_000)
    yield page
    page.close()
    assert unexpected(errors) == []


def words(page, text, seconds=60):
    page.get_by_text(text).first.wait_for(timeout=1000 * seconds)


def click_mark(page, chart, number):
    """Click the ``number``-th mark of the first method of a chart."""
    page.wait_for_selector(f".st-key-{chart} .js-plotly-plot .scatterlayer .points path")
    page.locator(f".st-key-{chart}").scroll_into_view_if_needed()
    spot = page.evaluate(
        """([chart, number]) => {
          const plot = document.querySelector(`.st-key-${chart} .js-plotly-plot`);
          const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
          const line = plot._fullData.find((trace) => trace.customdata);
          const right = xaxis._offset + xaxis.d2p(line.x[number]), down = yaxis._offset + yaxis.d2p(line.y[number]);
          return [box.x + right, box.y + down];
        }""",
        [chart, number],
    )
    page.mouse.move(*spot)
    page.mouse.click(*spot)


def test_a_study_is_run_on_the_page_and_every_point_opens_what_is_behind_it(server, page):
    page.goto(f"{server.url}/difficulty?{QUERY}")
    words(page, "None of the 8 runs of this question were computed here yet")
    press(page, "study_run")
    words(page, "All 8 runs of this question were computed here", 180)  # other tests may need the cores too
    store = Store(server.store)
    results = Results(stored_outcomes(STUDY, store))
    assert len(results.outcomes) == 8
    for place in results.places:
        words(page, finding(results, place, "pgcn-ce", "gcn"))
    click_mark(page, "study_synthetic_accuracy", 1)
    wait_until(lambda: "at=synthetic%3A20%3A50" in address(page))
    words(page, "Synthetic, D' = 20, 50 % labelled")
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
    words(page, re.compile(r"[1-7] of 8 runs have ended"), 120)
    press(page, "study_stop")
    words(page, re.compile(r"[1-7] of 8 runs of this question were computed here"))
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
    words(page, "4 of the 4 runs at this place are not known yet")
    page.goto(f"{server.url}/difficulty?{QUERY}&at=synthetic:5:50")
    words(page, "The runs behind it")


def test_a_first_visitor_sees_recorded_numbers_at_once(server, page):
    page.goto(f"{server.url}/difficulty")
    words(page, "all recorded (hollow marks): computed on another machine in the reproducible mode")
    page.wait_for_selector(".st-key-study_cora_accuracy .js-plotly-plot .points path")
    page.wait_for_selector(".st-key-study_cora_parameters .js-plotly-plot .points path")
    words(page, "Where the lead comes from")


def test_what_a_link_asks_for_and_cannot_be_is_said(server, page):
    page.goto(f"{server.url}/difficulty?dims=0&rates=100&methods=gat&axis=up&nonsense=1")
    for sentence in (
        "got 0",
        "got 100.0",
        "No method named 'gat'",
        "axis must be one of",
        "not a setting: nonsense",
    ):
        words(page, sentence)


def test_a_question_goes_into_a_link_and_comes_back():
    asked = Asked(
        datasets=("cora", "pubmed"), dims=(10, 500, 1433), rates=(5.2, 50.0), experiments=4,
        methods=("pgcn-ce", "gcn"), preset="tuned", changes={"epochs": 7, "bias": True}, axis="ratio",
    )  # fmt: skip
    assert asked_from_query(asked.to_query()) == (asked, [])
    assert [study.dims for study in asked.studies] == [(10, 500, 1433), (10, 500)]
    assert asked.left_out == ["PubMed has 500 features: D' = 1,433 is left out there."]
    assert Asked().to_query() == {}
    assert "--dims 10,500,1433 --rates 5.2,50" in asked.command() and "bias=true" in asked.command()
