"""The sweep: what is asked, how runs of one shape are carried out together, and what comes of it."""

import random
import statistics
from dataclasses import replace

import psutil
import pytest
from small_arena import carried_out, here
from small_sweep import GRID, GROWTH, outcome_of, results_of, small
from tools import workers_of

from pgcn.errors import ConfigError, PgcnError
from pgcn.execution.complete import complete_run, complete_runs
from pgcn.execution.mailbox import FolderMailbox
from pgcn.execution.pool import processes
from pgcn.recorded import recorded_sweep, write_sweep
from pgcn.store import Store
from pgcn.studies.study import StudyRun
from pgcn.studies.sweep import Sweep, point_text, protocol_grid, read_grid, sweep_of
from pgcn.studies.sweep.effects import eta_squared
from pgcn.studies.sweep.estimate import seconds_by_task
from pgcn.studies.sweep.outcomes import stored_outcomes
from pgcn.studies.sweep.results import Quartiles, SweepResults, findings
from pgcn.studies.tasks import MOST_TOGETHER, divided

PAPER = Sweep()


@pytest.fixture(scope="module")
def sweep_store(tmp_path_factory):
    """A small sweep, carried out without a break."""
    with carried_out(small(), tmp_path_factory.mktemp("sweep"), 12) as store:
        yield store


def table(store, sweep=None):
    """What is stored, but for seconds."""
    return [replace(one, seconds=0.0) for one in stored_outcomes(sweep or small(), store)]


# What is asked.


def test_the_papers_grid_has_900_runs_in_45_points_and_five_shapes():
    tasks = PAPER.tasks()
    assert len(tasks) == len({task.id for task in tasks}) == 900 and len(PAPER.points) == 45
    assert len({task.group for task in tasks}) == 5
    assert {task.config.metric for task in tasks} == {"val_accuracy"}
    assert point_text(PAPER.points[0]) == "block_width 1, dropout 0.1, lambda1 0.1"
    assert protocol_grid("paper") == PAPER.grid


def test_the_same_question_has_the_same_id_in_whatever_order_it_is_asked():
    one = sweep_of(grid=read_grid(["dropout=0.5,0.1", "block_width=10,5"]), runs=2)
    two = sweep_of(grid=read_grid(["block_width=5,10", "dropout=0.1,0.5"]), runs=2)
    assert one == two and [task.id for task in one.tasks()] == [task.id for task in two.tasks()]
    assert one == replace(one, growth=one.growth.change(dropout=0.3, seed=9))  # what is varied has no other value
    again = replace(one, reproducible=True)
    assert not {task.id for task in again.tasks()} & {task.id for task in one.tasks()}
    assert Sweep.from_dict(one.to_dict()) == one


def test_every_point_meets_the_same_seeds_and_the_settings_of_the_grid():
    for task in small().tasks():
        assert task.config == GROWTH.change(**dict(task.point), seed=task.seed)
    assert sorted({task.seed for task in small().tasks()}) == [0, 1, 2]


def test_a_grid_may_vary_any_setting():
    varied = sweep_of(grid=read_grid(["loss=mse,ce", "lambda2=1,none"]), runs=1)
    assert varied.grid == (("lambda2", (None, 1.0)), ("loss", ("ce", "mse")))
    assert {task.group for task in varied.tasks()} == {task.group for task in varied.tasks()[:2]}


