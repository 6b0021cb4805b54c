"""The arena: what is asked, what comes of it, and that selection never looks at test nodes."""

import itertools
import json
import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from small_arena import GCN, RANDOM, SGC, carried_out, here, outcome, outcomes, small

from pgcn.cli.study_progress import reached
from pgcn.data.catalogue import CATALOGUE
from pgcn.engine.architecture import count_parameters
from pgcn.errors import ConfigError, GraphError, PgcnError
from pgcn.execution.execute import execute
from pgcn.methods.search.events import ArchitectureJudged
from pgcn.recorded import recorded_arena, write_arena
from pgcn.store import Store
from pgcn.studies.arena import (
    DATASETS,
    PUBLISHED,
    ROWS,
    ArenaPlace,
    arenas_of,
    contenders,
    named_contenders,
    published,
)
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.disagreements import disagreements
from pgcn.studies.arena.paired import sign_flip_p, verdict
from pgcn.studies.arena.results import ArenaResults, known_outcomes, stored_outcomes
from pgcn.studies.arena.selection import best_of, chosen_shares, pareto_front
from pgcn.studies.study import StudyRun

CORA = ArenaPlace(dataset="cora")
PAPER = Path(__file__).parents[3] / "shared" / "paper.txt"


@pytest.fixture(scope="module")
def arena_store(tmp_path_factory):
    """A small arena, carried out without a break."""
    with carried_out(small(), tmp_path_factory.mktemp("arena"), 9) as store:
        yield store


def without_seconds(arena, store):
    return [replace(one, seconds=0.0) for one in stored_outcomes(arena, store)]


# What the paper prints.


@pytest.mark.parametrize(
    ("method", "dataset", "accuracy", "parameters", "architecture"),
    [
        ("gcn", "pubmed", "79.0", 8_100, (16,)),
        ("ngcn", "citeseer", "72.2", 445_400, None),
        ("gat", "cora", "83.0 ± 0.7", 92_300, None),
        ("graphnas", "cora", "84.2 ± 1.0", 188_000, None),
        ("autognn", "citeseer", "73.8 ± 0.7", 710_000, None),
        ("pgcn-ce", "citeseer", "74.3", 56_000, (15, 20)),
        ("pgcn-ce", "pubmed", "80.2", 5_040, (10,)),
        ("pgcn-mse", "cora", "82.7", 22_100, (15, 25)),
    ],
)
def test_published_numbers_are_the_papers(method, dataset, accuracy, parameters, architecture):
    printed = published(method, dataset)
    assert (printed.accuracy_text, printed.parameters, printed.architecture) == (accuracy, parameters, architecture)


def test_all_published_accuracies_and_counts_stand_in_the_rows_of_the_paper():
    if not PAPER.is_file():
        pytest.skip("the paper's text is not here")
    lines = [line.strip() for line in PAPER.read_text().splitlines() if " & " in line]
    for method, row in ROWS.items():
        mine = (f"{row.title} &", f"{row.title} \\cite")
        accuracies, counts = [line for line in lines if line.startswith(mine)]
        for cells, part in ((accuracies, "accuracy"), (counts, "parameters_text")):
            for cell, dataset in zip(cells.split("&")[1:4], DATASETS, strict=True):
                value = getattr(PUBLISHED[method][dataset], part)
                assert (f"{value:g}" if part == "accuracy" else value) in cell, (method, dataset, cell)


def test_counts_that_can_be_derived_are_what_the_formulae_give():
    for dataset in DATASETS:
        d, c = CATALOGUE[dataset].features, CATALOGUE[dataset].classes
        assert published("gcn", dataset).parameters == pytest.approx(16 * d + 16 * c + 16 + c, abs=50)
        assert published("ngcn", dataset).parameters == pytest.approx(12 * (10 * d + 10 * c + 10 + c), abs=130)
        assert published("gat", dataset).parameters == pytest.approx(64 * d + 128 + 64 * c + 2 * c, abs=50)
        grown = published("pgcn-ce", dataset)
        assert grown.parameters == pytest.approx(count_parameters(d, grown.architecture, c, bias=True), abs=10)


