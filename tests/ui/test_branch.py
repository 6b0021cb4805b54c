"""A branch is grown from a saved run on the Grow page; the Runs page and what is copied tell its parent."""

import shlex

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from tools import ROOT, wait_until

from pgcn.cli import main
from pgcn.events import opening
from pgcn.execution.execute import branch_execution, execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.ui.grow.branch import NOTHING_DIFFERS, begin_branch
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.grow.settings import settings_of_run
from pgcn.ui.runs.again import as_bibtex, as_command, as_python
from pgcn.ui.server import job_manager
from pgcn.ui.server import store as shared_store
from pgcn.views.event_log import frames_of
from pgcn.views.family import family_rows, frame_after

PARENT, CHILD, GRANDCHILD = "a" * 32, "b" * 32, "c" * 32
CONFIG = growth_preset(epochs=10, max_layers=2, max_width=15, epsilon_b=-1.0, epsilon_l=-1.0)


@pytest.fixture
def database(tmp_path, monkeypatch):
    """A store with a saved run."""
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    monkeypatch.setenv("PGCN_STORE", url)
    st.cache_resource.clear()
    st.cache_data.clear()
    store = Store(url)
    execute(
        [RunSpec(method="pgcn", config=CONFIG, source=GraphSource(name="karate"))], store, ids=[PARENT]
    ).finish()
    yield store
    store.close()
    monkeypatch.undo()
    job_manager().close()
    st.cache_resource.clear()


@pytest.fixture
def family(database):
    branch_execution(database, PARENT, 2, {"seed": 4, "dropout": 0.1}, run=CHILD).finish()
    branch_execution(database, CHILD, 4, {"loss": "mse"}, run=GRANDCHILD).finish()
    return database


def opened(page="grow", **query):
    test = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=60)
    test.query_params |= query
    test.run()
    assert not test.exception
    return test


def link(page):
    return {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}


def grown_branch(page):
    """Return the id of the branch that a page grows, when it has ended."""
    run = link(page)["run"]
    wait_until(lambda: run in shared_store().find([run]) and shared_store().run(run).status == "finished", 60)
    return run


def test_a_branch_is_grown_from_the_step_and_with_the_settings_that_were_chosen(database):
    page = opened(run=PARENT, branch="2")
    assert page.selectbox(key="branch_step").value == 2
    assert page.selectbox(key="branch_step").proto.default == 1  # told twice, for a browser that is slow to draw it
    assert page.button(key="branch_start").disabled and NOTHING_DIFFERS in [said.value for said in page.info]
    page.number_input(key="branch_of_seed").set_value(9).run()
    page.selectbox(key="branch_of_loss").select("mse").run()
    page.selectbox(key="branch_step").select(3).run()
    assert link(page)["branch"] == "3" and link(page)["branch_seed"] == "9" and link(page)["branch_loss"] == "mse"
    assert "loss ce → mse, seed 0 → 9" in " ".join(text.value for text in page.markdown)
    page.button(key="branch_start").click().run()
    assert not page.exception and link(page)["of"] == PARENT
    run = grown_branch(page)
    started = opening(database.events(run))
    assert (started.parent["run"], started.parent["step"]) == (PARENT, 3)
    assert (started.config["seed"], started.config["loss"], started.config["epochs"]) == (9, "mse", 10)
    assert database.run(run).creator  # it belongs to who has grown it


def test_a_link_that_lets_the_visitor_decide_is_told_to_its_switch_twice(database):
    assert opened(dataset="karate", decider="person").toggle(key="steer").proto.default


def test_a_link_to_a_branch_to_be_grown_says_what_of_it_cannot_be_used(database):
    page = opened(run=PARENT, branch="99", branch_seed="-1", branch_dropout="0.3")
    assert any("seed must be at least 0" in warning.value for warning in page.warning)
    assert page.selectbox(key="branch_step").value == 6  # the last there is
    assert page.number_input(key="branch_of_dropout").value == 0.3
    page.button(key="branch_cancel").click().run()
    assert "branch" not in link(page) and not page.exception
    assert not [button for button in page.button if button.key == "branch_start"]


def test_a_seed_that_no_browser_can_hold_is_text(database):
    huge = 2**60
    spec = RunSpec(method="pgcn", config=CONFIG.change(seed=huge), source=GraphSource(name="karate"))
    execute([spec], database, ids=["d" * 32]).finish()
    page = opened(run="d" * 32, branch="1")
    assert page.text_input(key="branch_of_seed").value == str(huge)
    page.text_input(key="branch_of_seed").set_value("12").run()
    assert not page.exception and link(page)["branch_seed"] == "12"


