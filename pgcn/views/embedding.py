"""The embeddings of a run as JSON values for ``web/embedding/`` to draw, live or from one file."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pgcn.data.catalogue import dataset_title
from pgcn.embeddings.metrics import NEIGHBOURS, normalised
from pgcn.embeddings.plan import Plan, PlannedFrame
from pgcn.embeddings.reduce import TITLES
from pgcn.methods.registry import grows, method_title
from pgcn.store.embeddings import Cached
from pgcn.views.pages import script_values, web_page
from pgcn.web import EMBEDDING, script, style

PACKED: WeakKeyDictionary[Cached, dict[str, Any]] = WeakKeyDictionary()
MOST_LOGITS = 4_000_000
"""So many logits are sent at most; of more, those of the last network that stands, and of the GCN."""


@dataclass(frozen=True)
class StandIn:
    """What is shown for an embedding that is not there yet, and by which method it was made.

    ``last`` says that it was an embedding itself before another one was asked for: it is drawn as it was then.
    """

    shown: Cached
    title: str
    last: bool = False

    @property
    def dimensions(self) -> int:
        return self.shown.arrays["map"].shape[1]


def embedding_replay(
    plan: Plan,
    nodes: Cached,
    frames: Sequence[Cached | None],
    *,
    method: str,
    logits: Mapping[str, Cached] | None = None,
    stand_ins: Mapping[str, StandIn] | None = None,
    name: str = "replay",
    badge: str = "",
    at: int | None = None,
    colour: str = "class",
    counted: str = "test",
    node: int | None = None,
    autoplay: bool = False,
    waiting: str = "Its embedding is being computed.",
    stopped: bool = False,
) -> dict[str, Any]:
    """Return the embeddings of a plan as the browser takes them; None stands for one that is not computed yet.

    ``logits`` and ``stand_ins`` are those that are known, by their keys. ``at`` is an accepted step, from 1. A
    replay of the same ``name`` is continued. ``stopped`` says that what is missing is not being computed.
    """
    arrays, facts = nodes.arrays, nodes.facts
    logits, stand_ins = logits or {}, stand_ins or {}
    standing = [step.number for step in plan.steps if step.stands]
    many = len(arrays["nodes"]) * len(facts["classes"]) * len(plan.frames) > MOST_LOGITS
    shown = []
    for planned, cached in zip(plan.frames, [*frames, *[None] * len(plan.frames)], strict=False):
        values = frame_values(planned, cached, stand_ins.get(planned.key))
        if planned.logits in logits and (not many or planned.step is None or planned.step.number == standing[-1]):
            values |= array_values(logits[planned.logits])
        shown.append(values)
    started = plan.started
    what = "a network growing" if grows(started.method) else method_title(started.method)
    return {
        "id": name,
        "run": plan.run.id,
        "state": f"{len(plan.frames)} {[cached is not None for cached in frames].count(True)} {waiting}"
        f" {len(logits)} {[(one.title, one.last) for one in stand_ins.values()]}",
        "title": f"{TITLES[method]} of {what} on {dataset_title(started.dataset)}, seed {started.config['seed']}",
        "file": f"{started.dataset}-seed{started.config['seed']}",
        "badge": badge,
        "method": TITLES[method],
        "words": f"{run_words(plan)}: {sample_words(nodes, method)}",
        "waiting": waiting,
        "stopped": stopped,
        "at": None if at is None else at - 1,
        "last": standing[-1] - 1,
        "autoplay": autoplay,
        "colour": colour,
        "counted": counted,
        "node": node,
        "gcn": any(planned.kind == "gcn" for planned in plan.frames),
        "classes": facts["classes"],
        "count": facts["count"],
        "masks": [facts["masks"][part] for part in ("train", "val", "test")],
        "nodes": packed(arrays["nodes"], np.int32),
        "y": packed(arrays["y"], np.int16),
        "part": packed(arrays["part"], np.uint8),
        "degree": packed(arrays["degree"], np.int32),
        "edges": packed(arrays["edges"], np.int32),
        "names": facts.get("node_names", []),
        "terms": facts.get("feature_names", []),
        "termed": packed(arrays["words"], np.int32) if "words" in arrays else "",
        "frames": shown,
    }


def frame_values(planned: PlannedFrame, cached: Cached | None, stand_in: StandIn | None = None) -> dict[str, Any]:
    step = planned.step
    values: dict[str, Any] = {"kind": planned.kind, "key": planned.key, "title": planned.title, "k": NEIGHBOURS}
    if step is not None:
        values |= {"number": step.number, "stands": step.stands}
    if cached is not None and "missing" in cached.facts:
        return values | {"missing": cached.facts["missing"]}
    if cached is None and stand_in is None:
        return values | {"missing": ""}
    if cached is None:
        values |= {"preview": True, "of": stand_in.title, "last": stand_in.last}
        return values | array_values(stand_in.shown)
    values |= array_values(cached)
    # Class separation among the features, and in the embedding.
    return values | {"features": cached.facts["features"], "mapped": cached.facts["map"]}


def array_values(cached: Cached) -> dict[str, Any]:
    """Return the arrays of an embedding, or logits, as they are sent; computed once, since all are sent again with
    every embedding that is added."""
    if cached not in PACKED:
        arrays, values = cached.arrays, {}
        if "map" in arrays:
            values |= point_values(arrays["map"])
        if "logits" in arrays:
            values |= logit_values(arrays["logits"])
        if "predicted" in arrays:
            values["predicted"] = packed(arrays["predicted"], np.uint8)
            values["confidence"] = packed(np.rint(255 * arrays["confidence"]), np.uint8)
        PACKED[cached] = values
    return PACKED[cached]


def point_values(points: np.ndarray) -> dict[str, Any]:
    """Return an embedding with a root mean square radius of 1: coordinates as 16-bit integers, and their range."""
    shown = normalised(points)
    reach = float(np.abs(shown).max()) or 1.0
    return {"map": packed(np.rint(32767 * shown / reach), np.int16), "reach": reach, "dimensions": points.shape[1]}


def logit_values(logits: np.ndarray) -> dict[str, Any]:
    """Return logits as 16-bit integers between the lowest and the highest; nothing where training has diverged."""
    low, high = float(logits.min()), float(logits.max())
    if not np.isfinite([low, high]).all():
        return {}
    shares = (logits - low) / ((high - low) or 1.0)
    return {"logits": packed(np.rint(65535 * shares), np.uint16), "range": [low, high]}


def packed(values: np.ndarray, kind: type) -> str:
    """Return integers as base64 of their little-endian bytes."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))).decode()


