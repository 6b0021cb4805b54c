"""Print the golden digests of a graph: ``PGCN_REPRODUCIBLE=1 python tests/golden/digests.py karate``.

One line for each preset and seed: sha256 over a run's events and weights, first 16 digits. Prose, what the clock
measured and versions are left out of the events.
"""

import hashlib
import json
import sys

from pgcn import GCNConfig, grow_many, growth_preset, load_graph, train_gcns

GRAPHS = {
    "karate": {"name": "karate"},
    "synthetic": {"name": "synthetic", "nodes": 300, "features": 60, "seed": 1},
    "tall": {"name": "synthetic", "nodes": 900, "features": 60, "seed": 1, "split": "fraction:0.7", "dims": 20},
    "cora": {"name": "cora"},
    "citeseer": {"name": "citeseer"},
    "pubmed": {"name": "pubmed"},
}
LEFT_OUT = ("seconds", "versions", "notes", "reason")
PRESETS = ("paper", "reference", "reproduction", "tuned")
SEEDS = range(5)


def digest(result) -> str:
    """Return the digest of a run: its events, then the weights of the network it left."""
    told = hashlib.sha256()
    for event in result.events:
        values = {key: value for key, value in event.to_dict().items() if key not in LEFT_OUT}
        told.update(json.dumps(values, sort_keys=True).encode())
    for name, part in sorted(result.model.state_dict().items()):
        told.update(name.encode() + part.contiguous().numpy().tobytes())
    return told.hexdigest()[:16]


def lines(graph_name: str):
    """Yield 'graph preset seed digest topology' for every preset and the GCN."""
    graph = load_graph(**GRAPHS[graph_name])
    for preset in PRESETS:
        runs = grow_many(graph, [growth_preset(preset, seed=seed) for seed in SEEDS]).finish()
        for seed, result in zip(SEEDS, runs, strict=True):
            yield f"{graph_name} {preset} {seed} {digest(result)} {'-'.join(map(str, result.topology))}"
    for seed, result in zip(
        SEEDS, train_gcns(graph, [GCNConfig(seed=seed) for seed in SEEDS]).finish(), strict=True
    ):
        yield f"{graph_name} gcn {seed} {digest(result)} {'-'.join(map(str, result.topology))}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for line in lines(name):
            print(line, flush=True)