def test_what_was_edited_in_the_sidebar_is_a_change_of_the_branch(database):
    base = settings_of_run(opening(database.events(PARENT)))
    session = GrowSession(run=PARENT, base=base, settings=base.change(seed=3, dataset="cora"))
    begin_branch(session)
    assert session.branching.step == 6 and session.branching.changes == {"seed": 3}  # the graph stays
    session.settings = base.with_value("bias", True).with_value("epochs", 5)
    begin_branch(session, 2)
    assert session.branching.step == 2 and session.branching.changes == {"epochs": 5}  # and so does the bias
    begin_branch(session, 7)
    assert session.problems == ["No block has been accepted there: a branch grows on from an accepted block."]


def test_whoever_may_start_runs_may_branch_from_another_visitor_s_and_owns_the_branch(database, monkeypatch):
    monkeypatch.setenv("PGCN_OWNERSHIP", "1")
    page = opened(run=PARENT, branch="1", branch_seed="5")  # nobody's: it was made on the command line
    page.button(key="branch_start").click().run()
    branch = database.run(grown_branch(page))
    assert branch.creator and branch.creator != database.run(PARENT).creator == ""


def test_nobody_branches_where_nothing_may_be_started(database, monkeypatch):
    monkeypatch.setenv("PGCN_READ_ONLY", "1")
    page = opened(run=PARENT, branch="2")
    assert not [button for button in page.button if button.key == "branch_start"]


def test_the_family_is_a_tree_that_says_what_each_branch_changed_and_reached(family):
    runs = family.family(CHILD)
    rows = family_rows(runs, family.openings([run.id for run in runs]), CHILD)
    assert [(row["id"], row["depth"], row["shown"]) for row in rows] == [
        (PARENT, 0, False),
        (CHILD, 1, True),
        (GRANDCHILD, 2, False),
    ]
    assert rows[0]["name"] == "Karate club, seed 0" and rows[0]["point"] == ""
    assert (rows[1]["point"], rows[1]["changes"]) == ("L1·B2", "dropout 0.5 → 0.1, seed 0 → 4")
    assert (rows[2]["point"], rows[2]["changes"]) == ("L2·B1", "loss ce → mse")
    child = family.run(CHILD)
    assert (
        rows[1]["reached"] == f"test {100 * child.scores['test_accuracy']:.1f} % · {child.parameters:,} parameters"
    )


def test_the_link_to_the_parent_leads_to_the_step_where_the_branch_begins(family):
    events = family.events(CHILD)
    frame = frames_of(family.events(PARENT))[frame_after(events, 2)]
    assert (frame.kind, frame.title, frame.network) == ("accepted", "Layer 1, block 2 accepted", 2)
    assert frame_after(events, 99) is None
    begins = [frame.short.endswith("The branch begins") for frame in frames_of(events)]
    assert sum(begins) == 1 and begins[frame_after(events, 2)]
    assert f"A branch of run {PARENT[:8]}: up to L1·B2 the same" in frames_of(events)[0].sentence


def test_a_family_whose_middle_was_deleted_still_opens(family):
    family.delete(CHILD)
    for page in (opened(run=GRANDCHILD), opened("runs", run=GRANDCHILD), opened("runs", run=PARENT)):
        assert not page.exception


def test_what_is_copied_of_a_branch_grows_that_branch(family, capsys):
    child, started = family.run(CHILD), opening(family.events(CHILD))
    command = as_command(RunSpec.of(started), started.parent)
    assert command == f"pgcn branch {PARENT} --step 2 --set dropout=0.1 seed=4"
    before = {run.id for run in family.runs()}
    assert main(shlex.split(command)[1:]) == 0
    [again] = [run for run in family.runs() if run.id not in before]
    assert (again.topology, again.scores, again.parent) == (child.topology, child.scores, PARENT)
    capsys.readouterr()
    exec(compile(as_python(RunSpec.of(started), started.parent), "script", "exec"), {})
    assert capsys.readouterr().out.strip() == f"{child.topology} {child.scores['test_accuracy']}"


def test_the_citation_of_a_branch_tells_all_it_descends_from(family):
    run = family.run(GRANDCHILD)
    told = as_bibtex(run, opening(family.events(GRANDCHILD)))
    assert "--dataset karate" in told and "--seed 0" in told  # the first of the family
    assert told.index("branched at L1·B2 with dropout=0.1 seed=4") < told.index("branched at L2·B1 with loss=mse")
    assert f"parent: run {CHILD}" in told
