"""A graph prepared for computing, and the receptive fields in which a network has to be computed."""

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.lanes import aligned, weight_gradient
from pgcn.engine.pagerank import PageRank, PageRankRows, PowerSteps, pagerank_rows
from pgcn.engine.sparse import LaneSparse, SparseOperator, columns_to_lanes, lanes_to_columns, product, to_csr
from pgcn.errors import ConfigError
from pgcn.graph import Graph, adjacency, normalized_adjacency

DENSE_ABOVE = 0.4  # share of non-zeros above which a dense product of features and weights is faster
MIN_TRANSPOSED = 16  # columns from which a transposed product gives the same bits on any number of threads
TALL = 512  # rows from which padding a layer with a few neurons makes its products faster
PROPAGATE_BELOW = 50_000_000  # multiplications from which ÂX is not considered: it would fill the memory


class Rows:
    """Constant rows of features [R, D], stored sparse or dense, by their share of non-zeros."""

    def __init__(
        self, matrix: sp.csr_array, device: torch.device, *, tall: bool = False, dense: bool | None = None
    ) -> None:
        self.device, self.tall = device, tall
        self.pattern = matrix
        self.dense = matrix.nnz > DENSE_ABOVE * matrix.shape[0] * matrix.shape[1] if dense is None else dense
        self.values = torch.from_numpy(matrix.toarray()).to(device) if self.dense else None
        self.operator = None if self.dense else SparseOperator(matrix, device)
        self._lane_sparse: LaneSparse | None = None

    @property
    def num_values(self) -> int:
        """The number of values that dropout acts on."""
        return self.values.numel() if self.dense else self.pattern.nnz

    def first(self, count: int) -> "Rows":
        """Return the first of the rows, stored likewise: a mask of theirs is the beginning of one of all."""
        return Rows(sp.csr_array(self.pattern[:count]), self.device, tall=self.tall, dense=self.dense)

    def times(self, weight: Tensor, mask: Tensor | None = None, *, width: int) -> Tensor:
        """Return features times weight for every lane, weight [D, K, w] -> [K, R, width]; mask [K, num_values].

        Instead of the mask it takes what :meth:`dropped` made of it.
        Columns after the first w are 0.
        """
        num_lanes, own = weight.shape[1:]
        if self.dense and self.tall:
            # As (WᵀXᵀ)ᵀ: a product whose output has many rows and few columns is slow, its transpose is not.
            transposed = F.pad(weight.permute(1, 2, 0), (0, 0, 0, max(0, MIN_TRANSPOSED - own)))
            values = self._dense_lanes(num_lanes, mask).transpose(1, 2)
            result = torch.bmm(transposed, values)[:, :own].transpose(1, 2)
        elif self.dense:
            result = torch.bmm(self._dense_lanes(num_lanes, mask), weight.transpose(0, 1).contiguous())
        elif mask is None:
            result = columns_to_lanes(product(self.operator.matrix, weight.reshape(len(weight), -1)), num_lanes)
        else:
            result = self._lanes(num_lanes).times(weight, mask)
        return F.pad(result, (0, width - own)) if width > own else result.contiguous()

    def weight_gradient(self, grad: Tensor, mask: Tensor | None = None, *, width: int) -> Tensor:
        """Return the gradient of the weight [D, K, width] from that of the product, [K, R, w] with w ≥ width."""
        num_lanes = len(grad)
        if self.dense and self.tall:
            transposed = grad[:, :, : max(width, MIN_TRANSPOSED)].transpose(1, 2)
            return torch.bmm(transposed, self._dense_lanes(num_lanes, mask))[:, :width].permute(2, 0, 1)
        grad = grad[:, :, :width]
        if self.dense:
            return weight_gradient(self._dense_lanes(num_lanes, mask), grad).transpose(0, 1)
        if mask is None:
            return product(self.operator.transpose, lanes_to_columns(grad)).view(-1, num_lanes, width)
        return self._lanes(num_lanes).weight_gradient(grad, mask)

    def dropped(self, mask: Tensor) -> Tensor:
        """Return what may be given instead of a mask: of dense rows what it leaves, made once for both passes."""
        return self._dense_lanes(len(mask), mask) if self.dense else mask

    def _dense_lanes(self, num_lanes: int, mask: Tensor | None) -> Tensor:
        if mask is not None and mask.dim() == 3:
            return mask
        lanes = self.values.expand(num_lanes, *self.values.shape)
        return lanes if mask is None else lanes * mask.view(lanes.shape)

    def _lanes(self, num_lanes: int) -> LaneSparse:
        if self._lane_sparse is None or self._lane_sparse.num_lanes != num_lanes:
            self._lane_sparse = LaneSparse(self.pattern, num_lanes, self.device)
        return self._lane_sparse