# What is asked.


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_contender_whose_method_is_known_can_be_configured(dataset):
    for contender in contenders().values():
        assert contender.settings(dataset, seed=3).seed == 3
    assert {"gcn", "sgc", "gat", "pgcn-paper-ce", "pgcn-tuned-mse"} <= set(contenders())


def test_a_contender_has_the_published_settings_of_the_data_set():
    assert ALL["gat"].settings("cora").output_heads == 1
    assert ALL["gat"].settings("pubmed").output_heads == 8


def test_the_same_question_has_the_same_id_whatever_it_is_called():
    ids = [task.id for task in small().tasks()]
    renamed = small(contenders=tuple(replace(one, name=f"my-{one.name}") for one in small().contenders))
    assert [task.id for task in renamed.tasks()] == ids and len(set(ids)) == 9
    again = small(reproducible=True)
    assert not {task.id for task in again.tasks()} & set(ids)
    assert [task.recorded_id for task in small().tasks()] == [task.id for task in again.tasks()]


def test_everybody_meets_the_same_splits_with_the_same_seeds():
    met = {}
    for task in small(split="random:2", splits=2).tasks():
        met.setdefault(task.contender.name, []).append((task.source.seed, task.config.seed))
    assert len({tuple(pairs) for pairs in met.values()}) == 1
    assert sorted(met["gcn"]) == list(itertools.product(range(2), range(3)))


def test_names_stand_for_contenders_methods_and_groups():
    assert [one.name for one in named_contenders("sgc, gcn")] == ["gcn", "sgc"]
    assert {one.name for one in named_contenders("pgcn")} == {name for name in ALL if name.startswith("pgcn-")}
    assert named_contenders("all") == tuple(contenders().values())
    assert not any(one.searches for one in named_contenders("fixed"))


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (lambda: small(runs=0), ConfigError, "runs must be at least 1, got 0"),
        (lambda: small(runs=10_000), ConfigError, "runs must be at most 1,000, got 10000"),
        (lambda: small(budget=0), ConfigError, "budget must be at least 1, got 0"),
        (lambda: small(splits=2), ConfigError, "There is one public split"),
        (lambda: small(split="halves"), ConfigError, "split must be 'public'"),
        (lambda: small(contenders=()), ConfigError, "at least one method, got none"),
        (lambda: small(contenders=(GCN, GCN)), ConfigError, "got gcn twice"),
        (lambda: small(dataset="corra"), PgcnError, "No data set named 'corra'"),
        (lambda: arenas_of([]), ConfigError, "at least one data set"),
        (lambda: named_contenders("gcn,gnn"), ConfigError, "No method named 'gnn'. Choose one of: all, fixed"),
    ],
)
def test_bad_questions_are_refused_in_words(asked, error, message):
    with pytest.raises(error, match=message):
        asked()


# How it is carried out.


def test_an_arena_that_was_stopped_and_resumed_is_as_one_without_a_break(tmp_path, arena_store):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, here)
    while len(store.runs()) < 4:
        next(run)
    run.cancel()
    stored = len(store.runs())
    again = StudyRun([small()], store, here)
    assert 4 <= stored < 9 and len(again.missing) == 9 - stored
    for _ in again:
        pass
    assert without_seconds(small(), store) == without_seconds(small(), arena_store)
    assert StudyRun([small()], store, here).missing == []
    store.close()


def test_a_search_that_was_stopped_is_resumed_by_its_arena(tmp_path):
    def judged():
        return [event for event in store.events(task.id) if isinstance(event, ArchitectureJudged)]

    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    arena = small(contenders=(RANDOM,), budget=4)
    [task] = arena.tasks()
    alone = execute([task.spec()], store, ids=[task.id])  # as the view 'Train one' does
    while not (store.find([task.id]) and len(judged()) == 2):
        next(alone)
    alone.cancel("Stopped.")
    before = judged()
    [ended] = [run_event.event for run_event in StudyRun([arena], store, here) if run_event is not None]
    assert judged()[:2] == before and len(judged()) == 4  # seconds too: the first two were not trained again
    assert ended == store.events(task.id)[-1] and store.run(task.id).name == task.name
    [came] = stored_outcomes(arena, store)
    assert reached(store, task.id, ended) == f"{100 * came.accuracy:.1f} %"  # what is told is what counts
    assert StudyRun([arena], store, here).missing == []
    store.close()


