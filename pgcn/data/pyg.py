"""PyTorch Geometric, asked for only when needed: its import takes seconds."""

import warnings


def pyg_datasets():
    """Return the module ``torch_geometric.datasets``."""
    with warnings.catch_warnings():
        # Its import warns of its own use of torch.jit, which is no concern of ours or the user's.
        warnings.simplefilter("ignore")
        import torch_geometric.datasets
    return torch_geometric.datasets
