"""The maps of a run as plain values that the browser's program (``player/map/``) draws, live or from one file."""

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from pgcn.embeddings.cache import Kept
from pgcn.embeddings.embed import Plan
from pgcn.embeddings.metrics import NEIGHBOURS, normalised
from pgcn.embeddings.reduce import TITLES
from pgcn.views.film import PLAYER, without_modules
from pgcn.views.pages import script_values, web_page

REACH = 8.0
"""A map is sent as 16-bit whole numbers; so many root mean square radii from its centre is their range."""
CODE = (
    "canvas.js",
    "transport.js",
    "map/colours.js",
    "map/panels.js",
    "map/rough.js",
    "map/scatter.js",
    "map/tools.js",
    "map/map.js",
)


def map_film(
    plan: Plan, nodes: Kept, pictures: Sequence[Kept | None], *, method: str, name: str = "film", badge: str = "",
    at: int | None = None, colour: str = "class", counted: str = "test", node: int | None = None,
    autoplay: bool = False, waiting: str = "Its map is being made.",
) -> dict[str, Any]:  # fmt: skip
    """Return the maps of a plan as the browser takes them; None stands for a map that is not there yet.

    ``at`` is an accepted step, from 1. Values of the same ``name`` are a continuation.
    """
    arrays, facts = nodes.arrays, nodes.facts
    shown = [
        picture_values(planned, kept)
        for planned, kept in zip(plan.pictures, [*pictures, *[None] * len(plan.pictures)], strict=False)
    ]
    standing = [step.number for step in plan.steps if step.stands]
    started = plan.started
    return {
        "id": name,
        "state": f"{len(plan.pictures)} {[kept is not None for kept in pictures].count(True)} {waiting}",
        "title": f"{TITLES[method]} maps of a network growing on {started.dataset}, seed {started.config['seed']}",
        "file": f"{started.dataset}-seed{started.config['seed']}",
        "badge": badge,
        "words": f"{run_words(plan)}: {sample_words(nodes, method)}",
        "waiting": waiting,
        "at": None if at is None else at - 1,
        "last": standing[-1] - 1,
        "autoplay": autoplay,
        "colour": colour,
        "counted": counted,
        "node": node,
        "gcn": any(planned.kind == "gcn" for planned in plan.pictures),
        "classes": facts["classes"],
        "count": facts["count"],
        "masks": [facts["masks"][part] for part in ("train", "val", "test")],
        "nodes": packed(arrays["nodes"], np.int32),
        "y": packed(arrays["y"], np.int16),
        "part": packed(arrays["part"], np.uint8),
        "degree": packed(arrays["degree"], np.int32),
        "edges": packed(arrays["edges"], np.int32),
        "reach": REACH,
        "frames": {kind: widest(plan, pictures, kind) for kind in ("input", "step", "gcn")},
        "pictures": shown,
    }


def picture_values(planned, kept: Kept | None) -> dict[str, Any]:
    step = planned.step
    values: dict[str, Any] = {"kind": planned.kind, "key": planned.key, "title": planned.title, "k": NEIGHBOURS}
    if step is not None:
        values |= {"number": step.number, "stands": step.stands}
    if kept is None or "missing" in kept.facts:
        return values | {"missing": kept.facts["missing"] if kept else ""}
    points = np.clip(normalised(kept.arrays["map"]) / REACH, -1, 1)
    values |= {
        "map": packed(np.rint(32767 * points), np.int16),
        "features": kept.facts["features"],
        "mapped": kept.facts["map"],
    }
    if planned.kind != "input":
        values["predicted"] = packed(kept.arrays["predicted"], np.uint8)
        values["confidence"] = packed(np.rint(255 * kept.arrays["confidence"]), np.uint8)
    return values


def packed(values: np.ndarray, kind: type) -> str:
    """Return whole numbers as base64 of their little-endian bytes."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))).decode()


def widest(plan: Plan, pictures: Sequence[Kept | None], kind: str) -> float:
    """Return how far the maps of a kind reach, so that all can be drawn to one scale."""
    shown = zip(plan.pictures, pictures, strict=False)
    return max([frame(kept.arrays["map"]) for planned, kept in shown if kept and planned.kind == kind], default=1.0)


def frame(points: np.ndarray) -> float:
    """Return how far from its centre a map reaches, without its few farthest nodes."""
    if not len(points):
        return 1.0
    return float(min(REACH, 1.06 * np.quantile(np.abs(normalised(points)).max(axis=1), 0.998)))


def run_words(plan: Plan) -> str:
    """Say what was mapped."""
    started = plan.started
    return f"{started.dataset}, {started.split}, run of seed {started.config['seed']}"


def sample_words(nodes: Kept, method: str) -> str:
    """Say which nodes are shown."""
    facts, shown = nodes.facts, len(nodes.arrays["nodes"])
    seed = facts["config"]["seed"]
    if shown == facts["count"]:
        which = f"all {shown:,} nodes"
    else:
        whole = (nodes.arrays["part"] > 0).sum() == sum(facts["masks"].values())
        kept = "all labelled, validation and test nodes, others" if whole else "nodes"
        which = f"a sample of {shown:,} of {facts['count']:,} nodes ({kept} drawn by class, seed {seed})"
    return f"{TITLES[method]}, seed {seed}, {which}"


def maps_page(values: dict[str, Any]) -> str:
    """Return a web page that plays the maps and asks nothing of any network."""
    code = "\n".join(without_modules((PLAYER / name).read_text()) for name in CODE)
    style = "\n".join((PLAYER / name).read_text() for name in ("player.css", "map/map.css"))
    return web_page(
        values["title"],
        style=f"body {{ margin: 0; }}\n{style}",
        body_class="alone",
        body=f'<h2>{escape(values["title"])}</h2><div id="film"></div>\n<script type="module">{code}\n'
        f'new Maps(document.getElementById("film"), {script_values(values)});</script>',
    )
