"""The Arena page: what is stored is shown, choices are in the link, opening a link starts nothing."""

import sys
from dataclasses import replace

import pytest
import streamlit as st
from small_arena import here
from streamlit.testing.v1 import AppTest
from tools import ROOT, wait_until

from pgcn.execution.execute import execute
from pgcn.methods.search.events import ArchitectureJudged
from pgcn.recorded import ASSETS, recorded_arena, write_arena
from pgcn.store import Store
from pgcn.studies.arena import contenders
from pgcn.studies.arena.paired import verdict
from pgcn.studies.arena.results import ArenaResults, stored_outcomes
from pgcn.studies.study import StudyRun
from pgcn.ui.arena.question import Question, question_from_query, task_of
from pgcn.ui.server import job_manager

SMALL = {"dataset": "karate", "methods": "gcn,sgc,mlp", "runs": "3"}
QUESTION = Question(dataset="karate", methods="gcn,sgc,mlp", runs=3)


@pytest.fixture(autouse=True)
def own_main(monkeypatch):
    """A page becomes the main module, which new processes would look for; afterwards it is ours again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store with a small arena on the karate club, and what it came to."""
    url = f"sqlite:///{tmp_path_factory.mktemp('arena') / 'runs.db'}"
    store = Store(url)
    for _ in StudyRun([QUESTION.arena], store, here):
        pass
    results = ArenaResults(stored_outcomes(QUESTION.arena, store))
    store.close()
    return url, results


@pytest.fixture
def at_store(monkeypatch):
    """Use a store on the page for the time of a test."""

    def use(url):
        monkeypatch.setenv("PGCN_STORE", url)
        st.cache_resource.clear()

    yield use
    monkeypatch.undo()
    job_manager().close()
    st.cache_resource.clear()


@pytest.fixture
def results(filled, at_store):
    at_store(filled[0])
    return filled[1]


@pytest.fixture
def empty(tmp_path, at_store):
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    at_store(url)
    return url


def opened(**query):
    page = AppTest.from_file(str(ROOT / "pages" / "arena.py"), default_timeout=60)
    page.query_params |= query
    return checked(page.run())


def checked(page):
    assert not page.exception
    return page


def words(page):
    kinds = (page.markdown, page.caption, page.error, page.warning, page.info)
    return " ".join(element.value for kind in kinds for element in kind).replace("\\", "").replace("\u2060", "")


def address(page):
    return {name: value[0] if isinstance(value, list) else value for name, value in page.query_params.items()}


def values_of(page, key):
    """Return what a component was given."""
    import json

    found = [part.proto for part in page.get("bidi_component") if part.proto.id.endswith(f"-{key}")]
    return json.loads(found[0].json)[1:]


def test_a_first_visitor_sees_published_figures_and_what_is_missing(empty):
    page = opened()
    recorded = (ASSETS / "arena.jsonl.gz").is_file()
    assert recorded or "Nothing has been measured on Cora yet" in words(page)
    kind, table = values_of(page, "arena_table_accuracy")
    gat = next(row for row in table["rows"] if row["name"] == "GAT")
    assert kind == "table" and gat["cells"][0]["text"] == "83.0 ± 0.7"
    assert "mean ± sd of 100 runs" in gat["cells"][0]["about"]
    assert recorded or "runs in" in words(page)  # an offer, with what it takes
    assert not job_manager()._jobs and address(page) == {}


def test_numbers_are_those_of_the_stored_runs(results):
    page = opened(**SMALL)
    _, table = values_of(page, "arena_table_accuracy")
    for row in table["rows"]:
        if row["key"]:
            cell = results.cell(QUESTION.arena.place, row["key"])
            assert row["cells"][0]["text"] == cell.test.text() and "3 runs" in row["cells"][0]["about"]
    assert {row["key"] for row in table["rows"]} == {"gcn", "sgc", "mlp"}  # the paper has no other row there
    assert "Karate club" in words(page)


def test_a_method_opens_the_runs_behind_it(results):
    page = opened(**SMALL, at="gcn")
    _, table = values_of(page, "arena_run_table")
    assert [row["key"] for row in table["rows"]] == list(results.cell(QUESTION.arena.place, "gcn").runs)
    checked(page.button(key="arena_all").click().run())
    assert "at" not in address(page)