def test_every_number_can_be_traced_to_stored_runs(arena_store):
    results = ArenaResults(stored_outcomes(small(), arena_store))
    assert results.contenders == ["gcn", "pgcn-tuned-ce", "sgc"]
    for cell in results.cells_at(small().place):
        stored = [arena_store.run(run) for run in cell.runs]
        mean = sum(run.scores["test_accuracy"] for run in stored) / len(stored)
        assert len(stored) == 3 and cell.test.mean == pytest.approx(100 * mean)
        assert cell.parameters.mean == pytest.approx(sum(run.parameters for run in stored) / 3)
        assert (
            (cell.search_seconds is None) == (cell.contender in ("gcn", "sgc")) != (cell.training_seconds is None)
        )
    paired = results.paired(small().place, "gcn", "sgc")
    assert [pair.run for pair in paired.pairs] == list(results.cell(small().place, "gcn").runs)
    assert [pair.other for pair in paired.pairs] == list(results.cell(small().place, "sgc").runs)


def test_the_runs_of_an_arena_are_found_by_batch_and_method(arena_store):
    assert len(arena_store.runs(batch=small().batch)) == 9
    assert [run.method for run in arena_store.runs(batch=small().batch, methods=("sgc", "gat"))] == ["sgc"] * 3
    assert arena_store.runs(batch="another", methods=("sgc",)) == []


def test_disagreements_account_for_the_difference_in_accuracy(arena_store):
    pair = (
        ArenaResults(stored_outcomes(small(), arena_store)).paired(small().place, "gcn", "pgcn-tuned-ce").pairs[0]
    )
    found = disagreements(arena_store, pair.run, pair.other)
    assert found.total > 0 and not set(found.only_one) & set(found.only_other)
    assert 100 * (len(found.only_one) - len(found.only_other)) / found.total == pytest.approx(pair.difference)
    back = disagreements(arena_store, pair.other, pair.run)
    assert (back.only_one, back.only_other) == (found.only_other, found.only_one)
    assert disagreements(arena_store, pair.run, pair.run).only_one == ()
    with pytest.raises(GraphError, match="No kind of nodes named 'train'"):
        disagreements(arena_store, pair.run, pair.other, nodes="train")


def test_networks_of_two_splits_cannot_disagree(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    arena = small(contenders=(SGC,), runs=1, split="random:2", splits=2)
    for _ in StudyRun([arena], store, here):
        pass
    one, two = (task.id for task in arena.tasks())
    with pytest.raises(GraphError, match="Choose two runs on the same graph"):
        disagreements(store, one, two)
    store.close()


# What comes of it.


def test_the_sign_flip_test_by_hand():
    assert sign_flip_p([1, 1, 1]) == 2 / 8  # only +++ and --- reach 3
    assert sign_flip_p([3, -1]) == 1.0  # all of ±2, ±4 are as far from 0 as 2
    assert sign_flip_p([0, 0]) == 1.0
    assert sign_flip_p([0.1] * 20) == pytest.approx(2 / 2**20)


def test_the_sign_flip_test_counts_what_enumeration_counts():
    draw = random.Random(0)
    for _ in range(20):
        differences = [draw.randint(-30, 30) / 10 for _ in range(draw.randint(1, 9))]
        sums = [
            sum(s * d for s, d in zip(signs, differences, strict=True))
            for signs in itertools.product((1, -1), repeat=len(differences))
        ]
        extreme = sum(abs(total) >= abs(sum(differences)) - 1e-9 for total in sums)
        assert sign_flip_p(differences) == pytest.approx(extreme / len(sums))


def test_the_sign_flip_test_knows_thirds_of_points_and_differences_without_a_unit():
    assert sign_flip_p([100 / 15, 200 / 15, -300 / 15]) == 1.0  # a sum of 0 but for rounding
    assert sign_flip_p([100 / 15, 200 / 15, 300 / 15]) == 2 / 8
    assert sign_flip_p([math.pi, math.e, math.sqrt(2)]) == 2 / 8
    assert math.isnan(sign_flip_p([1.0, math.nan]))  # without test nodes


def test_hundreds_of_pairs_are_counted_too():
    draw = random.Random(0)
    differences = [draw.randint(-30, 32) / 10 for _ in range(400)]
    z = abs(sum(differences)) / math.sqrt(sum(d * d for d in differences))
    assert sign_flip_p(differences) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.05)  # the normal limit


