"""What a job, a visitor and all visitors may take: nobody can block the others."""

import threading
import time

import pytest
from tools import wait_until

from pgcn.errors import BusyError, ConfigError
from pgcn.events import RunEvent
from pgcn.execution.limits import Limits, bytes_text, duration_text
from pgcn.execution.manager import JobManager
from pgcn.execution.memory import Memory
from pgcn.execution.start import grow, grow_many
from pgcn.execution.turns import Turns
from pgcn.execution.work import JobStopped
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockProposed

QUICK = {"epochs": 20, "max_width": 10, "max_layers": 2}
ENDLESS = {"epochs": 1_000_000}


@pytest.fixture
def managers():
    """Make managers with limits, and close them in the end."""
    made = []

    def make(workers=1, **limits):
        made.append(JobManager(workers, limits=Limits(**limits)))
        return made[-1]

    yield make
    for manager in made:
        manager.close()


def growing(graph, **changes):
    return lambda progress: grow_many(graph, [growth_preset(**changes)])


class Idle:
    """Work in which nothing happens, for so many turns."""

    def __init__(self, turns=1):
        self.turns = turns

    def __next__(self):
        self.turns -= 1
        if self.turns < 0:
            raise StopIteration
        time.sleep(0.001)

    def cancel(self, reason, *, status="cancelled"):
        return []


def idle(turns=10**9):
    return lambda progress: Idle(turns)


def test_a_paused_job_gives_its_worker_back_and_goes_on_when_resumed(managers, small_graph):
    manager = managers()
    paused = manager.submit(growing(small_graph, seed=1, **QUICK), "ada", steps=1)
    wait_until(lambda: paused.status == "paused")
    other = manager.submit(growing(small_graph, **QUICK), "grace")
    assert other.wait(30) and other.status == "finished"
    assert paused.status == "paused"
    paused.resume()
    assert paused.wait(30) and paused.status == "finished"
    alone = grow(small_graph, growth_preset(seed=1, **QUICK)).finish()
    assert paused.events()[-1].event.scores == alone.scores


def test_endless_jobs_of_some_leave_turns_to_all_others_and_change_nothing_in_them(managers, small_graph):
    manager = managers()
    endless = [manager.submit(growing(small_graph, **ENDLESS), name) for name in ("ada", "grace", "emmy")]
    settings = {"epochs": 150, "max_layers": 2, "max_width": 20, "seed": 3}
    short = manager.submit(growing(small_graph, **settings), "mary")
    assert short.wait(60) and short.status == "finished"
    before = [len(job.events()) for job in endless]
    wait_until(lambda: all(len(job.events()) > number for job, number in zip(endless, before, strict=True)))
    alone = grow(small_graph, growth_preset(**settings)).finish()
    last = short.events()[-1].event
    assert (last.topology, last.scores) == (alone.topology, alone.scores)


def test_a_paused_job_is_cancelled_at_once_and_after_a_long_pause_by_itself(managers, small_graph):
    manager = managers(pause=0.4)
    job, left = (manager.submit(growing(small_graph, **QUICK), "ada", steps=1) for _ in range(2))
    wait_until(lambda: job.status == "paused")
    job.cancel("Enough.")
    assert job.wait(5) and job.events()[-1].event.reason == "Enough."
    assert left.wait(10) and left.status == "cancelled"
    assert "it was paused for" in left.events()[-1].event.reason
    assert manager.unended == 0


def test_a_job_that_has_used_up_its_time_is_cancelled_with_a_sentence(managers, small_graph):
    job = managers(seconds=0.3).submit(growing(small_graph, **ENDLESS), "ada")
    assert job.wait(20) and job.status == "cancelled"
    assert "PGCN_MAX_SECONDS" in job.events()[-1].event.reason and job.seconds >= 0.3


def test_waiting_and_pausing_take_nothing_off_a_job_s_time(managers):
    manager, gate = managers(), threading.Event()
    held = manager.submit(lambda progress: gate.wait(20) and Idle(0), "ada")
    job = manager.submit(idle(), "bob")
    wait_until(lambda: held.begun)
    time.sleep(0.1)
    assert not job.begun and job.seconds == 0
    gate.set()
    wait_until(lambda: job.begun)
    job.pause()
    other = manager.submit(idle(), "grace")
    wait_until(lambda: other.begun)  # the paused one has given its worker back
    computed = job.seconds
    time.sleep(0.1)
    assert (job.status, job.seconds) == ("paused", computed)


def test_a_job_that_is_too_large_is_refused_and_one_that_grows_too_large_is_stopped(managers):
    manager = managers(memory=1000)
    with pytest.raises(BusyError, match="PGCN_MAX_MEMORY"):
        manager.submit(idle(), "ada", memory=Memory(1001))

    class Growing(Memory):
        def follow(self, event):
            self.now += 400

    class Events(Idle):
        def __next__(self):
            proposed = {"layer": 1, "block": 1, "width": 5, "topology": (5,), "parameters": 1}
            return RunEvent(run=0, event=BlockProposed(**proposed))

    job = manager.submit(lambda progress: Events(), "ada", memory=Growing(100))
    assert job.wait(10) and job.status == "cancelled" and len(job.events()) == 3
    assert "PGCN_MAX_MEMORY" in job.stop_reason


