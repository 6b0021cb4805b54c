"""Attention of many heads at once, and its gradient written out.

Heads are to a sparse product what lanes are: those of all runs, L in number, share one matrix whose diagonal blocks
are the heads' attention, [L·T, L·S]. Nothing of the size of edges times width is ever stored.

    e = LeakyReLU(a₁·z_i + b₁ + a₂·z_j + b₂),   α = softmax_j e,   h = α̃ z̃ + b      with α̃ = α ∘ m, z̃ = z ∘ n

    ∂z̃ = α̃ᵀ ∂h,   ∂α̃_ij = ∂h_i · z̃_j,   ∂e = α ∘ (∂α − Σ_j α_ij ∂α_ij)
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from pgcn.engine.sparse import plain_product
from pgcn.methods.gat.model import SLOPE, Edges
from pgcn.methods.stacked import by_seed, matmul


@dataclass(frozen=True, eq=False)
class HeadEdges:
    """The edges of L heads: lane k's are those of targets and sources k·T + i and k·S + j, [L·E] in all.

    ``to_transposed`` says which edge stands where in the transpose.
    """

    edges: Edges
    heads: int
    sources: int
    per_target: Tensor
    crow: Tensor
    col: Tensor
    crow_transposed: Tensor
    col_transposed: Tensor
    to_transposed: Tensor
    ones: Tensor

    @classmethod
    def of(cls, edges: Edges, heads: int, sources: int) -> "HeadEdges":
        targets, count, device = len(edges.per_target), len(edges), edges.target.device
        lane = torch.arange(heads, device=device).unsqueeze(1)
        order = torch.argsort(edges.source, stable=True)
        per_source = torch.bincount(edges.source, minlength=sources)
        return cls(
            edges,
            heads,
            sources,
            edges.per_target.repeat(heads),
            offsets(edges.per_target.repeat(heads)),
            (edges.source + sources * lane).flatten().int(),
            offsets(per_source.repeat(heads)),
            (edges.target[order] + targets * lane).flatten().int(),
            (order + count * lane).flatten(),
            torch.ones(heads * max(targets, sources), 1, device=device),
        )

    @property
    def targets(self) -> int:
        return len(self.edges.per_target)

    def matrix(self, values: Tensor) -> Tensor:
        """Return the matrix [L·T, L·S] of the values of all edges, [L, E]."""
        shape = (self.heads * self.targets, self.heads * self.sources)
        return torch.sparse_csr_tensor(self.crow, self.col, values.view(-1), shape, check_invariants=False)

    def transpose(self, values: Tensor) -> Tensor:
        """Return its transpose, [L·S, L·T]."""
        shape = (self.heads * self.sources, self.heads * self.targets)
        values = values.view(-1).index_select(0, self.to_transposed)
        return torch.sparse_csr_tensor(
            self.crow_transposed, self.col_transposed, values, shape, check_invariants=False
        )

    def to_edges(self, of_targets: Tensor) -> Tensor:
        """Return what each edge's target has, [L, T] -> [L, E]."""
        return of_targets.index_select(1, self.edges.target)

    def sums(self, values: Tensor) -> Tensor:
        """Return the sum over the edges of each target, [L, E] -> [L, T]."""
        ones = self.ones[: self.heads * self.sources]
        return plain_product(self.matrix(values), ones).view(self.heads, self.targets)

    def sums_by_source(self, values: Tensor) -> Tensor:
        """Return the sum over the edges of each source, [L, E] -> [L, S]."""
        ones = self.ones[: self.heads * self.targets]
        return plain_product(self.transpose(values), ones).view(self.heads, self.sources)

    def softmax(self, scores: Tensor, seeds: int) -> Tensor:
        """Return α of every edge, [L, E]: those of a target sum to one."""
        most = torch.segment_reduce(scores.view(-1), "max", lengths=self.per_target, unsafe=True)
        scores = scores.sub_(self.to_edges(most.view(self.heads, -1)))
        shares = by_seed(torch.exp, scores.view(seeds, -1)).view(scores.shape)
        return shares.div_(self.to_edges(self.sums(shares)))


