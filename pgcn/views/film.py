"""A run as a film: its pictures and curves as plain values, which the player draws.

The player (``player/``) is a small program for browsers. The dashboard shows it live; :func:`write_film` puts it
with the film and Plotly into one HTML file that plays without us.
"""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from pgcn.errors import PgcnError
from pgcn.events import BlockAccepted, BlockJudged, BlockProposed, EpochsTrained, Event, RunStarted, jsonable
from pgcn.methods.registry import grows
from pgcn.studies.baseline import Baseline
from pgcn.views.pages import script_values, web_page, write_page
from pgcn.views.story import Snapshot, snapshots
from pgcn.web import WEB

PLAYER = WEB / "player"
STATUS = {"candidate": 0, "accepted": 1, "rejected": 2}
LOSS = {"ce": "cross-entropy", "mse": "squared error"}


def film(
    events: Sequence[Event],
    *,
    name: str,
    live: bool = False,
    autoplay: bool = True,
    badge: str = "",
    at: int | None = None,
    shareable: bool = False,
    baseline: Baseline | None = None,
) -> dict[str, Any]:
    """Return a run as the player takes it, at a step if given. A film of the same ``name`` is a continuation."""
    if not events or not isinstance(events[0], RunStarted):
        raise PgcnError("A film needs the events of a run from its beginning.")
    started, pictures = events[0], snapshots(events)
    return jsonable(
        {
            "id": name,
            "live": live,
            "autoplay": autoplay,
            "shareable": shareable,
            "badge": badge,
            "at": None if at is None else min(at, len(pictures) - 1),
            "run": {
                "title": f"A network grows on {started.dataset}, seed {started.config['seed']}",
                "features": started.features,
                "classes": started.classes,
                "epochs": started.config["epochs"],
                "loss": LOSS[started.config["loss"]],
            },
            "blocks": blocks(pictures),
            "pictures": [picture_values(picture) for picture in pictures],
            "judged": judged_values(events),
            "losses": losses(events),
            "progress": progress(events),
            "baseline": baseline and vars(baseline),
            "notes": notes(baseline),
        }
    )


def waiting_film(name: str, features: int, classes: int, sentence: str) -> dict[str, Any]:
    """Return the film of a run that has not begun: its two ends, and why it waits."""
    start = Snapshot(
        kind="start", blocks=(), tried=0, rejected={}, layers_rejected=0, parameters=0, scores=None, judged=0,
        title="The run begins", sentence=sentence,
    )  # fmt: skip
    return {
        "id": name,
        "live": True,
        "autoplay": True,
        "badge": "",
        "at": None,
        "run": {"title": "", "features": features, "classes": classes, "epochs": 1, "loss": "loss"},
        "blocks": [],
        "pictures": [picture_values(start)],
        "judged": judged_values([]),
        "losses": [],
        "progress": 0.0,
        "baseline": None,
        "notes": notes(None),
    }


def blocks(pictures: Sequence[Snapshot]) -> list[dict[str, Any]]:
    """Return every block tried, with what there was to say of it as a candidate and after."""
    tried: dict[int, dict[str, Any]] = {}
    for picture in pictures:
        for block in picture.blocks:
            known = tried.setdefault(
                block.tried, {"layer": block.layer, "number": block.number, "width": block.width, "about": []}
            )
            if block.about not in known["about"]:
                known["about"].append(block.about)
    return [tried[number] for number in sorted(tried)]


def picture_values(picture: Snapshot) -> dict[str, Any]:
    scores = picture.scores
    facts = [f"{picture.parameters:,} parameters"] if picture.parameters else []
    if scores:
        facts[:0] = [f"validation {100 * scores.val_accuracy:.1f} %", f"test {100 * scores.test_accuracy:.1f} %"]
    lost = sum(picture.rejected.values())
    return {
        "kind": picture.kind,
        "title": picture.title,
        "sentence": picture.sentence,
        "blocks": [[block.tried, STATUS[block.status]] for block in picture.blocks],
        "topology": picture.topology,
        "tried": picture.tried - 1,
        "judged": picture.judged,
        "rejected": picture.rejected,
        "facts": " · ".join(facts),
        "tally": f"rejected so far: {lost} block{'s' * (lost != 1)}, {picture.layers_rejected} "
        f"layer{'s' * (picture.layers_rejected != 1)}",
    }


