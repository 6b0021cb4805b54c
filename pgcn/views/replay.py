"""The replay of a run: its frames and curves as JSON values, which the player in the browser draws.

The dashboard shows the player (``web/player/``) live; :func:`write_replay` writes it with the replay and Plotly to
one HTML file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from pgcn.errors import PgcnError
from pgcn.events import DecisionAwaited, EpochsTrained, Event, RunStarted, jsonable
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, BlockProposed
from pgcn.methods.registry import grows
from pgcn.numbers import known, percent
from pgcn.studies.baseline import Baseline
from pgcn.views.event_log import frames_of
from pgcn.views.frames import Frame, first_frame
from pgcn.views.pages import script_values, web_page, write_page
from pgcn.web import PLAYER, script, style

STATUS = {"candidate": 0, "accepted": 1, "rejected": 2}
MOST_POINTS = 500
"""Of a curve: a chart has not more pixels."""
GRAPH_TO_COME: dict[str, Any] = {"id": ""}
"""Keeps the room of a graph that is not drawn yet."""
LOSS = {"ce": "cross-entropy", "mse": "squared error"}


def replay(
    events: Sequence[Event],
    *,
    name: str,
    live: bool = False,
    autoplay: bool = True,
    badge: str = "",
    at: int | None = None,
    shareable: bool = False,
    baseline: Baseline | None = None,
    data: dict[str, Any] | None = None,
    inside: Mapping[Any, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a run as the player takes it, at a step if given; one of the same ``name`` continues it.

    ``data`` is the graph beside the network (:mod:`pgcn.embeddings.sample`), None where it is not shown; ``inside``
    what the neurons of its networks have learned, by step (:mod:`pgcn.inside.stored`): the player keeps what came.
    """
    if not events or not isinstance(events[0], RunStarted):
        raise PgcnError("A replay needs the events of a run from its beginning.")
    started, frames = events[0], frames_of(events)
    return jsonable(
        {
            "id": name,
            "live": live,
            "autoplay": autoplay,
            "shareable": shareable,
            "badge": badge,
            "at": None if at is None else min(at, len(frames) - 1),
            "run": {
                "title": f"A network grows on {started.dataset}, seed {started.config['seed']}",
                "features": started.features,
                "classes": started.classes,
                "epochs": started.config["epochs"],
                "loss": LOSS[started.config["loss"]],
            },
            "blocks": blocks(frames),
            "frames": [frame_values(frame) for frame in frames],
            "judged": judged_values(events),
            "losses": losses(events),
            "progress": progress(events),
            "baseline": baseline and jsonable(vars(baseline)),
            "notes": notes(baseline),
            "data": data,
            "inside": {str(step): values for step, values in (inside or {}).items()},
        }
    )