def test_a_paired_comparison_by_hand():
    results = ArenaResults(
        [*outcomes([81, 83, 85]), *outcomes([80, 81, 82, 99], contender="sgc", title="SGC", method="sgc")]
    )
    paired = results.paired(CORA, "gcn", "sgc")
    assert [pair.difference for pair in paired.pairs] == pytest.approx([1, 2, 3])  # seed 3 has no partner
    assert (paired.wins, paired.ties, paired.losses) == (3, 0, 0) and paired.p == 2 / 8
    half = 4.303 * 1 / math.sqrt(3)  # Student's t with 2 degrees of freedom, sd 1
    assert paired.interval == pytest.approx((2 - half, 2 + half))
    assert "GCN leads SGC by 2.0 points" in verdict(paired, "GCN", "SGC")
    assert "The interval contains 0: not significant" in verdict(paired, "GCN", "SGC")
    back = results.paired(CORA, "sgc", "gcn")
    assert back.losses == 3 and back.difference.mean == pytest.approx(-2) and back.p == paired.p


def test_the_best_of_n_is_the_mean_over_all_choices_of_n():
    val, test = [70, 72, 72, 75, 71], [60, 66, 64, 61, 69]

    def chosen(runs):
        best = max(val[run] for run in runs)
        equal = [test[run] for run in runs if val[run] == best]
        return sum(equal) / len(equal)

    for n in range(1, 6):
        every = [chosen(runs) for runs in itertools.combinations(range(5), n)]
        assert best_of(val, test, n).mean == pytest.approx(sum(every) / len(every))
    assert best_of(val, test, 1).mean == pytest.approx(sum(test) / 5)
    assert best_of(val, test, 5).mean == 61 and best_of(val, test, 5).sd == 0
    assert sum(chosen_shares(val, 3)) == pytest.approx(1)


def test_selection_never_looks_at_test_nodes():
    draw = random.Random(1)
    val = [draw.choice([78, 79, 80]) for _ in range(20)]
    test = [draw.randint(700, 830) / 10 for _ in range(20)]
    cell = ArenaResults(outcomes(test, val)).cell(CORA, "gcn")
    for _ in range(5):
        shuffled = draw.sample(test, len(test))
        other = ArenaResults(outcomes(shuffled, val)).cell(CORA, "gcn")
        assert [one.seed for one in other.best] == [one.seed for one in cell.best]
    most = [seed for seed, value in enumerate(val) if value == max(val)]
    assert sorted(one.seed for one in cell.best) == most
    assert cell.best_of().mean == pytest.approx(sum(test[seed] for seed in most) / len(most))


def test_nobody_on_the_pareto_front_is_dominated_and_everybody_else_is():
    draw = random.Random(2)
    for _ in range(50):
        points = [(draw.randint(1, 8), draw.randint(1, 8)) for _ in range(draw.randint(1, 12))]
        front = set(pareto_front(points))

        def dominates(a, b, points=points):
            return points[a] != points[b] and points[a][0] <= points[b][0] and points[a][1] >= points[b][1]

        for one in range(len(points)):
            assert (one in front) == (not any(dominates(other, one) for other in range(len(points))))
    assert pareto_front([(3, 70), (1, 60), (2, 50)]) == [1, 0]


