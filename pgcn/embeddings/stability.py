"""Do nodes keep their place? Successive embeddings against those made alone at each step."""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pgcn.embeddings.embed import Embedding
from pgcn.embeddings.metrics import aligned, median_move
from pgcn.embeddings.reduce import reduce_features
from pgcn.generators import result_of


@dataclass(frozen=True, kw_only=True)
class Moves:
    """Median moves between the embeddings of two successive steps, in root mean square radii of an embedding.

    ``successive`` is of those that start from each other, ``alone`` of those made alone from their features' first
    two principal components, ``turned`` of the latter after the best turn and mirroring.
    """

    first: int
    second: int
    successive: float
    alone: float
    turned: float


def measure_moves(work: Embedding) -> Generator[tuple[int, int], None, list[Moves]]:
    """Embed every step of finished work alone; yield (embeddings made, all of them), return the moves."""
    planned = [number for number, frame in enumerate(work.plan.frames) if frame.kind == "step"]
    planned = [number for number in planned if number < len(work.frames) and len(work.frames[number].arrays["map"])]
    config, successive, alone = work.config, [work.frames[number].arrays["map"] for number in planned], []
    for done, number in enumerate(planned):
        yield done, len(planned)
        features = work.features(work.plan.frames[number])
        making = reduce_features(
            features, None, method=config.method, perplexity=config.perplexity, seed=config.seed
        )
        alone.append(result_of(making))
    moves = []
    for number, ((before, after), (lone_before, lone_after)) in enumerate(
        zip(pairwise(successive), pairwise(alone), strict=True), start=1
    ):
        moves.append(
            Moves(
                first=number,
                second=number + 1,
                successive=median_move(before, after),
                alone=median_move(lone_before, lone_after),
                turned=median_move(lone_before, aligned(lone_after, lone_before)),
            )
        )
    return moves


def middle(moves: list[Moves], name: str) -> float:
    """Return the median over all pairs of steps."""
    return float(np.median([getattr(move, name) for move in moves]))