def run_words(plan: Plan) -> str:
    """Name the run."""
    started = plan.started
    return f"{dataset_title(started.dataset)}, {started.split}, run of seed {started.config['seed']}"


def sample_words(nodes: Cached, method: str) -> str:
    """Say which nodes are shown."""
    facts, shown = nodes.facts, len(nodes.arrays["nodes"])
    seed = facts["config"]["seed"]
    if shown == facts["count"]:
        which = f"all {shown:,} nodes"
    else:
        whole = (nodes.arrays["part"] > 0).sum() == sum(facts["masks"].values())
        drawn = "all labelled, validation and test nodes, others" if whole else "nodes"
        which = f"a sample of {shown:,} of {facts['count']:,} nodes ({drawn} drawn by class, seed {seed})"
    return f"{TITLES[method]}, seed {seed}, {which}"


def embedding_page(values: dict[str, Any]) -> str:
    """Return a web page that replays the embeddings; it needs no network."""
    return web_page(
        values["title"],
        style=f"body {{ margin: 0; }}\n{style('embedding')}",
        body_class="alone",
        body=f'<h2>{escape(values["title"])}</h2><div id="replay"></div>\n'
        f'<script type="module">{script(EMBEDDING)}\n'
        f'new EmbeddingPlayer(document.getElementById("replay"), {script_values(values)});</script>',
    )
