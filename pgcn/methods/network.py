"""A network that a run has arrived at: plain parts that can be sent, stored and built again.

A method describes its networks in JSON-able values and builds the module of a description.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import load as load_weights
from torch import nn

from pgcn.engine.lanes import Weights
from pgcn.engine.model import GraphNet, NodeClassifier
from pgcn.engine.model_file import read_model_file
from pgcn.errors import ModelFileError
from pgcn.events import Scores
from pgcn.methods.registry import method_named


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """A network at a step of a run.

    ``step`` counts the networks that a run has accepted, from 1: what counts as one is the method's to say. A run
    that returns to an earlier network names its step again. ``description`` is what the method's ``build`` needs.
    """

    step: int
    description: dict[str, Any]
    weights: Weights
    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None

    @property
    def diverged(self) -> bool:
        """Whether it was measured and its losses are no numbers."""
        return self.scores is not None and not self.scores.finite


def final_network(model: NodeClassifier, *, topology: tuple[int, ...], scores: Scores | None) -> Network:
    """Return a module that training has ended with as the one network of its run."""
    return Network(
        step=1,
        description=model.description,
        weights={name: weight.detach().cpu().clone() for name, weight in model.state_dict().items()},
        topology=topology,
        parameters=model.num_parameters,
        scores=scores,
    )


def build_network(method: str, description: dict[str, Any], weights: Weights, config: dict[str, Any]) -> nn.Module:
    """Return the module of a network: ``module(x, edge_index)`` gives its logits, [N, C]."""
    module = method_named(method).load().build(description, config)
    module.load_state_dict(weights)
    return module.eval()


def weights_from_bytes(data: bytes) -> Weights:
    """Return the weights that :func:`pgcn.engine.model.weights_to_bytes` wrote."""
    return load_weights(data)


def load_network(path: str | Path) -> nn.Module:
    """Return the network of any method from a file that its ``save`` wrote. Nothing in the file is executed."""
    metadata, weights = read_model_file(path)
    if not metadata.get("method"):  # written when GraphNet was the only kind of network
        return GraphNet.load(path)
    try:
        description, config = json.loads(metadata["architecture"]), json.loads(metadata["config"])
        return build_network(metadata["method"], description, weights, config)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ModelFileError(f"{path} does not hold the network it describes: {error}") from error
