"""A stored run as files to export."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pgcn.execution.export import network_file
from pgcn.methods.registry import grows
from pgcn.source import GraphSource
from pgcn.ui.server import store
from pgcn.ui.stored_runs import stored_events
from pgcn.views.exports import events_as_csv, events_as_jsonl
from pgcn.views.replay import replay, replay_page, replayable

if TYPE_CHECKING:
    from pgcn.store import StoredRun


class File(NamedTuple):
    """A file that a run can be exported to; ``make`` makes it."""

    label: str
    ending: str
    kind: str
    make: Callable[[], str | bytes]


def show_exports(run: "StoredRun", *, readable: bool) -> None:
    """Draw a button for every file a run can be exported to; a file is made when it is asked for.

    ``readable`` says that its events can be read; of a damaged run only the network is left.
    """
    with st.popover("Export", icon=":material/download:", key="export"):
        for label, ending, kind, make in files_of(run, readable=readable):
            file = f"pgcn-{run.dataset}-seed{run.seed}-{run.id[:8]}.{ending}"
            st.download_button(label, data=make, file_name=file, mime=kind, on_click="ignore", key=f"get_{file}")
        st.caption("Figures: every chart has a camera (PNG) and a disk (SVG); Grow has links below the canvas.")


def files_of(run: "StoredRun", *, readable: bool = True) -> list[File]:
    """Return every file that a run can be exported to."""
    files = [
        File("Events as CSV", "csv", "text/csv", lambda: events_as_csv(stored_events(run))),
        File("Events as JSON Lines", "jsonl", "application/jsonl", lambda: events_as_jsonl(stored_events(run))),
    ] * readable
    if run.step is not None:
        weights = "application/octet-stream"
        files.append(File("Network as safetensors", "safetensors", weights, lambda: network_file(store(), run.id)))
        if grows(run.method) and readable:
            files.append(File("Replay as a web page", "html", "text/html", lambda: run_page(run)))
    return files


def run_page(run: "StoredRun") -> bytes:
    """Return the replay of a run as a web page that needs no server."""
    from pgcn.inside.stored import read_profiles, steps_of
    from pgcn.studies.baseline import stored_baseline

    events = replayable(stored_events(run))
    started = events[0]
    how = {"reproducible": started.reproducible}
    source = GraphSource.from_recipe(started.recipe) if started.recipe else None
    baseline = stored_baseline(source, store(), **how) if source else None
    inside = read_profiles(store(), run.id, steps_of(events))  # where it was looked at
    return replay_page(replay(events, name=run.id, baseline=baseline, inside=inside)).encode()
