"""The readout in closed form.

The paper minimises

    J₂ = ½ Tr(OᵀO) + λ₁/2 ‖H_L O − T_L‖²_F + λ₂/(2N²) Tr(Oᵀ Hᵀ L̃ H O)

and prints the solution with the hidden representations of *all* nodes in the first term,

    O = (Hᵀ(I + c L̃)H + I/λ₁)⁻¹ H_Lᵀ T_L,        c = λ₂ / (λ₁ N²),

which is the minimiser if the unlabelled nodes' targets are taken to be zero. Setting ∂J₂/∂O = 0 gives

    O = (H_LᵀH_L + c HᵀL̃H + I/λ₁)⁻¹ H_Lᵀ T_L.

The first is ``printed``, the second ``derived``. HᵀL̃H = HᵀH − HᵀSH with a sparse S, so that nothing larger
than [N, w] is ever formed. All of it in float64.
"""

import math

import torch
from torch import Tensor

from pgcn.methods.pgcn import GrowthConfig


def smoothness_weights(config: GrowthConfig, num_nodes: int, solves: int) -> tuple[float, float]:
    """Return (a, b) such that the solve uses HᵀMH with M = aI + bL̃; a = 1 and b = c unless overwritten.

    Where each solve starts from the last one's M (``laplacian_overwritten``), M_t = I + c M_{t−1} with M_0 = L̃,
    hence M_t = (1 + c + … + c^{t−1}) I + c^t L̃.
    """
    lambda2 = 1 / num_nodes**2 if config.lambda2 is None else config.lambda2
    c = lambda2 / (config.lambda1 * num_nodes**2)
    t = solves if config.laplacian_overwritten else 1
    try:
        return sum(c**i for i in range(t)), c**t
    except OverflowError:
        return math.inf, math.inf


def solve_readout(
    hidden: Tensor,
    labelled: Tensor,
    targets: Tensor,
    smoothing: Tensor | None,
    config: GrowthConfig,
    solves: int = 1,
) -> Tensor:
    """Return O [w, C] for hidden representations H [N, w] and the labelled nodes' targets T_L [n, C].

    ``smoothing`` is S with L̃ = I − S, sparse float64 [N, N]; None leaves the smoothness out.
    """
    system, right_side = normal_equations(hidden, labelled, targets, smoothing, config, solves)
    try:
        return torch.cholesky_solve(right_side, torch.linalg.cholesky(system))
    except torch.linalg.LinAlgError:  # numbers have overflowed: the candidate has diverged
        return torch.full_like(right_side, torch.nan)


def normal_equations(
    hidden: Tensor,
    labelled: Tensor,
    targets: Tensor,
    smoothing: Tensor | None,
    config: GrowthConfig,
    solves: int = 1,
) -> tuple[Tensor, Tensor]:
    """Return M [w, w] and H_LᵀT_L [w, C] of the system M O = H_LᵀT_L that :func:`solve_readout` solves."""
    H, T = hidden.double(), targets.double()
    H_L = H[labelled]
    identity, smoothness = smoothness_weights(config, len(H), solves)
    fit = H if config.closed_form == "printed" else H_L
    system = identity * (fit.T @ fit)
    if smoothing is not None and smoothness:
        system = system + smoothness * (H.T @ H - H.T @ (smoothing @ H))
    ridge = torch.eye(H.shape[1], dtype=torch.float64, device=H.device) / config.lambda1
    return system + ridge, H_L.T @ T


def regression_error(outputs: Tensor, targets: Tensor, readout: Tensor, lambda1: float) -> float:
    """Return the appendix's E = ½ Tr(OᵀO) + λ₁/2 ‖Y_L − T_L‖² for outputs Y_L [n, C] before any softmax."""
    penalty = readout.double().square().sum() / 2
    return float(penalty + lambda1 / 2 * (outputs.double() - targets).square().sum())