def test_a_width_may_be_below_the_blocks_of_the_preset():
    asked = sweep_of(grid=read_grid(["block_width=1,2"]), changes={"max_width": 3})
    assert {task.config.max_width for task in asked.tasks()} == {3}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda: small(runs=0), "runs must be at least 1, got 0"),
        (lambda: small(dataset="corra"), "No data set named 'corra'"),
        (lambda: small(grid=()), "at least one setting to vary"),
        (lambda: small(grid=(("block_width", (1, 500)),)), "max_width must be at least block_width"),
        (
            lambda: small(grid=(("block_width", tuple(range(1, 5))), ("epsilon_b", tuple(range(9_000))))),
            "at most 30,",
        ),
        (lambda: read_grid(["block_widht=1"]), "Did you mean block_width"),
        (lambda: read_grid(["block_width=1,1"]), "every value of block_width once"),
        (lambda: read_grid(["lambda1=1,1.0"]), "every value of lambda1 once"),
        (lambda: read_grid(["dropout=0.1", "dropout=0.2"]), "got dropout twice"),
        (lambda: read_grid(["dropout=x"]), "dropout must be a number"),
        (lambda: read_grid(["dropout"]), "key=value,value"),
        (lambda: read_grid(["seed=1,2"]), "seed is not varied"),
        (lambda: protocol_grid("mine"), "No protocol named 'mine'. Choose one of: paper"),
        (lambda: sweep_of(changes={"dropout": 0.2}), "dropout is not set for all runs of a sweep: the grid varies"),
        (lambda: sweep_of(preset="mine"), "No preset named 'mine'"),
    ],
)
def test_bad_questions_are_refused_in_words(asked, message):
    with pytest.raises(PgcnError, match=message):
        asked()


# How it is carried out.


def test_shares_hold_every_run_once_the_widest_blocks_first_and_none_too_many():
    tasks = sorted(PAPER.tasks(), key=lambda task: task.experiment)
    shares = divided(tasks, 2)
    assert sorted(task.id for share in shares for task in share) == sorted(task.id for task in tasks)
    assert all(len(share) <= MOST_TOGETHER and len({task.group for task in share}) == 1 for share in shares)
    widths = [dict(share[0].point)["block_width"] for share in shares]
    assert widths == sorted(widths, reverse=True)
    assert len(divided(tasks[:90], 90)) == 90  # with many workers nobody waits


def test_a_run_among_others_is_bit_for_bit_the_run_alone(sweep_store):
    for task in (small().tasks()[0], small().tasks()[-1]):
        alone = complete_run(task.spec())
        stored = sweep_store.networks(task.id)
        assert {one.step: one.weights for one in alone.networks} == {
            step: network.weights for step, network in stored.items()
        }
        kinds = [type(event) for event in alone.events]
        assert [type(event) for event in sweep_store.events(task.id)] == kinds


class Full:
    """A mailbox that takes one message."""

    def __init__(self):
        self.taken = []

    def put(self, message):
        if self.taken:
            raise OverflowError
        self.taken.append(message)


def test_a_run_is_handed_over_when_it_ends_and_not_with_the_others():
    specs = {task.id: task.spec() for task in small().tasks() if task.point[0] == ("block_width", 1)}
    mailbox = Full()
    with pytest.raises(OverflowError):  # the second run ends while others are still to be trained
        complete_runs(specs, mailbox)
    ((name, completed),) = mailbox.taken
    assert name in specs and completed.events[-1].status == "finished"


def test_all_but_the_last_run_go_through_the_mailbox():
    specs = {task.id: task.spec() for task in small().tasks()[:3]}
    mailbox = FolderMailbox()
    ((last, _),) = complete_runs(specs, mailbox)
    sent = []
    while (message := mailbox.first()) is not None:
        assert mailbox.first()[0] == message[0]  # it stays until it is dropped
        sent.append(message[0])
        mailbox.drop()
    folder = mailbox.folder
    mailbox.close()
    assert {*sent, last} == set(specs) and len(sent) == 2 and not folder.exists()


def test_a_sweep_that_was_stopped_and_resumed_is_as_one_without_a_break(tmp_path, sweep_store):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, here)
    told = []
    while len(told) < 3:
        told += [run_event for run_event in [next(run)] if run_event is not None]
    told += run.cancel()
    stored = len(store.runs())
    # What had ended meanwhile is stored and told.
    assert stored == len(told) == len({run_event.run for run_event in told})
    again = StudyRun([small()], store, here)
    assert len(again.missing) == 12 - stored
    for _ in again:
        pass
    assert table(store) == table(sweep_store)
    assert StudyRun([small()], store, here).missing == []
    store.close()