@pytest.mark.parametrize("view", ["compare", "pair", "search", "train", "protocol"])
@pytest.mark.parametrize("figure", ["parameters", "best"])
def test_every_view_opens_and_starts_nothing(results, view, figure):
    page = opened(**SMALL, view=view, figure=figure, one="gcn", other="sgc")
    assert not job_manager()._jobs and address(page)["view" if view != "compare" else "dataset"]


@pytest.mark.parametrize("name", contenders())
def test_every_method_can_be_chosen_for_training(empty, name):
    assert opened(dataset="karate", view="train", train=name, budget="2").button(key="arena_train_start")


def test_a_search_is_trained_live_and_can_be_watched(empty):
    page = opened(dataset="karate", view="train", train="random", budget="2")
    checked(page.button(key="arena_train_start").click().run())
    [job] = job_manager()._jobs.values()
    assert job.wait(120) and job.status == "finished", job.error
    checked(page.run())
    assert "2 of 2 architectures; the papers try 1,000" in words(page)
    watched = opened(dataset="karate", view="search", budget="2", trial="1")
    assert "1 of 2 architectures" in words(watched)
    kind, values = values_of(watched, "arena_search_network")
    assert kind == "network" and len(values["frame"]["kinds"]) == 2


def test_a_first_visitor_watches_the_recorded_search(empty):
    page = opened(view="search", trial="20")
    assert "Recorded: came with the program" in words(page) and "GraphNAS on Cora: 20 of 100" in words(page)
    assert page.slider(key="arena_trial").value == 20
    other = opened(dataset="citeseer", view="search")
    assert "Recorded" not in words(other) and "No search has been run here on CiteSeer" in words(other)


def test_a_search_that_was_stopped_goes_on_where_it_was(empty):
    def judged(job):
        return sum(isinstance(one.event, ArchitectureJudged) for one in job.events())

    page = opened(dataset="karate", view="train", train="random", budget="1000")
    checked(page.button(key="arena_train_start").click().run())
    [first] = job_manager()._jobs.values()
    wait_until(lambda: judged(first), 60)
    checked(page.button(key="arena_train_stop").click().run())
    assert first.wait(60) and first.status == "cancelled"
    checked(page.run())
    assert page.button(key="arena_train_start").label == "Resume Random, GraphNAS's space, seed 0"
    checked(page.button(key="arena_train_start").click().run())
    second = next(job for job in job_manager()._jobs.values() if job is not first)
    wait_until(lambda: judged(second) > judged(first), 60)
    checked(page.button(key="arena_train_stop").click().run())
    assert second.wait(60) and second.status == "cancelled"


def test_the_papers_protocol_is_offered_with_all_that_is_missing(empty):
    page = opened(dataset="karate", view="protocol")
    wait_until(lambda: "900 of 900 runs" in words(checked(page.run())))
    assert page.button(key="arena_sweep") and not job_manager()._jobs


@pytest.mark.parametrize("rule", ["seeds", "choosing", "pairs", "cost"])
def test_the_tour_says_where_there_is_nothing_to_compare(empty, rule):
    page = AppTest.from_file(str(ROOT / "pages" / "learn.py"), default_timeout=60)
    page.query_params |= {"stop": "fair", "rule": rule}
    checked(page.run())
    recorded = (ASSETS / "arena.jsonl.gz").is_file()
    assert ("Measured." in words(page)) == recorded
    assert recorded or "Nothing has been recorded or computed on Cora yet" in words(page)


