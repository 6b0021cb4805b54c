"""What the pages of studies share: where the numbers come from, in words."""

from types import SimpleNamespace

import pytest

from pgcn.studies.arena.question import ArenaTask
from pgcn.studies.beside import PREFIX
from pgcn.studies.difficulty import Task
from pgcn.studies.landscape import LandscapeTask
from pgcn.studies.sweep.question import SweepTask
from pgcn.studies.tasks import batch_name
from pgcn.ui.grow.controls import STUDIES
from pgcn.ui.study.progress import agreement_words, source_words


@pytest.mark.parametrize("task", [ArenaTask, Task, LandscapeTask, SweepTask])
def test_grow_shows_no_way_back_to_the_batch_of_a_study(task):
    assert batch_name(task.study, "cora", None).startswith(STUDIES) and PREFIX in STUDIES


@pytest.mark.parametrize(
    ("total", "missing", "recorded", "words"),
    [
        (1, 1, 0, "1 run, 5 to 10 s in "),
        (90, 90, 90, "Computed on another machine in the reproducible mode. Recomputing takes 5 to 10 s."),
        (8, 8, 5, "3 of 8 runs are not recorded. Running all here takes 5 to 10 s."),
        (8, 3, 0, "5 of 8 runs computed here so far; the rest takes 5 to 10 s."),
        (8, 0, 8, "All runs were computed here."),
    ],
)
def test_recorded_and_computed_results_are_told_apart_in_words(total, missing, recorded, words):
    assert source_words(total, missing, recorded, "5 to 10 s").startswith(words)


def test_what_was_computed_here_is_compared_with_what_was_recorded_of_the_same_runs():
    def outcome(run, test):
        return SimpleNamespace(run=run, topology=(5,), labelled_accuracy=1.0, val_accuracy=0.8, test_accuracy=test)

    recorded = {name: outcome(name, 0.8) for name in ("a", "b")}
    assert agreement_words([outcome("c", 0.8)], recorded) == []
    own = [outcome("a", 0.8), outcome("b", 0.7), outcome("c", 0.8)]
    assert agreement_words(own, recorded) == ["1 of 2 runs computed here equal those recorded."]