def test_a_run_that_is_sent_twice_is_told_once(tmp_path, sweep_store):
    """As by a Dask worker that begins the share of a killed one again."""
    store, pool = Store(f"sqlite:///{tmp_path / 'runs.db'}"), here()
    for task in small().tasks()[:4]:
        completed = complete_run(task.spec())
        for _ in range(2):
            pool.mailbox.put((task.id, completed))
    told = [run_event.run for run_event in StudyRun([small()], store, lambda: pool) if run_event is not None]
    assert sorted(told) == list(range(12)) and table(store) == table(sweep_store)
    store.close()


def test_a_sweep_on_a_graph_of_ones_own(tmp_path, small_graph):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    store.add_graph(small_graph, name="mine")
    sweep = sweep_of("mine", store=store, grid=GRID, runs=1, changes={"epochs": 3, "max_layers": 1, "max_width": 2})
    for _ in StudyRun([sweep], store, here):
        pass
    assert len(stored_outcomes(sweep, store)) == 4
    store.close()


@pytest.mark.slow
def test_a_worker_that_dies_in_the_middle_of_a_share_loses_nothing(tmp_path, sweep_store):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    before = {child.pid for child in workers_of(psutil.Process())}  # of other tests
    run, told, killed = StudyRun([small()], store, lambda: processes(2)), [], False
    for run_event in run:
        if run_event is None:
            continue
        told.append(run_event.run)
        if not killed:
            victims = [child for child in workers_of(psutil.Process()) if child.pid not in before]
            victims[0].kill()
            killed = True
    assert killed and sorted(told) == list(range(12)) and table(store) == table(sweep_store)
    store.close()


