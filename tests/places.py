"""Every page of a dashboard, with something to see on it."""

from e2e.test_doors import SIGNS

from pgcn.execution.execute import branch_execution, execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.ui.arena.question import VIEWS
from pgcn.ui.learn.stops import STOPS

SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"


def every_place(server, page):
    """Open every page in a tab, one after the other, and yield its address when its content is there.

    Runs are stored only after the pages that show what was recorded.
    """
    views = {f"arena?view={view}": ".st-key-arena_top" for view in VIEWS if view != "compare"}
    stops = {f"learn?stop={name}": ".st-key-lesson_title" for name in STOPS}
    for address, sign in {**SIGNS, **views, **stops}.items():
        yield opened(server, page, address, sign)
    store = Store(server.store)
    configs = [growth_preset(epochs=5, max_layers=1, max_width=10, seed=seed) for seed in range(2)]
    specs = [RunSpec(method="pgcn", config=config, source=GraphSource(name="karate")) for config in configs]
    execute(specs, store, ids=["one", "other"]).finish()
    execute(specs, store, batch="seeds").finish()
    branch_execution(store, "one", 1, {"seed": 1, "dropout": 0.1}, run="branch").finish()
    store.close()
    yield opened(server, page, "?run=one", ".st-key-summary")
    yield opened(server, page, "?batch=seeds", ".st-key-batch_scatter .points path")
    yield opened(server, page, "?run=branch", ".pgcn.family .tree")
    yield opened(server, page, "runs?run=branch", ".pgcn.family .tree")
    yield opened(server, page, "runs", ".stMain canvas, .stMain table")
    yield opened(server, page, "runs?run=one", ".st-key-one_run")
    yield opened(server, page, "runs?runs=one,other", ".st-key-compare_parameters .points path")
    yield opened(server, page, "predictions?run=one", ".st-key-predictions_compute")


def opened(server, page, address, sign):
    page.goto(f"{server.url}/{address}")
    page.locator(sign).first.wait_for(state="attached")
    page.locator(SETTLED).wait_for()
    assert page.locator("[data-testid=stException]").count() == 0, address
    return f"/{address}"
