"""Whatever a link says: a page's settings, and a sentence for everything that cannot be used, at once."""

import time

import pytest
from hypothesis import strategies as st
from nasty import CASES, TEXTS, assert_sentence, attack

from pgcn.errors import PgcnError
from pgcn.methods.pgcn import PRESETS, growth_preset
from pgcn.methods.pgcn.lineage import FIXED
from pgcn.studies.difficulty import CONTENDERS
from pgcn.ui.arena.question import JOBS
from pgcn.ui.arena.question import MOST_ON_PAGE as ARENA_RUNS
from pgcn.ui.arena.question import NAMES as ARENA
from pgcn.ui.arena.question import question_from_query as arena_from_query
from pgcn.ui.difficulty.question import MOST_ON_PAGE, READERS, Question, question_from_query
from pgcn.ui.embedding.session import IN_THE_BROWSER, SETTINGS, config_from_query, view_from_query
from pgcn.ui.grow.branching import BRANCH_NAMES, branching_from_query
from pgcn.ui.grow.session import SHOWN
from pgcn.ui.grow.settings import Settings, settings_from_query
from pgcn.ui.landscape.question import READERS as LANDSCAPE
from pgcn.ui.landscape.question import Question as LandscapeQuestion
from pgcn.ui.landscape.question import question_from_query as landscape_from_query
from pgcn.ui.learn.page import choices_of_link
from pgcn.ui.learn.stops import STOPS
from pgcn.ui.links import MOST_IN_BROWSER, read_ids, unknown_names

WORDS = [*PRESETS, *CONTENDERS, *STOPS, "cora", "karate", "synthetic", "public", "random:20", "fraction:0.5"]
WORDS += [
    "cora:30:50",
    "cora:" + "9" * 5000 + ":50",
    "cora:30:nan",
    ":::",
    "cora,cora",
    "cora," * 2000,
    "pca",
    "all",
]
ANY = TEXTS | st.sampled_from(WORDS) | st.lists(st.sampled_from(WORDS) | TEXTS, max_size=3).map(",".join)


def queries(names):
    return st.dictionaries(st.sampled_from(sorted(names)), ANY, max_size=5)


def assert_said(problems):
    for problem in problems:
        assert_sentence(problem)


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    from pgcn.ui.server import store

    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    store.clear()
    yield
    store.clear()


@CASES
def test_any_link_to_grow_is_read(cases):
    def check(query):
        settings, problems = settings_from_query(query)
        assert_said(problems)
        again, more = settings_from_query(settings.to_query())
        assert (again.config, again.source, more) == (settings.config, settings.source, [])
        # What a number field of a browser can hold; a larger one would be a traceback on the page.
        assert all(abs(value) <= MOST_IN_BROWSER for value in vars(settings).values() if isinstance(value, int))
        whole = [value for value in settings.config.to_dict().values() if isinstance(value, int)]
        assert all(abs(value) <= MOST_IN_BROWSER for value in whole)

    attack(queries({*Settings.OWN, *Settings.GROWTH}), check, cases)


@CASES
def test_any_link_to_a_branch_is_read(cases):
    parent = growth_preset()

    def check(query):
        branching, problems = branching_from_query(query, 1, parent)
        assert_said(problems)
        again, more = branching_from_query(branching.to_query(), 1, parent)
        assert (again, more) == (branching, [])
        assert not branching.changes.keys() & set(FIXED)

    attack(queries(BRANCH_NAMES), check, cases)


@CASES
def test_any_link_to_difficulty_is_read(cases):
    def check(query):
        question, problems = question_from_query(query)
        assert_said(problems)
        assert question_from_query(question.to_query())[0] == question
        assert 1 <= question.experiments <= 100
        tasks = sum(len(study.tasks()) for study in question.studies)
        assert tasks <= 2 * MOST_ON_PAGE  # methods that others are made to match are added

    attack(queries({*READERS, *Question.GROWTH, "job"}), check, cases)