def test_a_search_is_worth_the_mean_of_its_networks_trained_anew_wherever_it_is_compared():
    networks = (0.70, 0.80, 0.90)
    searched = outcome(contender="graphnas", method="graphnas", test_accuracy=0.9, reported=networks)
    results = ArenaResults([searched, outcome(test_accuracy=0.75)])
    cell = results.cell(CORA, "graphnas")
    assert cell.test.mean == pytest.approx(80) and cell.test.n == 3
    assert results.paired(CORA, "graphnas", "gcn").difference.mean == pytest.approx(5)
    assert cell.over_text == "3 networks retrained at the end of 1 search"
    assert cell.half_ci is None, "networks of one search are no sample of searches"
    assert cell.best_text == "90.0 (of 3 networks)"


def test_each_search_has_a_random_search_over_its_own_space():
    spaces = {name: ALL[name].settings("cora").space for name in ("random", "random-autognn")}
    assert spaces == {"random": "graphnas", "random-autognn": "autognn"}


def test_failed_runs_are_counted_and_not_averaged():
    failed = outcome(seed=9, status="failed", test_accuracy=None, val_accuracy=None, topology=(), parameters=0)
    results = ArenaResults([*outcomes([80, 82]), failed])
    assert results.cell(CORA, "gcn").test.mean == pytest.approx(81) and results.failed == [failed]


# What was recorded.


def test_recorded_outcomes_are_read_back_marked_and_never_averaged_with_computed_ones(tmp_path, arena_store):
    stored = stored_outcomes(small(), arena_store)
    # as if it had been computed in the reproducible mode
    ids = {task.id: task.recorded_id for task in small().tasks()}
    write_arena(tmp_path / "arena.jsonl.gz", [replace(one, run=ids[one.run], test_accuracy=0.0) for one in stored])
    recorded = recorded_arena(tmp_path / "arena.jsonl.gz")
    assert len(recorded) == 9 and all(one.recorded for one in recorded.values())
    empty = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    only = ArenaResults(known_outcomes(small(), empty, recorded))
    assert all(cell.recorded and cell.test.mean == 0 for cell in only.cells.values()) and len(only.cells) == 3
    both = ArenaResults(known_outcomes(small(), arena_store, recorded))
    assert not any(cell.recorded for cell in both.cells.values())
    assert both.cell(small().place, "gcn").test == ArenaResults(stored).cell(small().place, "gcn").test
    assert not both.paired(small().place, "gcn", "sgc").recorded
    assert recorded_arena(tmp_path / "nothing.jsonl.gz") == {}
    empty.close()


def test_one_run_computed_here_does_not_take_the_place_of_more_recorded_ones():
    sgc = {"contender": "sgc", "title": "SGC", "method": "sgc"}
    recorded = [*outcomes([80, 82, 84], recorded=True), *outcomes([79, 80, 81], **sgc, recorded=True)]
    few = ArenaResults([*outcomes([70]), *outcomes([71], **sgc), *recorded])
    assert few.cell(CORA, "gcn").recorded and few.cell(CORA, "gcn").test.mean == pytest.approx(82)
    assert few.paired(CORA, "gcn", "sgc").recorded and len(few.paired(CORA, "gcn", "sgc").pairs) == 3
    assert [one.test_accuracy for one in few.computed_here(CORA, "gcn")] == [0.7]  # it can still be looked at
    [pair] = few.pairs(CORA, "gcn", "sgc", recorded=False)
    assert pair.difference == pytest.approx(-1)
    many = ArenaResults([*outcomes([70, 71, 72]), *outcomes([71], **sgc), *recorded])
    assert not many.cell(CORA, "gcn").recorded and many.cell(CORA, "sgc").recorded
    assert many.paired(CORA, "gcn", "sgc").recorded  # both sides from one place, whichever has more pairs


def test_outcomes_are_plain_values(arena_store):
    for one in stored_outcomes(small(), arena_store):
        assert json.loads(json.dumps(vars(one)))["run"] == one.run
