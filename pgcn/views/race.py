"""Runs on one clock: where each stands after so many epochs or seconds, as the browser draws them side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pgcn.engine.architecture import describe_topology
from pgcn.events import CandidateJudged, EpochsTrained, Event, RunFinished, RunStarted, jsonable, opening
from pgcn.methods.registry import grows
from pgcn.numbers import counted, known, percent
from pgcn.views.event_log import NEXT, frames_of
from pgcn.views.frames import first_frame
from pgcn.views.replay import blocks, frame_values, thinned

CLOCKS = ("epochs", "seconds")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A run in a race: what it is called, what happened in it so far, and in a word how it stands.

    ``widths`` are those of the hidden layers where these are known beforehand, None where the run finds them;
    ``problem`` says why nothing of it is stored.
    """

    id: str
    title: str
    state: str
    events: Sequence[Event]
    live: bool = False
    widths: Sequence[int] | None = None
    problem: str = ""


def race_values(entries: Sequence[Entry], clock: str, *, shape: tuple[int, int]) -> dict[str, Any]:
    """Return a race as the browser takes it; ``shape`` are the features and classes of its graph."""
    return jsonable(
        {
            "id": " ".join([clock, *(entry.id for entry in entries)]),
            "clock": clock,
            "live": any(entry.live for entry in entries),
            "racers": [racer_values(entry, clock, shape) for entry in entries],
        }
    )


def racer_values(entry: Entry, clock: str, shape: tuple[int, int]) -> dict[str, Any]:
    """Return one run: its network at every step, its curves as [time, value], and its row of the table."""
    events = entry.events
    times = times_of(events, clock)
    features, classes = shape
    drawn = drawn_network(events, times, entry.widths)
    ended = events[-1] if events and isinstance(events[-1], RunFinished) else None
    return {
        "id": entry.id,
        "title": entry.title,
        "state": entry.state,
        "problem": entry.problem,
        "live": entry.live,
        "replay": {"id": entry.id, "run": {"features": features, "classes": classes}, **drawn},
        "val": accuracies(events, times),
        "parameters": sizes(events, times),
        "loss": losses(events, times),
        "end": times[-1] if ended else None,
        "status": ended.status if ended else "",
        "row": row_of(events, ended),
    }


def times_of(events: Sequence[Event], clock: str) -> list[float | None]:
    """Return when each event happened, in epochs trained or seconds computed; None where that is not known yet.

    Seconds are known where a candidate is judged and at the end; between these every epoch takes as long.
    """
    times: list[float | None] = []
    base = 0.0
    for segment in candidates(events):
        epochs = [event.epoch for event in segment if isinstance(event, EpochsTrained)]
        last, closing = max(epochs, default=0), segment[-1]
        if clock == "epochs":
            end: float | None = base + last
        elif isinstance(closing, CandidateJudged):
            end = base + closing.seconds
        else:
            end = max(base, closing.seconds) if isinstance(closing, RunFinished) else None
        for event in segment:
            if isinstance(event, EpochsTrained):
                times.append(None if end is None else base + (end - base) * event.epoch / last)
            else:
                times.append(end if event is closing else base)
        base = base if end is None else end
    return times


def candidates(events: Sequence[Event]) -> list[list[Event]]:
    """Return the events divided where a candidate has been judged."""
    judged = 0
    parts = []
    for event in events:
        parts.append((judged, event))
        judged += isinstance(event, CandidateJudged)
    return [[event for _, event in part] for _, part in groupby(parts, key=lambda one: one[0])]


def drawn_network(
    events: Sequence[Event], times: list[float | None], widths: Sequence[int] | None
) -> dict[str, Any]:
    """Return the network at every step: as it grew, else a block for each layer, hollow until it is trained."""
    if events and grows(opening(events).method):
        frames = frames_of(events)
        at = [0.0, *(time for event, time in zip(events[1:], times[1:], strict=True) if type(event) in NEXT)]
        return {"blocks": blocks(frames), "frames": [frame_values(frame) for frame in frames], "times": at}
    last = events[-1] if events else None
    ended = isinstance(last, RunFinished)
    made = last.topology if ended else widths or ()
    empty = frame_values(first_frame("")) | {"title": "At the start" if events else "Not run yet"}
    begun = empty | {"blocks": [[number, 0] for number in range(len(made))] if widths else []}
    drawn = {
        "blocks": [
            {"layer": number, "number": 1, "width": width, "about": [f"Layer {number}: {counted(width, 'neuron')}"]}
            for number, width in enumerate(made, 1)
        ],
        "frames": [begun],
        "times": [0.0],
    }
    if ended:
        end = {"kind": "end", "title": "Trained", "blocks": [[number, 1] for number in range(len(made))]}
        drawn["frames"].append(empty | end | {"topology": list(made)})
        drawn["times"].append(times[-1])
    return drawn


def accuracies(events: Sequence[Event], times: list[float | None]) -> list[tuple[float, float]]:
    """Return the validation accuracy in percent of the network that stands, wherever it is measured."""
    points = []
    for time, scores, _ in standing(events, times):
        if scores is not None:
            points.append((time, 100 * scores.val_accuracy))
    return points


def sizes(events: Sequence[Event], times: list[float | None]) -> list[tuple[float, int]]:
    """Return the parameters of the network that stands; those of a fixed topology are there from the beginning."""
    points = [(time, parameters) for time, _, parameters in standing(events, times) if parameters]
    if events and points and not grows(opening(events).method) and not any(map(is_judged, events)):
        return [(0.0, points[-1][1]), points[-1]]
    return points


def is_judged(event: Event) -> bool:
    return isinstance(event, CandidateJudged)


def standing(events: Sequence[Event], times: list[float | None]) -> list[tuple[float, Any, int]]:
    """Return time, scores and parameters of the network that stands after each decision."""
    if not events:
        return []
    if grows(opening(events).method):
        shown = [(event, time) for event, time in zip(events, times, strict=True) if type(event) in NEXT]
        pairs = zip(frames_of(events)[1:], shown, strict=True)
        return [
            (time, frame.scores, frame.parameters)
            for frame, (event, time) in pairs
            if time is not None and frame.kind != "proposed"
        ]
    found = []
    for event, time in zip(events, times, strict=True):
        best = is_judged(event) and getattr(event, "best", False)
        if time is not None and (best or isinstance(event, RunFinished)) and event.scores is not None:
            found.append((time, event.scores, event.parameters))
    return found


def losses(events: Sequence[Event], times: list[float | None]) -> list[tuple[float, float]]:
    """Return the training losses of whatever is in training, as many as can be seen."""
    points = [
        (time, float(f"{event.loss:.4g}"))
        for event, time in zip(events, times, strict=True)
        if isinstance(event, EpochsTrained) and time is not None and known(event.loss) is not None
    ]
    return thinned(points)


def row_of(events: Sequence[Event], ended: RunFinished | None) -> list[str]:
    """Return what a run came to: test and validation accuracy, topology, parameters, epochs, seconds."""
    if ended is None or ended.scores is None:
        return []
    started: RunStarted = opening(events)
    test = known(ended.scores.test_accuracy)
    return [
        "–" if test is None else percent(test),
        percent(ended.scores.val_accuracy),
        describe_topology(started.features, ended.topology, started.classes),
        f"{ended.parameters:,}",
        f"{times_of(events, 'epochs')[-1]:,.0f}",
        f"{ended.seconds:.1f}",
    ]
