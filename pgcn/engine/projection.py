"""A product with constant rows, of features or of Â, that autograd can go back through."""

import torch
from torch import Tensor

from pgcn.engine.fields import Rows


class Projection(torch.autograd.Function):
    """z = X̃W for all heads, of sparse or dense rows X: heads are to :class:`Rows` what lanes are."""

    @staticmethod
    def forward(ctx, weight: Tensor, rows: Rows, mask: Tensor | None) -> Tensor:
        """[D, K, F] and a mask [K, values] -> [R, K, F]."""
        ctx.rows, ctx.mask, ctx.width = rows, mask, weight.shape[2]
        return rows.times(weight, mask, width=ctx.width).transpose(0, 1).contiguous()

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, None, None]:
        by_head = grad.transpose(0, 1).contiguous()
        return ctx.rows.weight_gradient(by_head, ctx.mask, width=ctx.width), None, None


def projected(rows: Rows, values: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the rows [R, D], dropped by a mask [1, values] where there is one, times values: [D, w] -> [R, w]."""
    return Projection.apply(values.unsqueeze(1), rows, mask).squeeze(1)