@dataclass(frozen=True, eq=False)
class Field:
    """What has to be computed for the outputs of some nodes.

    ``steps[0]`` propagates into the first layer where the input is raw, the following ones into each later
    layer. The first ``count`` rows of the output are the requested nodes, in the order of ``nodes``: all of them,
    where the field is that of the ``whole`` graph. ``agreed`` holds for which shapes lanes were found to give the
    bits they give alone (:func:`pgcn.engine.training.evaluated`).
    """

    nodes: Tensor
    count: int
    input: Rows
    raw: bool
    steps: tuple[SparseOperator, ...]
    whole: bool = False
    agreed: dict[tuple, bool] = dataclass_field(default_factory=dict)

    @property
    def first_layer_multiplications(self) -> int:
        """The multiplications that each neuron of the first layer takes."""
        return self.input.pattern.nnz + (self.steps[0].matrix.values().numel() if self.raw else 0)

    @property
    def tall(self) -> bool:
        """Whether layers have so many rows that padding them makes training faster (``LaneParameters``)."""
        return self.input.tall

    @property
    def drawn_rows(self) -> list[int]:
        """The rows of each layer's output for which dropout is drawn; in the whole graph, one for each node."""
        return [self.count] * len(self.rows) if self.whole else self.rows

    @property
    def rows(self) -> list[int]:
        """The number of rows of each layer's output, from the first hidden layer on."""
        first = self.steps[0].shape[0] if self.raw else self.input.pattern.shape[0]
        return [first, *(step.shape[0] for step in self.steps[self.raw :])]


