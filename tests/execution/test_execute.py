"""What jobs do: recorded growth, batches, the GCN baseline, and resuming what was interrupted."""

import statistics
import threading

import pytest
from tools import wait_until

from pgcn.events import RunFinished
from pgcn.execution.execute import execute, resume_execution
from pgcn.execution.jobs import Job
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import train_gcns
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.source import GraphSource
from pgcn.store import Store, new_id
from pgcn.studies.baseline import CONFIGS, baseline_batch, start_baseline, stored_baseline
from pgcn.views.batch import scatter_figure, topology_figure
from pgcn.views.compare import CURVES, comparison_figure, settings_table

RECIPE = {"name": "synthetic", "split": "public", "seed": 1}
QUICK = {"epochs": 15, "max_width": 10, "max_layers": 2}


@pytest.fixture
def store(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    yield store
    store.close()


SOURCE = GraphSource.from_recipe(RECIPE)


def silent(text):
    pass


def batch_of(store, configs, ids, batch, progress):
    return execute(specs(*configs), store, ids=ids, batch=batch, workers=2, progress=progress)


def specs(*configs):
    return [RunSpec(method="pgcn", config=config, source=SOURCE) for config in configs]


def test_a_growth_is_written_down_under_the_id_it_was_given(store):
    run, said = new_id(), []
    runs = execute(specs(growth_preset(**QUICK)), store, ids=[run], progress=said.append)
    (result,) = runs.finish()
    assert store.run(run).topology == result.topology and store.events(run) == result.events
    assert result.events[0].recipe == RECIPE
    assert said == [] or said[0].startswith("Loading synthetic")


@pytest.mark.parametrize("seeds", [1, 3])
def test_a_job_that_is_stopped_while_it_starts_ends_well_and_leaves_no_run_behind(store, seeds):
    configs, ids = [growth_preset(seed=seed, **QUICK) for seed in range(seeds)], [new_id() for _ in range(seeds)]

    def start(progress):
        job.cancel()
        return batch_of(store, configs, ids, "batch", progress)

    job = Job(start, "somebody")
    job.run()
    assert (job.status, job.error, job.events()) == ("cancelled", None, [])
    assert store.runs() == []


def test_a_batch_can_be_stopped_while_its_processes_start(store):
    configs, ids = [growth_preset(seed=seed, **QUICK) for seed in range(4)], [new_id() for _ in range(4)]
    job = Job(lambda progress: batch_of(store, configs, ids, "batch", progress), "somebody")
    worker = threading.Thread(target=job.run)
    worker.start()
    wait_until(lambda: job.doing.startswith("Starting"))
    job.cancel()
    worker.join(20)
    assert (job.status, job.events(), store.runs()) == ("cancelled", [], [])


def test_the_baseline_is_trained_once_and_then_looked_up(store):
    assert stored_baseline(SOURCE, store) is None
    results = start_baseline(SOURCE, store, silent).finish()
    baseline = stored_baseline(SOURCE, store)
    test = [result.scores.test_accuracy for result in results]
    assert baseline.seeds == len(CONFIGS) and baseline.parameters == results[0].parameters
    assert baseline.test == pytest.approx(statistics.fmean(test)) and baseline.test_sd == pytest.approx(
        statistics.stdev(test)
    )
    assert (
        f"{100 * baseline.test:.1f} ± {100 * baseline.test_sd:.1f} % (mean ± sd, 10 seeds)" in baseline.describe()
    )
    assert stored_baseline(SOURCE.change(seed=2), store) is None
    assert baseline_batch(SOURCE) != baseline_batch(SOURCE.change(dims=5))


def test_an_interrupted_baseline_is_not_used(store):
    runs = start_baseline(SOURCE, store, silent)
    for _ in range(30):
        next(runs)
    runs.cancel("Enough.")
    assert stored_baseline(SOURCE, store) is None


def test_a_batch_shares_its_id_and_every_run_is_its_run_alone(store):
    configs = [growth_preset(**QUICK, seed=seed) for seed in range(3)]
    ids, batch = [new_id() for _ in configs], new_id()
    Job(lambda progress: batch_of(store, configs, ids, batch, progress), "somebody").run()
    rows = {run.id: run for run in store.runs(batch=batch)}
    assert set(rows) == set(ids) and {run.seed for run in rows.values()} == {0, 1, 2}
    alone = new_id()
    execute(specs(configs[1]), store, ids=[alone], progress=silent).finish()
    assert store.run(alone).scores == rows[ids[1]].scores
    figure = scatter_figure(list(rows.values()), None)
    assert sum(len(trace["x"]) for trace in figure["data"]) == 3
    assert sum(topology_figure(list(rows.values()))["data"][0]["x"]) == 3


def test_a_resumed_run_tells_its_past_first_and_ends_as_the_whole(store):
    config = growth_preset(**QUICK, seed=2)
    whole = execute(specs(config), store, ids=[new_id()], progress=silent).finish()[0]
    run = new_id()
    runs = execute(specs(config), store, ids=[run], progress=silent)
    for said in runs:
        if isinstance(said.event, BlockJudged):
            break
    runs.cancel("The light went out.")
    resumed = resume_execution(store, run)
    events = []
    while not events or not isinstance(events[-1], RunFinished):
        events.append(next(resumed).event)
    assert [type(event) for event in events] == [type(event) for event in whole.events]
    assert events[-1].topology == whole.topology and events[-1].scores == whole.scores
    assert len(store.events(run)) == len(events)


def test_compared_runs_show_their_curves_and_what_differs(store, small_graph):
    events = {}
    for name, changes in (("narrow", {}), ("wide", {"block_width": 10})):
        runs = execute(specs(growth_preset(**QUICK, **changes)), store, ids=[new_id()], progress=silent)
        events[name] = runs.finish()[0].events
    events["fixed"] = train_gcns(small_graph, CONFIGS[:1]).finish()[0].events
    for what in CURVES:
        figure = comparison_figure(events, what)
        assert [trace["name"] for trace in figure["data"]] == ["narrow", "wide", "fixed"]
        assert len(set(figure["data"][2]["y"])) == 1  # nothing grows in a GCN
        assert figure["layout"]["yaxis"]["title"]["text"] == what
        styles = {(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]}
        assert len(styles) == 3
    configs = [{name: str(value) for name, value in events[run][0].config.items()} for run in ("narrow", "wide")]
    rows = settings_table(configs)
    assert {name for name, cells in rows if any(marked for _, marked in cells)} == {"block_width"}
    assert {name for name, _ in rows} == set(configs[0])