def test_jobs_wait_for_memory_and_great_ones_do_not_block_small_ones(managers):
    manager = managers(workers=2, memory=1600)
    great, second = (manager.submit(idle(), "ada", memory=Memory(1500)) for _ in range(2))
    wait_until(lambda: great.begun and manager.waits_for_memory(second))
    small = manager.submit(idle(5), "grace", memory=Memory(100))
    assert small.wait(10) and small.status == "finished"
    assert second.status == "queued"
    great.cancel()
    wait_until(lambda: second.begun)


def test_a_visitor_has_so_many_jobs_and_the_server_too_and_both_are_told(managers):
    manager = managers(jobs=2, queue=3)
    first, _ = (manager.submit(idle(), "ada") for _ in range(2))
    with pytest.raises(BusyError, match=r"You have 2 jobs.*PGCN_MAX_JOBS"):
        manager.submit(idle(), "ada")
    manager.submit(idle(), "grace")
    with pytest.raises(BusyError, match="busy: 3 jobs"):
        manager.submit(idle(), "emmy")
    first.cancel()
    wait_until(lambda: manager.unended == 2)
    manager.submit(idle(), "ada")


@pytest.mark.parametrize("owners", [1, 100, 20_000])
def test_twenty_thousand_jobs_are_ordered_in_no_time(managers, owners, measured):
    manager, gate = managers(jobs=None, queue=None), threading.Event()
    held = manager.submit(lambda progress: gate.wait(20) and Idle(0), "held")
    wait_until(lambda: held.begun)
    began = time.perf_counter()
    jobs = [manager.submit(idle(0), str(number % owners)) for number in range(20_000)]
    submitted = time.perf_counter()
    places = [manager.position(job) for job in jobs[:: len(jobs) // 5]]
    asked = time.perf_counter()
    gate.set()
    assert places == sorted(places) and jobs[-1].wait(20)
    ended = time.perf_counter()
    wait_until(lambda: manager.unended == 0)
    measured(
        f"20,000 jobs of {owners}: submitted in {submitted - began:.2f} s, five positions in "
        f"{1000 * (asked - submitted):.0f} ms, all over after {ended - asked:.2f} s"
    )
    assert ended - began < 10  # half a second on a machine that is idle; it was most of a minute under the lock


def test_turns_are_in_the_order_that_their_positions_say():
    class Owned:
        def __init__(self, owner):
            self.owner = owner

    turns, jobs = Turns(), [Owned(owner) for owner in "aaaabbc"]
    for job in jobs:
        turns.add(job)
    expected = sorted(jobs, key=turns.position)
    taken = [turns.take() for _ in jobs]
    assert [job.owner for job in taken] == list("abcabaa") and taken == expected
    assert turns.take() is None and turns.count == 0


def test_long_work_is_stopped_where_it_says_what_it_does(managers):
    def start(progress):
        while True:
            progress("Thinking…")
            time.sleep(0.01)

    job = managers().submit(start, "ada")
    wait_until(lambda: job.doing)
    job.cancel()
    assert job.wait(5) and job.status == "cancelled" and job.error is None


def test_closing_tells_paused_work_that_it_is_over(small_graph):
    manager = JobManager(1)
    job = manager.submit(growing(small_graph, **QUICK), "ada", steps=1)
    wait_until(lambda: job.status == "paused")
    manager.close()
    assert job.status == "cancelled" and job.events()[-1].event.reason == "The server is closing."
    with pytest.raises(BusyError, match="closing"):
        manager.submit(idle(), "ada")


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("PGCN_MAX_SECONDS", "soon"),
        ("PGCN_MAX_SECONDS", "-1"),
        ("PGCN_MAX_SECONDS", "nan"),
        ("PGCN_MAX_MEMORY", "lots"),
        ("PGCN_MAX_MEMORY", "0"),
        ("PGCN_MAX_JOBS", "0"),
        ("PGCN_MAX_JOBS", "9" * 5000),
        ("PGCN_GRACE", "inf"),
    ],
)
def test_a_limit_that_cannot_be_read_is_an_error_that_names_it(variable, text):
    with pytest.raises(ConfigError, match=f"{variable} must be"):
        Limits.from_environment({variable: text})


def test_limits_are_read_from_the_environment_and_said_in_words():
    given = {"PGCN_MAX_SECONDS": "90", "PGCN_MAX_MEMORY": "1.5 GiB", "PGCN_MAX_JOBS": "2", "PGCN_GRACE": "4"}
    limits = Limits.from_environment(given)
    assert (limits.seconds, limits.memory, limits.jobs, limits.grace) == (90, 3 * 2**29, 2, 4)
    assert limits.sentence() == "A job may compute for 90 seconds and take 1.5 GB of memory; 2 jobs at a time."
    assert Limits.from_environment({}) == Limits() and Limits().memory > 2**28
    assert (bytes_text(500 * 2**20), duration_text(3600)) == ("500 MB", "60 minutes")


def test_whoever_is_stopped_is_not_taken_for_a_failure():
    assert not issubclass(JobStopped, (OSError, ValueError))
