"""A server is killed while runs grow on it: what was accepted or decided is there, and every run is resumed."""

from types import SimpleNamespace

import pytest
from tools import Server, address, press, unexpected, wait_until, watched_tab

from pgcn.events import RunFinished
from pgcn.execution.execute import branch_execution, execute
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAwaited, BlockJudged
from pgcn.source import GraphSource
from pgcn.store import Store

LONG = {"seed": 5, "max_layers": 1, "max_width": 25, "epsilon_b": -1, "epochs": 1200}
STEERED = "dataset=karate&epochs=30&max_layers=3&max_width=15&decider=person&seed=3"
PARENT, CHANGES = "a" * 32, {"seed": 7, "epochs": 1500}
"""Of the branch: its blocks take a moment."""


def number_of(store, run, kind):
    return sum(isinstance(event, kind) for event in store.events(run))


def run_of(page, parent=""):
    signs = ("run=", f"of={parent}") if parent else ("run=",)
    wait_until(lambda: all(sign in address(page) for sign in signs), page=page)
    return address(page).split("run=")[1].split("&")[0]


def asks(page, words):
    page.locator(".st-key-decide").get_by_text(words).wait_for(timeout=60_000)


@pytest.fixture(scope="module")
def killed(tmp_path_factory, data_dir, window):
    """A server that was killed while one run trained, one asked and one was paused, and started again."""
    with Server(tmp_path_factory.mktemp("killed"), data_dir) as server:
        store, links, runs = Store(server.store), {}, {}
        config = growth_preset(epochs=20, max_layers=2, max_width=15, epsilon_b=-1.0, epsilon_l=-1.0)
        parent = RunSpec(method="pgcn", config=config, source=GraphSource(name="karate"))
        execute([parent], store, ids=[PARENT]).finish()
        pages = {name: watched_tab(window, []) for name in ("steered", "long", "branch")}
        pages["steered"].goto(f"{server.url}/?{STEERED}")
        press(pages["steered"], "grow")
        for block in (1, 2):
            asks(pages["steered"], f"Layer 1, block {block}.")
            press(pages["steered"], "decide_accept")
        asks(pages["steered"], "Layer 1, block 3.")
        pages["long"].goto(f"{server.url}/?run=none&{'&'.join(f'{name}={value}' for name, value in LONG.items())}")
        for _ in range(2):
            press(pages["long"], "step")
            pages["long"].locator(".st-key-resume").wait_for(timeout=60_000)
        changes = "&".join(f"branch_{name}={value}" for name, value in CHANGES.items())
        pages["branch"].goto(f"{server.url}/?run={PARENT}&branch=2&{changes}")
        press(pages["branch"], "branch_start")
        press(pages["branch"], "pause")
        pages["branch"].locator(".st-key-resume").wait_for(timeout=60_000)
        for name, page in pages.items():
            runs[name], links[name] = run_of(page, PARENT if name == "branch" else ""), address(page)
        press(pages["long"], "resume")
        pages["long"].locator(".st-key-pause").wait_for()
        server.kill()
        before = {name: store.events(run) for name, run in runs.items()}
        for name, run in runs.items():
            wait_until(lambda run=run: store.run(run).status == "interrupted")
            pages[name].close()
        server.start()
        server.wait()
        yield SimpleNamespace(store=store, links=links, runs=runs, before=before)
        store.close()


@pytest.fixture
def resumed(killed, window):
    """Open a run's link and resume it; an error in the console fails the test."""
    errors, pages = [], []

    def resume(name):
        pages.append(watched_tab(window, errors))
        pages[0].goto(killed.links[name])
        press(pages[0], "resume_stored")
        return pages[0]

    yield resume
    pages[0].close()
    assert unexpected(errors) == []


def test_no_judged_block_is_lost_and_the_run_ends_as_it_would_have(killed, resumed, cora):
    before, run = killed.before["long"], killed.runs["long"]
    assert sum(isinstance(event, BlockJudged) for event in before) >= 2
    resumed("long").locator(".st-key-summary").wait_for(timeout=90_000)
    after = killed.store.events(run)
    last = max(i for i, event in enumerate(before) if isinstance(event, BlockJudged))
    assert after[: last + 1] == before[: last + 1]
    assert after[-1].status == "finished"
    alone = grow(cora, growth_preset(**LONG | {"epsilon_b": -1.0})).finish()
    assert after[-1].topology == alone.topology and after[-1].scores == alone.scores


def test_no_decision_is_lost_and_the_next_is_asked_again(killed, resumed):
    page, run = resumed("steered"), killed.runs["steered"]
    asks(page, "Layer 1, block 3.")
    press(page, "decide_stop")
    page.locator(".st-key-summary").wait_for(timeout=90_000)
    events = killed.store.events(run)
    assert number_of(killed.store, run, BlockAwaited) == 3
    assert isinstance(events[-1], RunFinished) and events[-1].topology == (15,)


def test_a_branch_ends_as_it_would_have(killed, resumed):
    page, run = resumed("branch"), killed.runs["branch"]
    page.locator(".pgcn.family .from").get_by_text("at L1·B2").wait_for()
    page.locator(".st-key-summary").wait_for(timeout=90_000)
    again = "b" * 32
    branch_execution(killed.store, PARENT, 2, CHANGES, run=again).finish()
    there, alone = killed.store.run(run), killed.store.run(again)
    assert (there.topology, there.scores) == (alone.topology, alone.scores)
