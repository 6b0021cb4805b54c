"""A run that is interrupted: what must be stored of it, and that it ends as if it had not been."""

import contextlib
import os

from comparison import same, state, timeless
from tools import wait_until

from pgcn.execution.execute import execute, resume_execution
from pgcn.execution.recorder import stored_model
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.store import Store

SPEC = RunSpec(
    method="pgcn",
    config=growth_preset(epochs=30, max_width=15, max_layers=3, seed=3),
    source=GraphSource.of("synthetic", nodes=150, classes=3, features=30, seed=1),
)
RUN = "a" * 32


def begun(url):
    """Return a new store and the run in it, begun, with one block accepted."""
    store = Store(url)
    work = execute([SPEC], store, ids=[RUN])
    until_second_block(work)
    return store, work


def sound(store, whole):
    """What is stored is a beginning of what happens, with the network of every accepted block."""
    events = store.events(RUN)
    assert timeless(events) == timeless(whole.events)[: len(events)]
    accepted = sum(isinstance(event, BlockAccepted) for event in events)
    assert list(store.networks(RUN)) == list(range(1, accepted + 1))


def resumed_as_whole(store, whole):
    """A run that was interrupted ends as it would have."""
    wait_until(lambda: store.run(RUN).status == "interrupted")
    sound(store, whole)
    (result,) = resume_execution(store, RUN).finish()
    assert timeless(store.events(RUN)) == timeless(whole.events) and result.scores == whole.scores
    assert same(state(stored_model(store, RUN)), state(whole.model))


def until_second_block(work):
    """Let a run go on until it has accepted two blocks."""
    accepted = 0
    while accepted < 2:
        event = next(work)
        accepted += event is not None and isinstance(event.event, BlockAccepted)


def leave(room, disk):
    """Fill a disk but for so many bytes."""
    file = disk / "filler"
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(4096))
    os.truncate(file, file.stat().st_size - room)