def offsets(counts: Tensor) -> Tensor:
    """Return where each of consecutive parts begins, and the end, as 32-bit indices."""
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)]).int()


def times(values: Tensor, mask: Tensor | None) -> Tensor:
    """Return values [L, ...] times a mask [S, K, ...], L = S·K; as they are where there is none."""
    return values if mask is None else (values.view(mask.shape) * mask).view(values.shape)


def weighted_sums(shares: Tensor, z: Tensor, seeds: int) -> Tensor:
    """Return Σ_i s_i z_i of every head, [L, n] and [L, n, F] -> [L, F]."""
    by_seed = (part.unflatten(0, (seeds, -1)) for part in (shares.unsqueeze(1), z))
    return matmul(*by_seed).flatten(0, 1).squeeze(1)


class Attention(torch.autograd.Function):
    """h of the targets, [L, T, F], from z [L, S, F]; scores are of z without dropout."""

    @staticmethod
    def forward(
        ctx,
        z: Tensor,
        score_target: Tensor,
        score_source: Tensor,
        score_bias: Tensor,
        edges: HeadEdges,
        seeds: int,
        drop_attention: Tensor | None,
        drop_z: Tensor | None,
    ) -> Tensor:
        """a₁ and a₂ are [L, F], b₁ and b₂ [2, L]; masks [S, K, ...] are of α and z, with L = S·K."""
        to = (z[:, : edges.targets] * score_target.unsqueeze(1)).sum(dim=2).add_(score_bias[0].unsqueeze(1))
        come_from = (z * score_source.unsqueeze(1)).sum(dim=2).add_(score_bias[1].unsqueeze(1))
        scores = edges.to_edges(to).add_(come_from.index_select(1, edges.edges.source))
        positive = scores > 0 if ctx.needs_input_grad[0] else None
        attention = edges.softmax(torch.nn.functional.leaky_relu_(scores, SLOPE), seeds)  # [L, E]
        dropped = (
            attention
            if drop_attention is None
            else (attention.view(drop_attention.shape) * drop_attention).view(attention.shape)
        )
        kept = z if drop_z is None else (z.view(drop_z.shape) * drop_z).view(z.shape)
        ctx.edges, ctx.seeds, ctx.masks = edges, seeds, (drop_attention, drop_z)
        ctx.save_for_backward(z, score_target, score_source, positive, attention, dropped, kept)
        return plain_product(edges.matrix(dropped), kept.view(-1, z.shape[2])).view(len(z), -1, z.shape[2])

    @staticmethod
    def backward(ctx, grad: Tensor):
        edges, (drop_attention, drop_z) = ctx.edges, ctx.masks
        z, score_target, score_source, positive, attention, dropped, kept = ctx.saved_tensors
        flat = grad.reshape(-1, grad.shape[2])
        z_grad = plain_product(edges.transpose(dropped), flat).view(z.shape)
        if drop_z is not None:
            z_grad.view(drop_z.shape).mul_(drop_z)
        pattern = edges.matrix(dropped)
        by_edge = torch.sparse.sampled_addmm(pattern, flat, kept.view(-1, z.shape[2]).t(), beta=0.0).values()
        by_edge = by_edge.view(attention.shape)  # ∂α̃
        if drop_attention is not None:
            by_edge.view(drop_attention.shape).mul_(drop_attention)
        by_edge = by_edge.mul_(attention)
        scores = by_edge.sub_(attention * edges.to_edges(edges.sums(by_edge)))
        scores = torch.where(positive, scores, SLOPE * scores)
        to, come_from = edges.sums(scores), edges.sums_by_source(scores)
        z_grad.addcmul_(come_from.unsqueeze(2), score_source.unsqueeze(1))
        z_grad[:, : edges.targets].addcmul_(to.unsqueeze(2), score_target.unsqueeze(1))
        seeds = ctx.seeds
        return (
            z_grad,
            weighted_sums(to, z[:, : edges.targets], seeds),
            weighted_sums(come_from, z, seeds),
            torch.stack([to.sum(dim=1), come_from.sum(dim=1)]),
            None,
            None,
            None,
            None,
        )
