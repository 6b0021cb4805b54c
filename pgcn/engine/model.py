"""The network that a run leaves behind: a torch module to use in one's own code."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from pgcn.engine.architecture import Architecture, describe_topology
from pgcn.engine.lanes import ACTIVATIONS
from pgcn.engine.sparse import to_csr
from pgcn.errors import ModelFileError
from pgcn.graph import adjacency, normalized_adjacency

FORMAT = "pgcn-model-1"


class GraphNet(nn.Module):
    """Graph convolutions H ← σ(ÂHW + b), then a linear readout HO + b or a graph one ÂHO + b.

    ``forward(x, edge_index)`` follows PyG: x [N, D], edge_index [2, E] from sources to targets, optional
    edge_weight [E]; self-loops are added where missing. It returns the logits, [N, C].
    ``config`` holds the settings of the run that made it, as plain values.
    """

    def __init__(self, architecture: Architecture, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.architecture = architecture
        self.config = config or {}
        self.hidden = nn.ModuleList()
        shapes = architecture.parameter_shapes()
        for i in range(len(architecture.widths)):
            self.hidden.append(Layer(shapes, f"hidden.{i}"))
        self.output = Layer(shapes, "output")

    @classmethod
    def from_weights(
        cls, architecture: Architecture, weights: dict[str, Tensor], config: dict | None = None
    ) -> Self:
        """Return a network with the given weights, by the names of ``architecture.parameter_shapes()``."""
        model = cls(architecture, config)
        model.load_state_dict(weights)
        return model.eval()

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        propagation = self._propagation(edge_index, len(x), edge_weight, x.device)
        return self._read_out(self._hidden(x, propagation), propagation)

    def hidden_features(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Return the last hidden layer's features, [N, w]."""
        return self._hidden(x, self._propagation(edge_index, len(x), edge_weight, x.device))

    @torch.no_grad()
    def predict(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Return each node's most likely class, int64 [N]."""
        return self(x, edge_index, edge_weight).argmax(dim=1)

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def extra_repr(self) -> str:
        a = self.architecture
        sizes = describe_topology(a.num_features, a.widths, a.num_classes)
        return f"{sizes}, activation={a.activation}, readout={a.readout}, bias={a.bias}"

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
        metadata = {
            "format": FORMAT,
            "architecture": json.dumps(asdict(self.architecture)),
            "config": json.dumps(self.config),
        }
        state = {name: value.detach().cpu().contiguous() for name, value in self.state_dict().items()}
        return save_tensors(state, metadata=metadata)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the network that :meth:`save` wrote. Nothing in the file is executed."""
        path = Path(path)
        if not path.is_file():
            raise ModelFileError(f"No model file at {path}.")
        try:
            with safe_open(path, framework="pt") as file:
                metadata = file.metadata() or {}
                weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise ModelFileError(f"{path} is not a readable safetensors file: {error}.") from error
        if metadata.get("format") != FORMAT:
            raise ModelFileError(f"{path} is not a model of this program: expected format {FORMAT!r}, got "
                                 f"{metadata.get('format')!r}.")  # fmt: skip
        try:
            values = json.loads(metadata["architecture"])
            architecture = Architecture(**{**values, "widths": tuple(values["widths"])})
            return cls.from_weights(architecture, weights, json.loads(metadata["config"]))
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise ModelFileError(f"{path} does not hold the network it describes: {error}") from error

    @staticmethod
    def _propagation(
        edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None, device: torch.device
    ) -> Tensor:
        return to_csr(normalized_adjacency(adjacency(edge_index, num_nodes, edge_weight)), device)

    def _hidden(self, x: Tensor, propagation: Tensor) -> Tensor:
        activation = ACTIVATIONS[self.architecture.activation]
        for layer in self.hidden:
            x = activation(layer.shifted(propagation @ (x @ layer.weight)))
        return x

    def _read_out(self, hidden: Tensor, propagation: Tensor) -> Tensor:
        outputs = hidden @ self.output.weight
        if self.architecture.readout == "graph":
            outputs = propagation @ outputs
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