def test_recorded_runs_are_marked_and_can_be_trained_here(filled, empty, tmp_path, monkeypatch):
    own = {task.id: task for task in QUESTION.arena.tasks()}
    came = [replace(one, run=own[one.run].recorded_id) for one in filled[1].outcomes]
    write_arena(tmp_path / "arena.jsonl.gz", came)
    monkeypatch.setattr("pgcn.ui.arena.numbers.recorded_arena", lambda: recorded_arena(tmp_path / "arena.jsonl.gz"))
    page = opened(**SMALL)
    _, table = values_of(page, "arena_table_accuracy")
    assert all(row["cells"][1]["text"].endswith("†") for row in table["rows"]) and "recorded: included" in words(
        page
    )
    page = opened(**SMALL, at="gcn")
    assert "Their networks are not included" in words(page)
    checked(page.button(key="arena_train_it").click().run())
    assert address(page)["view"] == "train" and address(page)["seed"] == "0"
    pair = opened(**SMALL, view="pair", one="gcn", other="sgc")
    assert "All of it recorded" in words(pair) and not [one for one in pair.button if one.key == "arena_nodes"]
    store = Store(empty)
    for task in own.values():
        if task.seed == 1 and task.contender.name in ("gcn", "sgc"):
            execute([task.spec()], store, ids=[task.id]).finish()
    store.close()
    page = opened(**SMALL, at="gcn")
    _, table = values_of(page, "arena_run_table")
    assert [row["name"] for row in table["rows"]] == ["seed 1", "seed 0", "seed 1", "seed 2"]
    assert "over 3 runs" in words(page) and "1 run computed here" in words(page)
    assert page.button(key="arena_to_embedding")  # of the one that is here
    pair = opened(**SMALL, view="pair", one="gcn", other="sgc", pair="1")
    assert "All of it recorded" in words(pair) and pair.button(key="arena_nodes")


def test_choices_go_into_the_address_and_back_brings_the_one_before(results):
    page = opened(**SMALL)
    before = address(page)
    checked(page.segmented_control(key="arena_figure").set_value("seconds").run())
    assert address(page)["figure"] == "seconds"
    page.query_params.clear()
    page.query_params |= before  # as Back does
    checked(page.run())
    assert page.session_state["session_arena"].question.figure == "parameters"
    assert page.segmented_control(key="arena_figure").value == "parameters"


def test_two_methods_are_compared_in_pairs_and_nodes_are_looked_for_on_a_click(results):
    page = opened(**SMALL, view="pair", one="sgc", other="mlp")
    paired = results.paired(QUESTION.arena.place, "sgc", "mlp")
    assert verdict(paired, "SGC", "MLP") in words(page) and not job_manager()._jobs
    checked(page.button(key="arena_nodes").click().run())
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished", job.error
    checked(page.run())
    [found] = page.session_state["session_arena"].disagreements.values()
    difference = (len(found.only_one) - len(found.only_other)) / found.total
    assert 100 * difference == pytest.approx(paired.pairs[0].difference)


def test_a_question_goes_into_a_link_and_comes_back(at_store, empty):
    question = Question(
        dataset="citeseer",
        view="pair",
        figure="best",
        methods="gcn,gat",
        split="random:20",
        splits=3,
        one="gat",
        runs=5,
        best_of=3,
        seed=4,
    )
    assert question_from_query(question.to_query()) == (question, [])
    assert Question().to_query() == {}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"view": "up"}, "view must be one of"),
        ({"methods": "gcnn"}, "No method named 'gcnn'"),
        ({"runs": "0"}, "runs must be at least 1"),
        ({"runs": "100", "split": "random:20", "splits": "20"}, "at most 2,000 runs"),
        ({"splits": "2"}, "one public split"),
        ({"dataset": "corra"}, "corra"),
        ({"nonsense": "1"}, "unknown settings: nonsense"),
    ],
)
def test_what_a_link_asks_for_and_cannot_be_is_said(empty, query, said):
    assert said in words(opened(**query))


def test_a_run_is_trained_live_and_counts_in_the_table(empty):
    page = opened(**SMALL, view="train", train="sgc")
    assert not job_manager()._jobs
    checked(page.button(key="arena_train_start").click().run())
    [job] = job_manager()._jobs.values()
    wait_until(lambda: job.ended, 60)
    assert job.status == "finished", job.error
    checked(page.run())
    assert address(page)["seed"] == "0"
    store = Store(empty)
    [outcome] = stored_outcomes(QUESTION.arena, store)
    assert outcome.contender == "sgc" and outcome.run == task_of(replace(QUESTION, train="sgc")).id
    store.close()
    assert f"{100 * outcome.test_accuracy:.1f} %" in words(page)


def test_what_is_missing_is_computed_on_a_click_and_can_be_stopped(empty):
    page = opened(**SMALL)
    checked(page.button(key="arena_compute").click().run())
    [job] = job_manager()._jobs.values()
    assert "job" in address(page)
    checked(page.button(key="arena_stop").click().run())
    assert job.wait(60) and job.status == "cancelled"
    checked(page.run())
    assert page.button(key="arena_compute")  # the rest is offered
