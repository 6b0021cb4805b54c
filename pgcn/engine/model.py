"""The networks that runs leave behind: torch modules to use in one's own code."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import scipy.sparse as sp
import torch
from safetensors.torch import save as save_weights
from torch import Tensor, nn

from pgcn.engine.architecture import Architecture, describe_topology
from pgcn.engine.lanes import ACTIVATIONS
from pgcn.engine.model_file import model_file, read_model_file
from pgcn.engine.pagerank import propagated_by_pagerank
from pgcn.engine.sparse import to_csr
from pgcn.errors import ModelFileError
from pgcn.graph import adjacency, normalized_adjacency

Weights = dict[str, Tensor]


def weights_to_bytes(weights: Weights) -> bytes:
    """Return weights as safetensors."""
    return save_weights({name: value.detach().cpu().contiguous() for name, value in weights.items()})


class NodeClassifier(nn.Module, ABC):
    """What the networks of all methods have in common.

    ``forward(x, edge_index)`` follows PyG: x [N, D], edge_index [2, E] from sources to targets, optional
    edge_weight [E]. It returns the logits, [N, C]. ``method`` and ``config`` say what made it, as plain values.
    """

    method: str = ""
    config: dict[str, Any]

    @property
    @abstractmethod
    def description(self) -> dict[str, Any]:
        """What its method needs to build it again, in JSON-able values."""

    @torch.no_grad()
    def predict(self, x: Tensor | sp.sparray, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Return each node's most likely class, int64 [N]; ``x`` may be a graph's own sparse features."""
        x = torch.from_numpy(x.toarray()) if sp.issparse(x) else x
        return self(x, edge_index, edge_weight).argmax(dim=1)

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def save(self, path: str | Path) -> Path:
        """Write weights and settings to one safetensors file."""
        path = Path(path)
        try:
            path.write_bytes(self.to_bytes())
        except OSError as error:
            raise ModelFileError(f"The network cannot be written to {path}: {error}.") from error
        return path

    def to_bytes(self) -> bytes:
        """Return what :meth:`save` writes."""
        about = {"method": self.method, "description": self.description, "config": self.config}
        return model_file(weights_to_bytes(self.state_dict()), **about)


class GraphNet(NodeClassifier):
    """Graph convolutions H ← σ(ÂHW + b), then a linear readout HO + b or a graph one ÂHO + b.

    Self-loops are added where missing.
    """

    def __init__(
        self, architecture: Architecture, config: dict[str, Any] | None = None, *, method: str = ""
    ) -> None:
        super().__init__()
        self.architecture = architecture
        self.config = config or {}
        self.method = method
        self.hidden = nn.ModuleList()
        shapes = architecture.parameter_shapes()
        for i in range(len(architecture.widths)):
            self.hidden.append(Layer(shapes, f"hidden.{i}"))
        self.output = Layer(shapes, "output")

    @classmethod
    def described(cls, description: dict[str, Any], config: dict[str, Any], *, method: str = "") -> Self:
        """Return the network of a description, its weights 0."""
        architecture = Architecture(**{**description, "widths": tuple(description["widths"])})
        return cls(architecture, config, method=method)

    @property
    def description(self) -> dict[str, Any]:
        return self.architecture.description

    @classmethod
    def from_weights(
        cls, architecture: Architecture, weights: dict[str, Tensor], config: dict | None = None
    ) -> Self:
        """Return a network with the given weights, by the names of ``architecture.parameter_shapes()``."""
        model = cls(architecture, config)
        model.load_state_dict(weights)
        return model.eval()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the network that :meth:`save` wrote. Nothing in the file is executed."""
        metadata, weights = read_model_file(path)
        try:
            description, config = json.loads(metadata["architecture"]), json.loads(metadata["config"])
            model = cls.described(description, config, method=metadata.get("method", ""))
            model.load_state_dict(weights)
            return model.eval()
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelFileError(f"{path} does not hold the network it describes: {error}") from error

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        propagation = self._propagation(edge_index, len(x), edge_weight, x.device)
        return self._read_out(self._hidden(x, propagation), propagation)

    def hidden_features(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Return the last hidden layer's features, [N, w]."""
        return self._hidden(x, self._propagation(edge_index, len(x), edge_weight, x.device))

    def hidden_layers(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> list[Tensor]:
        """Return every hidden layer's features, [N, w] each."""
        return list(self._layers(x, self._propagation(edge_index, len(x), edge_weight, x.device)))

    def extra_repr(self) -> str:
        a = self.architecture
        sizes = describe_topology(a.num_features, a.widths, a.num_classes)
        return f"{sizes}, activation={a.activation}, readout={a.readout}, bias={a.bias}"

    @staticmethod
    def _propagation(
        edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None, device: torch.device
    ) -> Tensor:
        return to_csr(normalized_adjacency(adjacency(edge_index, num_nodes, edge_weight)), device)

    def _layers(self, x: Tensor, propagation: Tensor) -> Iterator[Tensor]:
        activation = ACTIVATIONS[self.architecture.activation]
        for layer in self.hidden:
            x = activation(layer.shifted(propagation @ (x @ layer.weight)))
            yield x

    def _hidden(self, x: Tensor, propagation: Tensor) -> Tensor:
        for hidden in self._layers(x, propagation):
            x = hidden
        return x

    def _read_out(self, hidden: Tensor, propagation: Tensor) -> Tensor:
        outputs = hidden @ self.output.weight
        if self.architecture.readout == "graph":
            outputs = propagation @ outputs
        elif self.architecture.readout == "pagerank":
            outputs = propagated_by_pagerank(propagation, outputs, self.architecture.teleport)
        return self.output.shifted(outputs)


class Layer(nn.Module):
    """A weight [in, out] and perhaps a bias [out]."""

    def __init__(self, shapes: dict[str, tuple[int, ...]], name: str) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(shapes[f"{name}.weight"]))
        bias = shapes.get(f"{name}.bias")
        self.bias = nn.Parameter(torch.zeros(bias)) if bias else None

    def extra_repr(self) -> str:
        return f"{' → '.join(map(str, self.weight.shape))}, bias={self.bias is not None}"

    def shifted(self, outputs: Tensor) -> Tensor:
        return outputs if self.bias is None else outputs + self.bias
