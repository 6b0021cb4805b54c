"""A stored network without this program: a script that needs torch, PyG and safetensors only. No torch here."""

from pgcn.errors import ConfigError
from pgcn.events import opening
from pgcn.methods.registry import method_title
from pgcn.store import Store

SCRIPT = """\
# python SCRIPT NETWORK.safetensors GRAPH.pt, by torch.save({"x": x, "edge_index": edge_index}, "GRAPH.pt")
import json, sys, torch  # noqa: E401
from safetensors import safe_open
from torch_geometric.nn.conv.gcn_conv import gcn_norm
with safe_open(sys.argv[1], "pt") as file:
    net = json.loads(file.metadata()["architecture"])
    W = {name: file.get_tensor(name) for name in file.keys()}
data = torch.load(sys.argv[2], weights_only=True)
edges, values = gcn_norm(data["edge_index"], data.get("edge_weight"), len(data["x"]))
A, H = torch.sparse_coo_tensor(edges.flip(0), values, (len(data["x"]),) * 2).coalesce(), data["x"]
act = torch.nn.Identity() if net["activation"] == "linear" else getattr(torch.nn.functional, net["activation"])
for i in range(len(net["widths"])): H = act(A @ (H @ W[f"hidden.{i}.weight"]) + W.get(f"hidden.{i}.bias", 0))
H = M = H @ W["output.weight"]
restart, steps = net.get("teleport", 0), {"linear": 0, "graph": 1, "pagerank": 10}[net["readout"]]
for _ in range(steps): H = (1 - restart) * (A @ H) + restart * M
print(*(H + W.get("output.bias", 0)).argmax(dim=1).tolist())
"""
GRAPH_NETS = ("pgcn", "gcn")
"""Methods whose networks the script computes: graph convolutions and a readout."""


def network_script(store: Store, run: str) -> str:
    """Return the script that computes the predictions of a run's network from its file."""
    method = opening(store.events(run)).method
    if method not in GRAPH_NETS:
        raise ConfigError(
            f"There is a script for networks of PGCN and GCN only, and this one is of {method_title(method)}. "
            "Export it with --model and read it with pgcn.load_network."
        )
    store.network(run)  # a run that has no network says so
    return SCRIPT