def waiting_replay(
    name: str, features: int, classes: int, sentence: str, data: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the replay of a run that has not started: input, output, and why it waits."""
    return {
        "id": name,
        "live": True,
        "autoplay": True,
        "badge": "",
        "at": None,
        "run": {"title": "", "features": features, "classes": classes, "epochs": 1, "loss": "loss"},
        "blocks": [],
        "frames": [frame_values(replace(first_frame(sentence), title="Starting", short="Starting"))],
        "judged": judged_values([]),
        "losses": [],
        "progress": 0.0,
        "baseline": None,
        "notes": notes(None),
        "data": data,
        "inside": {},
    }


def blocks(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """Return every block tried, with its tooltips as a candidate and after the decision."""
    tried: dict[int, dict[str, Any]] = {}
    for frame in frames:
        for block in frame.blocks:
            known = tried.setdefault(
                block.tried, {"layer": block.layer, "number": block.number, "width": block.width, "about": []}
            )
            if block.about not in known["about"]:
                known["about"].append(block.about)
    return [tried[number] for number in sorted(tried)]


def frame_values(frame: Frame) -> dict[str, Any]:
    scores = frame.scores
    facts = [f"{frame.parameters:,} parameters"] if frame.parameters else []
    measured = {"validation": scores.val_accuracy, "test": scores.test_accuracy} if scores else {}
    accuracies = {name: f"{name} {percent(share)}" for name, share in measured.items() if known(share) is not None}
    newest = accuracies.get("validation", "") if "test" in accuracies else ""
    rejected = sum(frame.rejected.values())
    return {
        "kind": frame.kind,
        "row": frame.row,
        "short": frame.short,
        "title": frame.title,
        "sentence": frame.sentence,
        "blocks": [[block.tried, STATUS[block.status]] for block in frame.blocks],
        "topology": frame.topology,
        "tried": frame.tried - 1,
        "judged": frame.judged,
        "network": frame.network,
        "rejected": frame.rejected,
        "facts": " · ".join([*accuracies.values(), *facts]),
        "newest": newest,
        "tally": f"rejected so far: {rejected} block{'s' * (rejected != 1)}, {frame.layers_rejected} "
        f"layer{'s' * (frame.layers_rejected != 1)}",
    }


def judged_values(events: Sequence[Event]) -> dict[str, list]:
    """Return the curves by block tried; ``rises`` lists the accepted blocks with which E rose."""
    judged = [event for event in events if isinstance(event, BlockJudged)]
    accepted = [isinstance(event, BlockAccepted) for event in judged]
    return {
        "accepted": accepted,
        "labelled": [event.after.labelled_accuracy for event in judged],
        "val": [event.after.val_accuracy for event in judged],
        "test": [known(event.after.test_accuracy) for event in judged],
        "parameters": [event.parameters for event in judged],
        "error_solved": [event.error_solved for event in judged],
        "error_tuned": [event.error_tuned for event in judged],
        "rises": [
            number
            for number, event in enumerate(judged)
            if accepted[number] and event.error_before is not None and event.error_tuned > event.error_before
        ],
    }


def losses(events: Sequence[Event]) -> list[tuple[list[int], list[float]]]:
    """Return the training losses within each block tried: epochs and values, as many as can be seen."""
    curves: list[tuple[list[int], list[float]]] = []
    for event in events:
        if isinstance(event, BlockProposed):
            curves.append(([], []))
        elif isinstance(event, EpochsTrained) and curves:
            curves[-1][0].append(event.epoch)
            curves[-1][1].append(float(f"{event.loss:.5g}"))
    return [(thinned(epochs), thinned(values)) for epochs, values in curves]


def thinned(values: list) -> list:
    """Return at most :data:`MOST_POINTS` of the values of a curve: every second, fourth, …, and the last.

    So what is sent of a run under way does not grow for ever, and points that were shown stay where they are.
    """
    step = 1
    while len(values) > step * (MOST_POINTS - 1):
        step *= 2
    kept = values[::step]
    return kept if (len(values) - 1) % step == 0 else [*kept, values[-1]]


def progress(events: Sequence[Event]) -> float:
    """Return how far the candidate block has been trained, 0 to 1."""
    last = events[-1]
    if isinstance(last, DecisionAwaited):
        return 1.0
    return last.epoch / last.epochs if isinstance(last, EpochsTrained) else 0.0


def notes(baseline: Baseline | None) -> dict[str, str]:
    """Return the notes below the charts."""
    if baseline is None:
        return {
            "accuracy": "Test accuracy never decides. The GCN baseline (16 hidden neurons) is not trained yet.",
            "parameters": "Parameters of the network after each decision.",
        }
    return {
        "accuracy": f"{baseline.describe()}. Test accuracy never decides.",
        "parameters": f"Parameters of the network after each decision; the GCN has {baseline.parameters:,}.",
    }


def replay_page(values: dict[str, Any]) -> str:
    """Return a web page with the replay, the player and Plotly; it needs no network."""
    from plotly.offline import get_plotlyjs

    title = values["run"]["title"]
    return web_page(
        title,
        style=f"body {{ margin: 0; }}\n{style('player')}",
        scripts=(get_plotlyjs(),),
        body_class="alone",
        body=f'<h2>{escape(title)}</h2><div id="replay"></div>\n<script type="module">{script(PLAYER)}\n'
        f'new Player(document.getElementById("replay"), {script_values(values)});</script>',
    )


def write_replay(events: Sequence[Event], path: Path, **how: Any) -> None:
    """Write the replay of a run to one HTML file; it plays at once unless the reader prefers reduced motion."""
    write_page(replay_page(replay(replayable(events), name="replay", **how)), path)


def replayable(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events if there is something to replay."""
    if events and isinstance(events[0], RunStarted):
        if not grows(events[0].method):
            raise PgcnError(f"No replay: nothing grows in a run of method {events[0].method}.")
        if not any(isinstance(event, BlockJudged) for event in events):
            raise PgcnError("There is nothing to replay in this run yet: no block has been judged.")
    return events
