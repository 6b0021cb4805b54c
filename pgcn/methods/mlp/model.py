"""The network of an MLP."""

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.engine.model import GraphNet
from pgcn.engine.sparse import to_csr


class MLPNet(GraphNet):
    """H ← σ(HW + b), then HO + b: a GCN whose propagation is I. Edges are ignored."""

    @staticmethod
    def _propagation(
        edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None, device: torch.device
    ) -> Tensor:
        return to_csr(sp.csr_array(sp.eye_array(num_nodes, dtype=np.float32)), device)
