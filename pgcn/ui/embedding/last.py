"""The last picture of a run stays until the one that was asked for is there: nobody looks at an empty page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pgcn.embeddings.plan import EmbeddingConfig, Plan, PlannedFrame
from pgcn.embeddings.reduce import TITLES
from pgcn.store.embeddings import Cached
from pgcn.views.embedding import StandIn


@dataclass(frozen=True)
class LastFrames:
    """What was shown of a run: its nodes, what stood for each frame, and all of it as the browser had it."""

    nodes_key: str
    frames: Mapping[tuple[str, int], StandIn]
    replay: dict[str, Any]

    def stand_ins(self, plan: Plan) -> dict[str, StandIn]:
        """Return what can stand for the frames of another plan, by its keys; nothing where its nodes are others."""
        if plan.nodes_key != self.nodes_key:
            return {}
        found = {planned.key: self.frames.get(place_of(planned)) for planned in plan.frames}
        return {key: stand_in for key, stand_in in found.items() if stand_in is not None}

    def until_nodes_are_known(self, config: EmbeddingConfig, words: str, stopped: bool) -> dict[str, Any]:
        """Return what the browser had, while it is not even known which nodes the next one will show."""
        marks = {"preview": True, "last": True, "of": self.replay["method"]}
        frames = [
            {**marks, **frame, "preview": True} if "map" in frame else frame for frame in self.replay["frames"]
        ]
        about = {"id": f"{self.replay['id']}, until {config}", "state": words, "waiting": words, "stopped": stopped}
        return self.replay | about | {"frames": frames, "method": TITLES[config.method]}


def last_frames(
    plan: Plan,
    config: EmbeddingConfig,
    cached: Mapping[str, Cached],
    previews: Mapping[str, Cached],
    replay: dict[str, Any],
    before: LastFrames | None,
) -> LastFrames:
    """Return what is shown of a plan; what still stands for a frame from before goes on to do so."""
    still = before.stand_ins(plan) if before is not None else {}
    found = {}
    for planned in plan.frames:
        if planned.key in cached:
            stand_in = StandIn(cached[planned.key], TITLES[config.method], last=True)
        elif planned.key in still:
            stand_in = still[planned.key]
        elif planned.key in previews:
            stand_in = StandIn(previews[planned.key], TITLES["pca"], last=True)
        else:
            continue
        if len(stand_in.shown.arrays["map"]):
            found[place_of(planned)] = stand_in
    return LastFrames(plan.nodes_key, found, replay)


def stand_ins(
    plan: Plan, config: EmbeddingConfig, previews: Mapping[str, Cached], last: LastFrames | None
) -> dict[str, StandIn]:
    """Return what stands for embeddings that are not there: the last picture, but principal components where these
    are asked for, or where it has another number of dimensions."""
    components = {key: StandIn(preview, TITLES["pca"]) for key, preview in previews.items()}
    known = last.stand_ins(plan) if last is not None else {}
    alike = {key: one for key, one in known.items() if one.dimensions == config.dimensions}
    return known | (alike | components if config.method == "pca" else components | alike)


def place_of(planned: PlannedFrame) -> tuple[str, int]:
    return planned.kind, planned.step.number if planned.step else 0
