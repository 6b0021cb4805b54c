"""Many visitors at once, measured: a real server, and tabs that speak Streamlit's protocol without a browser.

Each tab is a visitor with a cookie of its own who clicks Grow, watches the network grow by the page's own timed
refreshes, and leaves in the end. ``pgcn bench --load`` prints the figures.
"""

import asyncio
import os
import secrets
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import psutil
import websockets

# Private, because Streamlit's protocol is its own; tests/ui/test_load.py notices if it changes.
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pgcn.errors import PgcnError
from pgcn.limits import checked_number
from pgcn.places import dashboard_folder
from pgcn.temporary import LOAD, temporary_folder
from pgcn.ui.server import COOKIE

SETTINGS = "dataset=synthetic&epsilon_b=-1&epsilon_l=-1&epochs=20"
"""A small graph, and a run that goes on: every block and every layer is accepted."""
GRACE, SAMPLE = 5.0, 2.0
"""Seconds until the server ends the jobs of those who left, and between two looks at its memory."""
FINISHED = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
MOST_SESSIONS, MOST_SECONDS = 1_000, 86_400

Progress = Callable[[str], None]


class Tab:
    """One visitor's tab. ``waits`` are the seconds from asking for a refresh to having it."""

    def __init__(self, port: int, number: int) -> None:
        self.port, self.query = port, f"{SETTINGS}&seed={number}"
        self.waits: list[float] = []
        self._button, self._fragment = "", ("", 0.0)
        self._finished = asyncio.Event()

    @property
    def run(self) -> str:
        """The id of the run that it watches, empty before there is one."""
        return parse_qs(self.query).get("run", [""])[0]

    async def visit(self, until: float) -> None:
        """Open the page, click Grow, and refresh until the time has come."""
        cookie = f"{COOKIE}={secrets.token_urlsafe(32)}"
        how = {"subprotocols": ["streamlit"], "additional_headers": {"Cookie": cookie}, "max_size": None}
        async with websockets.connect(f"ws://localhost:{self.port}/_stcore/stream", **how) as connection:
            reading = asyncio.create_task(self._read(connection))
            try:
                await self._ask(connection)
                await self._ask(connection, click=self._button)
                while time.monotonic() < until:
                    fragment, interval = self._fragment
                    began = time.monotonic()
                    await self._ask(connection, fragment=fragment)
                    self.waits.append(time.monotonic() - began)
                    await asyncio.sleep(max(0.0, (interval or 1.0) - self.waits[-1]))
            finally:
                reading.cancel()

    async def _ask(self, connection, *, click: str = "", fragment: str = "") -> None:
        """Have the page, or a part of it, drawn; wait until it is."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.fragment_id, state.is_auto_rerun = self.query, fragment, bool(fragment)
        if click:
            widget = state.widget_states.widgets.add()
            widget.id, widget.trigger_value = click, True
        self._finished.clear()
        await connection.send(message.SerializeToString())
        await self._finished.wait()

    async def _read(self, connection) -> None:
        async for data in connection:
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "auto_rerun":
                self._fragment = (message.auto_rerun.fragment_id, message.auto_rerun.interval)
            elif kind == "delta" and message.delta.new_element.button.id.endswith("-grow"):
                self._button = message.delta.new_element.button.id
            elif kind == "script_finished" and message.script_finished in FINISHED:
                self._finished.set()


@dataclass
class LoadServer:
    """A dashboard of its own on a free port, with a store that is gone with it."""

    folder: Path
    script: str = "app.py"
    port: int = 0
    memory: list[float] = field(default_factory=list)
    """MB of it and of its processes, as it was looked at."""

    def __enter__(self) -> "LoadServer":
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.store = f"sqlite:///{self.folder / 'runs.db'}"
        command = [sys.executable, "-m", "streamlit", "run", self.script, "--server.port", str(self.port)]
        command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
        own = os.environ | {"PGCN_STORE": self.store, "PGCN_GRACE": str(GRACE)}
        with (self.folder / "log").open("w") as log:
            self._server = subprocess.Popen(command, cwd=dashboard_folder(), env=own, stdout=log, stderr=log)
        self.process = psutil.Process(self._server.pid)
        deadline = time.monotonic() + 60
        while not self._answers():
            if time.monotonic() > deadline or self._server.poll() is not None:
                self.__exit__()
                raise PgcnError(f"The server did not start: {(self.folder / 'log').read_text()[-500:]}")
            time.sleep(0.1)
        return self

    def __exit__(self, *_) -> None:
        self._server.terminate()
        try:
            self._server.wait(10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://localhost:{self.port}/_stcore/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def measure_memory(self) -> float:
        """Return the MB of memory that it takes now."""
        family = [self.process, *self.process.children(recursive=True)]
        self.memory.append(sum(process.memory_info().rss for process in family) / 2**20)
        return self.memory[-1]


def bench_load(sessions: int = 50, seconds: float = 300.0, progress: Progress = lambda text: None) -> dict:
    """Return how a server does with so many visitors who all have a job under way, and what is left of it after."""
    checked_number("The number of sessions", sessions, at_least=1, at_most=MOST_SESSIONS)
    checked_number("The number of seconds", seconds, kind=float, at_least=10, at_most=MOST_SECONDS)
    with (
        temporary_folder(LOAD) as folder,
        LoadServer(folder) as server,
        ThreadPoolExecutor(1) as thread,  # this thread may have an event loop of its own
    ):
        return thread.submit(asyncio.run, measure(server, sessions, seconds, progress)).result()


async def measure(server: LoadServer, sessions: int, seconds: float, progress: Progress) -> dict:
    warm = Tab(server.port, 10_000)  # so that torch is imported and the store is there
    await warm.visit(time.monotonic() + 10)
    await released(server)
    before, threads = server.measure_memory(), server.process.num_threads()
    began, blocks = time.monotonic(), []
    tabs = [Tab(server.port, number) for number in range(sessions)]
    visits = [asyncio.create_task(tab.visit(began + seconds)) for tab in tabs]
    while time.monotonic() < began + seconds:
        progress(f"{time.monotonic() - began:.0f} of {seconds:.0f} s, {server.measure_memory():.0f} MB")
        await asyncio.sleep(SAMPLE)
        if not blocks and time.monotonic() > began + seconds / 2:
            blocks = await asyncio.to_thread(blocks_of, server, tabs)
    busy = server.process.num_threads()
    later = await asyncio.to_thread(blocks_of, server, tabs)
    await asyncio.gather(*visits)
    progress("they have left: waiting until all is released")
    running = await released(server)
    waits = sorted(wait for tab in tabs for wait in tab.waits)
    half = server.memory[len(server.memory) // 2 :]
    return {
        "sessions": sessions,
        "seconds": seconds,
        "cores": os.cpu_count(),
        "blocks": later,
        "progressed": sum(last > first for first, last in zip(blocks or later, later, strict=True)),
        "ticks": len(waits),
        "tick_median": statistics.median(waits),
        "tick_95": waits[int(0.95 * (len(waits) - 1))],
        "tick_worst": waits[-1],
        "slowest_session": max(statistics.median(tab.waits) for tab in tabs),
        "memory_before": before,
        "memory_half": half[0],
        "memory_end": half[-1],
        "memory_after": server.measure_memory(),
        "threads_before": threads,
        "threads_busy": busy,
        "threads_after": server.process.num_threads(),
        "running_after": running,
    }


async def released(server: LoadServer) -> int:
    """Wait until the jobs of those who left have ended; return how many have not after a long while."""
    deadline = time.monotonic() + 6 * GRACE + 30
    while (running := await asyncio.to_thread(running_in, server)) and time.monotonic() < deadline:
        await asyncio.sleep(1)
    await asyncio.sleep(GRACE)
    return running


def blocks_of(server: LoadServer, tabs: list[Tab]) -> list[int]:
    """Return how many blocks the run of every tab has been through, as is stored."""
    from pgcn.events import CandidateJudged
    from pgcn.store import Store

    store = Store(server.store)
    try:
        known = store.find([tab.run for tab in tabs if tab.run])
        judged = {run: sum(isinstance(event, CandidateJudged) for event in store.events(run)) for run in known}
    finally:
        store.close()
    return [judged.get(tab.run, 0) for tab in tabs]


def running_in(server: LoadServer) -> int:
    """Return how many runs have not ended."""
    from pgcn.store import Store

    store = Store(server.store)
    try:
        return sum(run.status == "running" for run in store.runs())
    finally:
        store.close()
