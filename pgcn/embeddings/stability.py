"""Do nodes keep their place? Successive maps against maps made alone at each step."""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pgcn.embeddings.embed import Embedding
from pgcn.embeddings.metrics import aligned, median_move
from pgcn.embeddings.reduce import reduce_features


@dataclass(frozen=True, kw_only=True)
class Moves:
    """Median moves between the maps of two successive steps, in root mean square radii of a map.

    ``kept`` is of the maps that start from each other, ``alone`` of maps made alone from their features' first two
    principal components, ``turned`` of the latter after the best turn and mirroring.
    """

    first: int
    second: int
    kept: float
    alone: float
    turned: float


def measure_moves(work: Embedding) -> Generator[tuple[int, int], None, list[Moves]]:
    """Make a map alone for every step of finished work; yield (maps made, maps in all), return the moves."""
    planned = [number for number, picture in enumerate(work.plan.pictures) if picture.kind == "step"]
    planned = [
        number for number in planned if number < len(work.pictures) and len(work.pictures[number].arrays["map"])
    ]
    config, kept, alone = work.config, [work.pictures[number].arrays["map"] for number in planned], []
    for done, number in enumerate(planned):
        yield done, len(planned)
        features = work.features(work.plan.pictures[number])
        making = reduce_features(
            features, None, method=config.method, perplexity=config.perplexity, seed=config.seed
        )
        try:
            while True:
                next(making)
        except StopIteration as end:
            alone.append(end.value)
    moves = []
    for number, ((before, after), (lone_before, lone_after)) in enumerate(
        zip(pairwise(kept), pairwise(alone), strict=True), start=1
    ):
        moves.append(
            Moves(
                first=number,
                second=number + 1,
                kept=median_move(before, after),
                alone=median_move(lone_before, lone_after),
                turned=median_move(lone_before, aligned(lone_after, lone_before)),
            )
        )
    return moves


def middle(moves: list[Moves], name: str) -> float:
    """Return the median over all pairs of steps."""
    return float(np.median([getattr(move, name) for move in moves]))