def judged_values(events: Sequence[Event]) -> dict[str, list]:
    """Return the curves by block tried; ``rises`` lists the kept blocks after which E was greater than before."""
    judged = [event for event in events if isinstance(event, BlockJudged)]
    kept = [isinstance(event, BlockAccepted) for event in judged]
    return {
        "kept": kept,
        "labelled": [event.after.labelled_accuracy for event in judged],
        "val": [event.after.val_accuracy for event in judged],
        "test": [event.after.test_accuracy for event in judged],
        "parameters": [event.parameters for event in judged],
        "error_solved": [event.error_solved for event in judged],
        "error_tuned": [event.error_tuned for event in judged],
        "rises": [
            number
            for number, event in enumerate(judged)
            if kept[number] and event.error_before is not None and event.error_tuned > event.error_before
        ],
    }


def losses(events: Sequence[Event]) -> list[tuple[list[int], list[float]]]:
    """Return the training losses within each block tried: epochs and values."""
    curves: list[tuple[list[int], list[float]]] = []
    for event in events:
        if isinstance(event, BlockProposed):
            curves.append(([], []))
        elif isinstance(event, EpochsTrained) and curves:
            curves[-1][0].append(event.epoch)
            curves[-1][1].append(float(f"{event.loss:.5g}"))
    return curves


def progress(events: Sequence[Event]) -> float:
    """Return how far the candidate block has been trained, 0 to 1."""
    last = events[-1]
    return last.epoch / last.epochs if isinstance(last, EpochsTrained) else 0.0


def notes(baseline: Baseline | None) -> dict[str, str]:
    """Return what stands under the curves."""
    if baseline is None:
        return {
            "accuracy": "Test nodes are shown, never used to decide. The GCN baseline, 16 hidden "
            "neurons, is not here yet.",
            "parameters": "Of the network that stands after each block.",
        }
    return {
        "accuracy": f"{baseline.describe()}. Test nodes are shown, never used to decide.",
        "parameters": f"Of the network that stands after each block; the GCN has {baseline.parameters:,}.",
    }


def film_page(values: dict[str, Any]) -> str:
    """Return a web page that holds the film, the player and Plotly, and asks nothing of any network."""
    from plotly.offline import get_plotlyjs

    code = "\n".join(
        without_modules((PLAYER / name).read_text())
        for name in ("canvas.js", "plot.js", "charts.js", "transport.js", "player.js")
    )
    title = values["run"]["title"]
    return web_page(
        title,
        style=f"body {{ margin: 0; }}\n{(PLAYER / 'player.css').read_text()}",
        scripts=(get_plotlyjs(),),
        body_class="alone",
        body=f'<h2>{escape(title)}</h2><div id="film"></div>\n<script type="module">{code}\n'
        f'new Player(document.getElementById("film"), {script_values(values)});</script>',
    )


def without_modules(code: str) -> str:
    """Return a module's code to be put behind others in one script."""
    return re.sub(r"^import .*\n", "", code, flags=re.MULTILINE).replace("export ", "")


def write_film(events: Sequence[Event], path: Path, *, baseline: Baseline | None = None) -> None:
    """Write the film of a run to one HTML file; it plays by itself unless motion is unwanted."""
    write_page(film_page(film(checked_for_film(events), name="film", baseline=baseline)), path)


def checked_for_film(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events if there is something to be seen in them."""
    if events and isinstance(events[0], RunStarted):
        if not grows(events[0].method):
            raise PgcnError(f"This run is of method {events[0].method}: nothing grows in it, so there is no film.")
        if not any(isinstance(event, BlockJudged) for event in events):
            raise PgcnError("Nothing has happened in this run yet: no block has been judged.")
    return events
