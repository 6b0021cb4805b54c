"""Jobs in the background: steered from anywhere, fair to all, cancelled when nobody looks."""

import ctypes
import sys
import threading
import time

import psutil
import pytest
from tools import wait_until

from pgcn.errors import ConfigError
from pgcn.events import RunFinished
from pgcn.execution.manager import JobManager, give_back
from pgcn.execution.start import grow, grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockJudged

QUICK = {"epochs": 20, "max_width": 10, "max_layers": 2}
ENDLESS = {"epochs": 1_000_000}


@pytest.fixture
def manager():
    manager = JobManager(workers=2, grace=30)
    yield manager
    manager.close()


def growing(graph, **changes):
    return lambda progress: grow_many(graph, [growth_preset(**changes)])


def events_of(job):
    return [said.event for said in job.events()]


def blocks(job):
    return sum(isinstance(event, BlockJudged) for event in events_of(job))


def test_a_job_has_the_events_of_its_run_and_a_cursor_reads_on(manager, cora):
    job = manager.submit(growing(cora, seed=1, **QUICK), "ada")
    assert job.wait(60) and job.status == "finished"
    direct = grow(cora, growth_preset(seed=1, **QUICK)).finish()
    events = job.events()
    assert [type(said.event) for said in events] == [type(event) for event in direct.events]
    assert events[-1].event.scores == direct.scores
    assert job.events(3) == events[3:] and job.events(len(events)) == []
    assert manager.get(job.id) is job and manager.get("somebody's") is None


def test_cancel_ends_a_job_with_the_report_it_is_working_on(manager, cora):
    job = manager.submit(growing(cora, **ENDLESS), "ada")
    wait_until(lambda: len(job.events()) > 5)
    before = len(job.events())
    job.cancel("Enough.")
    assert job.wait(20) and job.status == "cancelled"
    assert len(job.events()) <= before + 3  # what came meanwhile, the report in the making, and the end
    last = events_of(job)[-1]
    assert isinstance(last, RunFinished) and last.reason == "Enough."


def test_a_paused_job_does_nothing_and_goes_on_where_it_was(manager, cora):
    job = manager.submit(growing(cora, seed=1, **QUICK), "ada")
    wait_until(lambda: len(job.events()) > 2)
    job.pause()
    wait_until(lambda: job.status == "paused")
    time.sleep(0.1)
    seen = len(job.events())
    time.sleep(0.2)
    assert len(job.events()) == seen
    job.resume()
    assert job.wait(60) and job.status == "finished"


def test_a_step_trains_exactly_one_block(manager, cora):
    job = manager.submit(growing(cora, **QUICK), "ada", steps=1)
    for expected in (1, 2):
        wait_until(lambda: job.status == "paused")
        time.sleep(0.1)
        assert blocks(job) == expected and job.status == "paused"
        for _ in range(2):  # a click that is sent twice
            job.step()
    job.cancel()
    assert job.wait(5)


def test_jobs_wait_their_turn_and_nobody_is_kept_waiting_by_another_s_many(cora):
    manager = JobManager(workers=1)
    gate = threading.Event()

    def held(progress):
        gate.wait(20)
        return grow_many(cora, [growth_preset(**QUICK)])

    first = manager.submit(held, "ada")
    wait_until(lambda: first.status == "running")
    others = [manager.submit(growing(cora, **QUICK), "ada") for _ in range(3)]
    late = manager.submit(growing(cora, **QUICK), "grace")
    assert manager.position(first) is None
    assert manager.position(late) == 0 and [manager.position(job) for job in others] == [1, 2, 3]
    others[0].cancel()
    assert others[0].status == "cancelled" and manager.position(others[1]) == 1
    gate.set()
    assert all(job.wait(60) for job in (first, late, *others))
    manager.close()


def test_a_job_nobody_looks_at_is_given_up_unless_it_is_to_be_kept(cora):
    manager = JobManager(workers=2, grace=1.0)
    left, kept = (manager.submit(growing(cora, **ENDLESS), "ada", keep_running=keep) for keep in (False, True))
    watched = manager.submit(growing(cora, **ENDLESS), "grace")
    deadline = time.monotonic() + 20
    while not left.ended and time.monotonic() < deadline:
        watched.events()
        time.sleep(0.02)
    assert left.status == "cancelled" and "Its page was closed" in events_of(left)[-1].reason
    assert kept.status == "running" and watched.status in ("running", "queued")
    manager.close()
    assert kept.status == watched.status == "cancelled"


def test_errors_reach_the_page_as_a_sentence_and_the_log_as_a_traceback(manager, caplog):
    def mistaken(progress):
        raise ConfigError("block_width must be at least 1, got 0.")

    def broken(progress):
        raise RuntimeError("the inside of things")

    jobs = [manager.submit(start, "ada") for start in (mistaken, broken)]
    assert all(job.wait(10) for job in jobs)
    assert [job.status for job in jobs] == ["failed", "failed"]
    assert jobs[0].error == "block_width must be at least 1, got 0."
    assert "Something went wrong inside (RuntimeError)" in jobs[1].error
    assert "the inside of things" not in jobs[1].error and "the inside of things" in caplog.text


def test_one_failed_job_does_not_stop_its_worker(cora):
    manager = JobManager(workers=1)

    def broken(progress):
        raise ConfigError("no")

    manager.submit(broken, "ada")
    job = manager.submit(growing(cora, **QUICK), "ada")
    assert job.wait(60) and job.status == "finished"
    manager.close()


def test_a_job_somebody_is_attached_to_stays_although_nobody_asks_for_its_events(cora):
    manager = JobManager(workers=1, grace=0.5)
    job = manager.submit(growing(cora, **ENDLESS), "ada")
    job.attach("a browser tab that sleeps")
    time.sleep(1.5)
    assert job.status == "running"
    job.detach("a browser tab that sleeps")
    assert job.wait(20) and "Its page was closed" in events_of(job)[-1].reason
    manager.close()


def test_a_run_that_breaks_in_the_middle_ends_as_failed_with_the_reason(manager, cora):
    class Breaking:
        def __init__(self):
            self.runs = grow_many(cora, [growth_preset(**ENDLESS)])
            self.left = 5

        def __next__(self):
            self.left -= 1
            if not self.left:
                raise ConfigError("The disk is full.")
            return next(self.runs)

        def cancel(self, reason, *, status="cancelled"):
            return self.runs.cancel(reason, status=status)

    job = manager.submit(lambda progress: Breaking(), "ada")
    assert job.wait(20) and job.status == "failed"
    assert events_of(job)[-1].status == "failed" and events_of(job)[-1].reason == "The disk is full."


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc's malloc_trim"
)
def test_memory_that_a_job_has_freed_is_given_back_when_none_is_left(manager):
    megabytes, kept = 300, []

    def start(progress):
        parts = [bytearray(b"x" * 50_000) for _ in range(megabytes * 20)]
        kept.append(parts[-1])  # all below it stays with the process
        return iter(())

    give_back()
    memory = psutil.Process().memory_info
    before = memory().rss
    job = manager.submit(start, "ada")
    assert job.wait(20) and memory().rss > before + megabytes * 2**19
    wait_until(lambda: memory().rss < before + megabytes * 2**18)
