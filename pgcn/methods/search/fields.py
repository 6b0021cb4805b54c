"""The receptive field of some nodes for the two layers of an architecture."""

import itertools
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph, Rows, by_distance
from pgcn.methods.gat.model import Edges


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Edges into some nodes, self-loops included, and Â's entry of each, (dᵢ dⱼ)^-½ where edges have no weights."""

    edges: Edges
    weight: Tensor

    @classmethod
    def of(cls, block: sp.csr_array, device: torch.device) -> "Neighbours":
        """Return the edges of a block of Â [targets, sources] without an empty row."""
        return cls(Edges.of(block, device), torch.from_numpy(block.data).float().to(device))

    @property
    def num_targets(self) -> int:
        return len(self.edges.per_target)


@dataclass(frozen=True, eq=False)
class SearchField:
    """The features of all nodes within two hops of some, nearest first, and the edges that lead to these."""

    features: Rows
    into: tuple[Neighbours, ...]

    @classmethod
    def around(cls, prepared: PreparedGraph, nodes: str, hops: int) -> "SearchField":
        """Return the field of the labelled or val nodes, in their order."""
        targets = prepared.nodes[nodes].cpu().numpy()
        return cls._of(prepared, *by_distance(prepared.propagation, targets, hops))

    @classmethod
    def whole(cls, prepared: PreparedGraph, hops: int) -> "SearchField":
        """Return the field of all nodes."""
        count = prepared.graph.num_nodes
        return cls._of(prepared, np.arange(count), [count] * (hops + 1))

    @classmethod
    def _of(cls, prepared: PreparedGraph, order: np.ndarray, sizes: list[int]) -> "SearchField":
        inner = prepared.propagation[order][:, order]
        features = Rows(prepared.graph.features[order], prepared.device)
        blocks = (sp.csr_array(inner[:rows, :columns]) for rows, columns in itertools.pairwise(sizes))
        into = tuple(Neighbours.of(block, prepared.device) for block in blocks)
        return cls(features, into[::-1])  # the first layer computes most nodes
