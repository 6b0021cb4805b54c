"""What jobs do: recorded growth, batches, the GCN baseline, and resuming what was interrupted."""

import statistics
import threading

import pytest
import sqlalchemy as sa
from tools import wait_until

from pgcn.events import BlockJudged, RunFinished
from pgcn.execution.execute import Resumed, start_batch, start_growth
from pgcn.execution.jobs import Job
from pgcn.execution.start import train_gcns
from pgcn.methods.pgcn import growth_preset
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


def silent(text):
    pass


def test_a_growth_is_written_down_under_the_id_it_was_given(store):
    run, said = new_id(), []
    runs = start_growth(RECIPE, growth_preset(**QUICK), store, run, said.append)
    (result,) = runs.finish()
    assert store.run(run).topology == result.topology and store.events(run) == result.events
    assert result.events[0].recipe == RECIPE
    assert said == [] or said[0].startswith("Loading synthetic")


@pytest.mark.parametrize("seeds", [1, 3])
def test_a_job_that_is_stopped_while_it_starts_ends_well_and_leaves_no_run_behind(store, seeds):
    configs, ids = [growth_preset(seed=seed, **QUICK) for seed in range(seeds)], [new_id() for _ in range(seeds)]

    def start(tell):
        job.cancel()
        return start_batch(RECIPE, configs, store, ids, "batch", tell)

    job = Job(start, "somebody")
    job.run()
    assert (job.status, job.error, job.events()) == ("cancelled", None, [])
    assert store.runs() == []


def test_a_batch_can_be_stopped_while_its_processes_start(store):
    configs, ids = [growth_preset(seed=seed, **QUICK) for seed in range(4)], [new_id() for _ in range(4)]
    job = Job(lambda tell: start_batch(RECIPE, configs, store, ids, "batch", tell), "somebody")
    worker = threading.Thread(target=job.run)
    worker.start()
    wait_until(lambda: job.doing.startswith("Starting"))
    job.cancel()
    worker.join(20)
    assert (job.status, job.events(), store.runs()) == ("cancelled", [], [])


def test_the_line_to_beat_is_asked_for_once_and_then_looked_up(store):
    assert stored_baseline(RECIPE, store) is None
    results = start_baseline(RECIPE, store, silent).finish()
    line = stored_baseline(RECIPE, store)
    test = [result.scores.test_accuracy for result in results]
    assert line.seeds == len(CONFIGS) and line.parameters == results[0].parameters
    assert line.test == pytest.approx(statistics.fmean(test)) and line.test_sd == pytest.approx(
        statistics.stdev(test)
    )
    assert f"{100 * line.test:.1f} ± {100 * line.test_sd:.1f} % (mean ± sd, 10 seeds)" in line.describe()
    assert stored_baseline({**RECIPE, "seed": 2}, store) is None
    assert baseline_batch(RECIPE) != baseline_batch({**RECIPE, "dims": 5})


def test_a_line_to_beat_that_was_broken_off_is_not_taken_for_one(store):
    runs = start_baseline(RECIPE, store, silent)
    for _ in range(30):
        next(runs)
    runs.cancel("Enough.")
    assert stored_baseline(RECIPE, store) is None


def test_a_batch_shares_its_id_and_every_run_is_its_run_alone(store):
    configs = [growth_preset(**QUICK, seed=seed) for seed in range(3)]
    ids, batch = [new_id() for _ in configs], new_id()
    Job(lambda tell: start_batch(RECIPE, configs, store, ids, batch, tell), "somebody").run()
    rows = {run.id: run for run in store.runs(batch=batch)}
    assert set(rows) == set(ids) and {run.seed for run in rows.values()} == {0, 1, 2}
    alone = new_id()
    start_growth(RECIPE, configs[1], store, alone, silent).finish()
    assert store.run(alone).scores == rows[ids[1]].scores
    figure = scatter_figure(list(rows.values()), None)
    assert sum(len(trace["x"]) for trace in figure["data"]) == 3
    assert sum(topology_figure(list(rows.values()))["data"][0]["x"]) == 3


def test_a_resumed_run_tells_its_past_first_and_ends_as_the_whole(store):
    config = growth_preset(**QUICK, seed=2)
    whole = start_growth(RECIPE, config, store, new_id(), silent).finish()[0]
    run = new_id()
    runs = start_growth(RECIPE, config, store, run, silent)
    for said in runs:
        if isinstance(said.event, BlockJudged):
            break
    runs.cancel("The light went out.")
    resumed = Resumed(store, run)
    events = []
    while not events or not isinstance(events[-1], RunFinished):
        events.append(next(resumed).event)
    assert [type(event) for event in events] == [type(event) for event in whole.events]
    assert events[-1].topology == whole.topology and events[-1].scores == whole.scores
    assert len(store.events(run)) == len(events)


def test_compared_runs_show_their_curves_and_what_differs(store, small_graph):
    events = {}
    for name, changes in (("narrow", {}), ("wide", {"block_width": 10})):
        runs = start_growth(RECIPE, growth_preset(**QUICK, **changes), store, new_id(), silent)
        events[name] = runs.finish()[0].events
    events["fixed"] = train_gcns(small_graph, CONFIGS[:1]).finish()[0].events
    for what in CURVES:
        figure = comparison_figure(events, what)
        assert [trace["name"] for trace in figure["data"]] == ["narrow", "wide", "fixed"]
        assert len(set(figure["data"][2]["y"])) == 1  # nothing grows in a GCN
        assert figure["layout"]["yaxis"]["title"]["text"] == what
        styles = {(trace["line"]["color"], trace["line"]["dash"]) for trace in figure["data"]}
        assert len(styles) == 3
    configs = {name: events[name][0].config for name in ("narrow", "wide")}
    rows, different = settings_table(configs)
    assert different == {"block_width"} and {row["setting"] for row in rows} == set(configs["narrow"])


def test_a_database_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    url = f"sqlite:///{tmp_path / 'old.db'}"
    store = Store(url)
    start_growth(RECIPE, growth_preset(**QUICK), store, "a" * 32, silent).finish()
    store.close()
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE runs DROP COLUMN batch"))
    engine.dispose()
    store = Store(url)
    assert store.run("a" * 32).batch is None and store.runs(batch="b") == []
    store.close()
