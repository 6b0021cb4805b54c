"""Opening a link shows what is stored and offers the rest; it starts nothing."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from tools import ROOT, wait_until

from pgcn.data import load_graph
from pgcn.embeddings.estimate import embedding_memory, embedding_seconds
from pgcn.embeddings.plan import EmbeddingConfig, plan_embedding
from pgcn.execution.recorder import record_runs
from pgcn.execution.start import grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store
from pgcn.ui.server import job_manager


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A short stored run in a store of its own."""
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    store = Store()
    runs = grow_many(
        load_graph("synthetic", nodes=150, classes=3), [growth_preset(epochs=5, max_layers=1, max_width=5)]
    )
    [recorder] = record_runs(runs, store)
    runs.finish()
    store.close()
    yield recorder.run
    monkeypatch.undo()
    job_manager().close()
    st.cache_resource.clear()


def opened(page, **query):
    test = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=60)
    test.query_params |= query
    test.run()
    assert not test.exception
    return test


def words(test):
    shown = " ".join(element.value for kind in (test.markdown, test.error, test.warning) for element in kind)
    return shown.replace("\\_", "_")  # as a browser shows it


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_link_to_an_embedding_offers_it_and_a_click_starts_it(run, seed):
    page = opened("embedding", run=run, seed=seed, method="pca")
    assert "0 of 2 embeddings are ready; the rest takes about" in words(page)
    assert job_manager().unended == 0 and "job" not in page.query_params
    page.button(key="embedding_resume").click().run()
    assert not page.exception
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished"
    assert "are ready" not in words(page.run())


def test_who_comes_from_another_page_has_asked_for_the_embedding_by_that_click(run):
    page = AppTest.from_file(str(ROOT / "pages" / "embedding.py"), default_timeout=60)
    page.session_state["page_now"] = "grow"
    page.run()
    assert not page.exception
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished"
    assert "are ready" not in words(page.run())


def test_an_embedding_that_is_too_large_is_refused_in_words(run, monkeypatch):
    monkeypatch.setenv("PGCN_MAX_MEMORY", "1M")
    page = opened("embedding", run=run, nodes="all")
    page.button(key="embedding_resume").click().run()
    assert "MB of memory; a job may take 1 MB here (PGCN_MAX_MEMORY)" in words(page)
    assert job_manager().unended == 0 and not job_manager()._jobs


def test_a_link_to_a_run_trains_no_baseline(run):
    page = opened("grow", run=run)
    assert "There is no GCN baseline on this graph yet." in words(page) and not job_manager()._jobs
    page.button(key="baseline").click().run()
    [job] = job_manager()._jobs.values()
    assert not job.keep_running
    wait_until(lambda: job.ended, 60)
    wait_until(lambda: "GCN baseline" not in words(page.run()))  # it is there: the header compares with it


def test_a_link_to_a_run_computes_what_its_blocks_learned_only_when_asked(run):
    page = opened("grow", run=run)
    assert not job_manager()._jobs
    page.button(key="next_inside").click().run()
    assert not page.exception
    [job] = job_manager()._jobs.values()
    assert job.wait(60) and job.status == "finished"
    page.run()
    assert "next_inside" not in [button.key for button in page.button]


def test_a_limit_that_cannot_be_read_is_said_on_the_page(run, monkeypatch):
    monkeypatch.setenv("PGCN_MAX_MEMORY", "lots")
    assert "PGCN_MAX_MEMORY must be an amount of memory" in words(opened("grow"))


def test_what_an_embedding_takes_grows_with_the_nodes_and_is_known_beforehand(run):
    store = Store()
    plan = plan_embedding(store, run, EmbeddingConfig())
    few, all_of_them = EmbeddingConfig(nodes=50), EmbeddingConfig(nodes="all")
    assert embedding_memory(plan, few).now < embedding_memory(plan, all_of_them).now < 2**27
    assert embedding_seconds(plan, few, 2) < embedding_seconds(plan, all_of_them, 2) < 10
    object.__setattr__(plan.started, "nodes", 1_000_000)
    object.__setattr__(plan.started, "features", 500)
    assert embedding_memory(plan, all_of_them).now > 10 * 2**30
    assert embedding_seconds(plan, all_of_them, 2) > 600
    store.close()


def test_a_number_in_a_link_reads_back_as_the_same_number():
    from pgcn.ui.difficulty.question import question_from_query

    question, problems = question_from_query({"rates": "10.00001,50", "at": "cora:30:10.00001"})
    assert not problems and question.rates == (10.00001, 50.0)
    assert question.to_query()["rates"] == "10.00001,50"
    assert question_from_query(question.to_query())[0] == question