@CASES
def test_any_link_to_the_landscape_is_read(cases):
    def check(query):
        asked, problems = landscape_from_query(query)
        assert_said(problems)
        assert landscape_from_query(asked.to_query())[0] == asked
        assert len(asked.landscape.tasks()) <= 2_000 and asked.landscape.runs == asked.runs <= 100

    attack(queries({*LANDSCAPE, *LandscapeQuestion.GROWTH, "job"}), check, cases)


@CASES
def test_any_link_to_the_arena_is_read(cases):
    def check(query):
        question, problems = arena_from_query(query)
        assert_said(problems)
        assert arena_from_query(question.to_query()) == (question, [])
        assert sum(map(question.arena.runs_of, question.arena.contenders)) * question.splits <= ARENA_RUNS

    attack(queries({*ARENA, *JOBS}), check, cases)


@CASES
def test_any_link_to_embeddings_and_to_the_tour_is_read(cases):
    values = {"frames": [1, 2, 3], "rows": [1, 2]}

    def check(query):
        for read in (config_from_query, view_from_query):
            assert_said(read(query)[1])
        choices, problems = choices_of_link("convolution", values, query)
        assert_said(problems)
        assert all(0 <= choice < 3 for choice in choices.values())
        ids, problems = read_ids(query, SHOWN)
        assert_said(problems)
        assert all(name.isprintable() and name.isascii() and len(name) <= 200 for name in ids.values())
        assert_said(unknown_names(query, ()))

    attack(queries({*SETTINGS, *IN_THE_BROWSER, *SHOWN}) | st.dictionaries(TEXTS, ANY), check, cases)


@pytest.mark.parametrize(
    "query",
    [
        {"experiments": "100000000"},
        {"experiments": "101"},
        {"dims": ",".join(map(str, range(1, 1434)))},
        {"dims": "7," * 100_000 + "7"},
        {"rates": ",".join(f"{5 + number / 100}" for number in range(5000))},
        {"datasets": "cora," * 100_000 + "cora"},
    ],
    ids=lambda query: next(iter(query)),
)
def test_a_study_too_large_for_a_page_is_refused_at_once(query):
    started = time.perf_counter()
    question, problems = question_from_query(query)
    assert time.perf_counter() - started < 1
    assert question == Question() and len(problems) == 1
    assert any(words in problems[0] for words in ("at most", "twice", "lie between"))


def test_the_largest_numbers_of_a_link_are_those_that_a_browser_holds():
    settings, problems = settings_from_query({"seed": str(2**53 - 1), "data_seed": str(2**53)})
    assert settings.seed == 2**53 - 1 and len(problems) == 1 and "data_seed must be at most" in problems[0]


def test_a_link_that_names_the_job_of_another_page_has_no_job(monkeypatch):
    """The events of another page's job are of other kinds: an embedding has titles, a run has blocks."""
    from pgcn.execution.manager import JobManager
    from pgcn.ui import session as sessions
    from pgcn.ui.arena.session import Comparing, MissingRuns
    from pgcn.ui.difficulty.session import DifficultySession
    from pgcn.ui.embedding.session import EmbeddingSession
    from pgcn.ui.grow.session import GrowSession

    class Nobody:
        def watch(self, job):
            pass

    manager = JobManager(workers=1)
    monkeypatch.setattr(sessions, "job_manager", lambda: manager)
    monkeypatch.setattr(sessions, "viewer", Nobody)

    def start(progress):
        raise PgcnError("no work")

    made = {cls: cls() for cls in (GrowSession, DifficultySession, EmbeddingSession, MissingRuns, Comparing)}
    made[GrowSession].run = "a" * 32
    for session in made.values():
        session.follow(manager.submit(start, type(session).__name__))
        assert session.current_job() is not None
    for cls, session in made.items():
        for other in made.values():
            linked = cls(job=other.job)
            if cls is GrowSession:
                linked.run = session.run
            assert (linked.current_job() is not None) == (other is session)
    assert GrowSession(job=made[GrowSession].job, run="b" * 32).current_job() is None
    manager.close()
