"""Runs carried out whole, wherever there is a worker, and handed back. What hands runs out imports no torch."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.errors import PgcnError
from pgcn.events import Event, RunEvent, RunFinished
from pgcn.execution.mailbox import Mailbox
from pgcn.execution.spec import RunSpec
from pgcn.store import AcceptedNetwork, Store

if TYPE_CHECKING:
    from pgcn.methods.network import Network

REPORT_EVERY = 25
"""Epochs between the losses that are stored: a study stores many runs."""
LOOK_AGAIN = 0.5
"""Seconds after which to look again at a run that somebody else works on."""


@dataclass(frozen=True, kw_only=True)
class CompletedRun:
    """A run as it is stored: its events, and the networks it accepted, the one it ended with last."""

    events: tuple[Event, ...]
    networks: tuple[AcceptedNetwork, ...]


Ended = tuple[str, CompletedRun]
"""A run that has ended, by the name it was asked for."""


def complete_run(spec: RunSpec, *, data_dir: str | None = None, store_url: str | None = None) -> CompletedRun:
    """Carry a run out in this process; ``store_url`` names the store that its graph is in."""
    return complete_runs({"": spec}, data_dir=data_dir, store_url=store_url)[0][1]


def complete_runs(
    specs: Mapping[str, RunSpec],
    mailbox: Mailbox | None = None,
    *,
    data_dir: str | None = None,
    store_url: str | None = None,
) -> list[Ended]:
    """Carry runs of one method on one graph out side by side in this process.

    With a mailbox each is put there when it ends, and only the last is returned.
    """
    require_mode(any(spec.reproducible for spec in specs.values()))
    from pgcn.execution.execute import execute

    store = Store(store_url) if store_url else None
    try:
        work = execute(list(specs.values()), store, record=False, report_every=REPORT_EVERY, data_dir=data_dir)
        under_way = dict(enumerate(_UnderWay(name) for name in specs))
        returned: list[Ended] = []

        def collect(said: RunEvent, network: "Network | None") -> None:
            run = under_way[said.run]
            run.take(said.event, network)
            if isinstance(said.event, RunFinished):
                del under_way[said.run]  # its networks need no longer be held here
                if mailbox is not None and under_way:
                    mailbox.put(run.ended)
                else:
                    returned.append(run.ended)

        work.runs.listen(collect)
        for _ in work.runs:
            pass
    finally:
        if store:
            store.close()
    return returned


def complete_search(
    spec: RunSpec,
    run: str,
    *,
    store_url: str,
    name: str,
    batch: str,
    creator: str,
    data_dir: str | None = None,
) -> RunFinished:
    """Carry out in this process a search that is stored as it happens, or resume it; return how it ended.

    It takes long: what it has tried is kept when it is stopped. One that somebody else works on is waited for.
    """
    require_mode(spec.reproducible)
    from pgcn.execution.execute import execute, resume_execution

    store = Store(store_url)
    try:
        while (known := store.find([run]).get(run)) is not None and known.status == "running":
            time.sleep(LOOK_AGAIN)
        if known is not None and known.status in ("interrupted", "cancelled"):
            resume_execution(store, run).finish()
        elif known is None or known.status == "damaged":
            if known is not None:
                store.delete(run)
            store.purge([run])  # also one that was deleted before
            execute(
                [spec],
                store,
                ids=[run],
                batch=batch,
                creator=creator,
                report_every=REPORT_EVERY,
                data_dir=data_dir,
            ).finish()
        store.change(run, name=name)
        return ending_of(store.events(run))
    finally:
        store.close()


def ending_of(events: Sequence[Event]) -> RunFinished:
    """Return the event that ended a run."""
    if not isinstance(events[-1], RunFinished):
        raise PgcnError("The run has not ended.")
    return events[-1]


def require_mode(reproducibly: bool) -> None:
    """Refuse runs that must be reproducible in a process that is not."""
    if reproducibly and not reproducible.is_on():
        raise PgcnError(
            "This worker does not compute reproducibly, as the study asks for. Start it with PGCN_REPRODUCIBLE=1."
        )


@dataclass
class _UnderWay:
    """What has become of a run so far."""

    name: str
    events: list[Event] = field(default_factory=list)
    networks: list[AcceptedNetwork] = field(default_factory=list)

    def take(self, event: Event, network: "Network | None") -> None:
        from pgcn.execution.recorder import accepted_row

        self.events.append(event)
        if network is not None:
            self.networks.append(accepted_row(network))

    @property
    def ended(self) -> Ended:
        return self.name, CompletedRun(events=tuple(self.events), networks=tuple(self.networks))