def test_runs_that_diverge_are_stored_as_failed_and_not_tried_for_ever(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    sweep = small(growth=GROWTH.change(learning_rate=1e30), runs=1)
    for _ in StudyRun([sweep], store, here):
        pass
    results = SweepResults(sweep, stored_outcomes(sweep, store))
    assert len(results.failed) == 4 and not results and StudyRun([sweep], store, here).missing == []
    assert findings(results) == [
        "No run has both a validation and a test accuracy.",
        "4 runs failed: excluded from the means.",
    ]
    store.close()


def test_the_time_left_goes_by_runs_of_the_same_shape():
    tasks = small().tasks()
    ended = [
        outcome_of(task, val=80, test=80, seconds=float(dict(task.point)["block_width"])) for task in tasks[:4]
    ]
    expected = seconds_by_task(tasks, ended)
    assert all(expected[task.id].usual == dict(task.point)["block_width"] for task in tasks)
    assert seconds_by_task(tasks, [])[tasks[0].id] is None
    assert seconds_by_task(tasks, [], ended) == expected


# What comes of it.


def test_eta_squared_by_hand():
    assert eta_squared([1, 1, 3, 3], "aabb") == 1.0
    assert eta_squared([1, 3, 1, 3], "aabb") == 0.0
    # means 2 and 4 around 3: SS_between = 4 * 1; SS_total = 4 + 0 + 0 + 4
    assert eta_squared([1, 3, 3, 5], "aabb") == pytest.approx(4 / 8)
    assert eta_squared([2, 2], "ab") == 0.0


def test_shares_of_settings_combinations_and_seeds_add_up_to_one():
    draw = random.Random(0)
    results = results_of(small(), lambda task: draw.uniform(70, 80), lambda task: draw.uniform(70, 80))
    val, test, chance = results.shares
    for shares, own in ((val, "val_share"), (test, "test_share"), (chance, "chance")):
        parts = [getattr(effect, own) for effect in results.effects]
        assert sum(parts) + shares.combinations + shares.seeds == pytest.approx(1)


def test_the_setting_that_matters_is_found_and_the_other_is_not():
    results = results_of(
        small(), lambda task: 70 + 5 * dict(task.point)["block_width"] + task.seed, lambda task: 75 + task.seed
    )
    width, dropout = results.effects
    assert (width.setting, dropout.setting) == ("block_width", "dropout")
    assert [level.val.mean for level in width.levels] == pytest.approx([76, 81])
    # deviations 2.5 between and -1, 0, 1 within
    assert width.val_share == pytest.approx(6.25 / (6.25 + 2 / 3)) and width.test_share == pytest.approx(0)
    assert dropout.val_share == pytest.approx(0) and width.chance == pytest.approx(1 / 11)
    assert "block_width explains 90.4 % of the variance of validation accuracy" in " ".join(findings(results))


def test_selection_never_looks_at_test_nodes():
    draw = random.Random(1)
    val = {task.id: draw.choice([78, 79, 80]) for task in small().tasks()}
    chosen = set()
    for _ in range(5):
        results = results_of(small(), lambda task: val[task.id], lambda task: draw.uniform(70, 80))
        chosen.add((tuple(one.run for one in results.best), results.best_point))
    ((best, point),) = chosen
    assert set(best) == {run for run, value in val.items() if value == max(val.values())}
    means = {
        own: statistics.fmean(val[task.id] for task in small().tasks() if task.point == own)
        for own in small().points
    }
    assert means[point] == max(means.values())


def test_of_equally_good_runs_the_smallest_network_is_reported_and_the_others_are_told():
    outcomes = [
        outcome_of(task, val=80, test=70 + task.seed, parameters=1000 - task.seed) for task in small().tasks()
    ]
    results = SweepResults(small(), outcomes)
    assert results.best[0].seed == 2
    assert "12 runs have this validation accuracy" in " ".join(findings(results))
    assert "range from 70.0 to 72.0 %" in " ".join(findings(results))


def test_the_distribution_behind_the_best_run():
    results = results_of(small(), lambda task: 70 + task.seed, lambda task: 60 + 10 * task.seed)
    assert results.test.mean == pytest.approx(70) and results.best_of(1).mean == pytest.approx(70)
    assert results.best_of(12).mean == pytest.approx(80) and results.best_of_counts == [1, 3, 5, 12]
    assert Quartiles.of(results.test_accuracies) == pytest.approx((60, 60, 70, 80, 80))
    assert Quartiles.of([5.0]) == (5, 5, 5, 5, 5)


def test_the_paper_is_quoted_only_beside_its_own_protocol():
    assert results_of(PAPER, lambda task: 80, lambda task: 80).published.accuracy == 83.1
    mse = replace(PAPER, growth=PAPER.growth.change(loss="mse"))
    assert results_of(mse, lambda task: 80, lambda task: 80).published.accuracy == 82.7
    assert results_of(small(), lambda task: 80, lambda task: 80).published is None
    assert results_of(replace(PAPER, runs=1), lambda task: 80, lambda task: 80).published is None


def test_missing_runs_are_said():
    outcomes = [outcome_of(task, val=80, test=80) for task in small().tasks()[:5]]
    assert "7 of 12 runs are missing." in findings(SweepResults(small(), outcomes))


def test_what_is_recorded_is_small_and_comes_back(tmp_path):
    draw = random.Random(2)
    outcomes = [
        outcome_of(
            task,
            val=draw.randint(300, 410) / 5,
            test=draw.randint(600, 830) / 10,
            topology=tuple(draw.randint(1, 20) for _ in range(draw.randint(1, 5))),
            parameters=draw.randint(10_000, 99_999),
            seconds=round(draw.uniform(0, 3), 2),
        )
        for task in PAPER.tasks()
    ]
    path = tmp_path / "sweep.jsonl.gz"
    assert recorded_sweep(path) is None
    write_sweep(path, SweepResults(PAPER, outcomes))
    back = recorded_sweep(path)
    assert back.recorded and back.test.recorded and back.sweep == PAPER and list(back.outcomes) == outcomes
    assert path.stat().st_size < 100_000


def test_a_damaged_record_is_refused_in_words(tmp_path):
    import gzip

    path = tmp_path / "sweep.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"sweep": {"dataset": "cora"}}\n'))
    with pytest.raises(PgcnError, match="This is not a"):
        recorded_sweep(path)
    with pytest.raises(ConfigError):
        Sweep(grid=(("nothing", (1,)),))