class PreparedGraph:
    """A graph on a device: Â, features, targets, and the fields made so far."""

    def __init__(self, graph: Graph, device: str = "cpu") -> None:
        self.graph = graph
        self.device = usable_device(device)
        self._adjacency = adjacency(graph.edge_index, graph.num_nodes, graph.edge_weight)
        self._exact = {"self_loops": normalized_adjacency(self._adjacency)}
        self.propagation = self._exact["self_loops"].astype(np.float32)
        self.y = graph.y.to(self.device)
        self.nodes = {
            name: torch.nonzero(getattr(graph, f"{mask}_mask")).flatten().to(self.device)
            for name, mask in (("labelled", "train"), ("val", "val"), ("test", "test"))
        }
        self._fields: dict[tuple, Field] = {}
        self._smoothing: dict[str, Tensor] = {}
        self._pagerank_rows: dict[tuple, PageRankRows] = {}

    def target_vectors(self, nodes: str) -> Tensor:
        """Return the 1-of-C target vectors T of the labelled, val or test nodes, float32 [n, C]."""
        return torch.nn.functional.one_hot(self.y[self.nodes[nodes]], self.graph.num_classes).float()

    def smoothing(self, laplacian: str) -> Tensor:
        """Return S with L̃ = I − S in float64: Â, or D^-½ A D^-½ of the graph without self-loops."""
        if laplacian not in self._smoothing:
            if laplacian not in self._exact:
                self._exact[laplacian] = normalized_adjacency(self._adjacency, self_loops=False)
            self._smoothing[laplacian] = to_csr(self._exact[laplacian], self.device, torch.float64)
        return self._smoothing[laplacian]

    def whole(self, hops: int, *, teleport: float | None = None) -> Field:
        """Return the field of all nodes. Â(XW) costs one pass over features and edges; ÂX is never formed.

        With ``teleport`` the last propagation is by personalised PageRank.
        """
        if ("whole",) not in self._fields:
            nodes = self.graph.num_nodes
            step = SparseOperator(
                zero_padded(self.propagation, aligned(nodes), aligned(nodes)), self.device, symmetric=True
            )
            features = zero_padded(self.graph.features, aligned(nodes), self.graph.num_features)
            rows = Rows(features, self.device, tall=nodes >= TALL)
            self._fields["whole",] = Field(
                torch.arange(nodes, device=self.device), nodes, rows, True, (step,), whole=True
            )
        field = self._fields["whole",]
        steps: tuple = field.steps[:1] * (hops + 1)
        if teleport is not None:
            steps = (*steps[:-1], PowerSteps(steps[-1], teleport))
        return replace(field, steps=steps)

    def pagerank_rows(self, nodes: str, pagerank: PageRank) -> PageRankRows:
        """Return the rows of Π of the labelled, val or test nodes, made once."""
        key = (nodes, pagerank)
        if key not in self._pagerank_rows:
            targets = self.nodes[nodes].cpu().numpy()
            self._pagerank_rows[key] = pagerank_rows(self.propagation, targets, *pagerank)
        return self._pagerank_rows[key]

    def field(self, nodes: str, hops: int, *, raw: bool | None = None, pagerank: PageRank | None = None) -> Field:
        """Return the receptive field of the labelled, val or test nodes for ``hops`` propagations above the first.

        The first layer is P W with the constant P = ÂX, or Â(X W), whose input is X itself (``raw``); by default
        whichever takes fewer multiplications. Input dropout needs one of them in particular: P, or X. With
        ``pagerank`` the last propagation is by rows of Π instead of Â.
        """
        key = (nodes, hops, raw, pagerank)
        if key not in self._fields:
            targets = self.nodes[nodes].cpu().numpy()
            reader = self.pagerank_rows(nodes, pagerank).matrix if pagerank else None
            choices = [raw] if raw is not None else [True]
            if raw is None and self._multiplications_to_propagate(targets, hops, reader) < PROPAGATE_BELOW:
                choices.append(False)
            made = [self._make_field(targets, hops, choice, reader) for choice in choices]
            self._fields[key] = min(made, key=lambda field: field.first_layer_multiplications)
        return self._fields[key]

    def _multiplications_to_propagate(self, targets: np.ndarray, hops: int, reader: sp.csr_array | None) -> int:
        """Return the multiplications that P = ÂX takes for the rows of a field, also a bound on its non-zeros."""
        order, _ = by_distance(self.propagation, targets, hops, reader)
        return int(np.diff(self.graph.features.indptr)[self.propagation[order].indices].sum(dtype=np.int64))

    def _make_field(self, targets: np.ndarray, hops: int, raw: bool, reader: sp.csr_array | None) -> Field:
        order, sizes = by_distance(self.propagation, targets, hops + raw, reader)
        rows = [aligned(size) for size in sizes]
        inner = self.propagation[order][:, order]
        inner.resize(rows[-1], rows[-1])
        features = (
            self.graph.features[order] if raw else sp.csr_array(self.propagation[order] @ self.graph.features)
        )
        features.resize(rows[-1], self.graph.num_features)
        features.sort_indices()
        # From the outermost nodes inwards: each layer needs one hop less than the layer before it.
        blocks = [sp.csr_array(inner[: rows[level], : rows[level + 1]]) for level in range(hops + raw)]
        if reader is not None:
            blocks[0] = sp.csr_array(reader[:, order])
            blocks[0].resize(rows[0], rows[1])
        steps = tuple(SparseOperator(block, self.device) for block in reversed(blocks))
        nodes = torch.from_numpy(order[: len(targets)]).to(self.device)
        tall = len(targets) >= TALL
        return Field(nodes, len(targets), Rows(features, self.device, tall=tall), raw, steps)


def zero_padded(matrix: sp.csr_array, rows: int, columns: int) -> sp.csr_array:
    """Return a matrix with rows and columns of zeros added after its own."""
    indptr = np.concatenate([matrix.indptr, np.full(rows - matrix.shape[0], matrix.indptr[-1])])
    return sp.csr_array((matrix.data, matrix.indices, indptr), (rows, columns))


def by_distance(
    neighbours: sp.csr_array, targets: np.ndarray, hops: int, reader: sp.csr_array | None = None
) -> tuple[np.ndarray, list[int]]:
    """Return the nodes within ``hops`` of the targets, nearest first, and their number within 0, 1, ... hops.

    The first hop leads to the columns of ``reader`` [targets, N] where that is given; neighbours of the targets may
    not be among them, so that the second hop leads on from the targets, too.
    """
    reached = np.zeros(neighbours.shape[0], dtype=bool)
    reached[targets] = True
    rings = [targets]
    for hop in range(hops):
        rows = reader
        if reader is None or hop:
            rows = neighbours[np.concatenate(rings) if reader is not None and hop == 1 else rings[-1]]
        around = np.unique(rows.indices)
        fresh = around[~reached[around]]
        reached[fresh] = True
        rings.append(fresh)
    return np.concatenate(rings), np.cumsum([len(ring) for ring in rings]).tolist()


def usable_device(name: str) -> torch.device:
    """Return the device; raise an error that says why it cannot be used."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise ConfigError(f"device {name!r} cannot be used here: {reason}. Try cpu.") from error
    return device
