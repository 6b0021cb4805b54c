"""Print the golden digests of a graph: ``PGCN_REPRODUCIBLE=1 python tests/golden/digests.py karate [RUNS]``.

One line for each preset and seed: sha256 over a run's events and over the weights of its network, first 16 digits.
Prose, why a run ended, what the clock measured and versions are left out of the events.
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
LEFT_OUT = ("seconds", "versions", "notes", "reason", "ending", "facts")
PRESETS = ("paper", "reference", "reproduction", "tuned", "pagerank")
SEEDS = 5


def event_digest(result) -> str:
    """Return the digest of a run's events."""
    told = hashlib.sha256()
    for event in result.events:
        values = {key: value for key, value in event.to_dict().items() if key not in LEFT_OUT}
        if values["event"] == "EpochsTrained":  # a network that does not grow once said layer 0, block 0
            values |= {key: values[key] or 0 for key in ("layer", "block")}
        told.update(json.dumps(values, sort_keys=True).encode())
    return told.hexdigest()[:16]


def weight_digest(result) -> str:
    """Return the digest of the network a run left: its tensors in the order of their names."""
    told = hashlib.sha256()
    for _, part in sorted(result.model.state_dict().items()):
        told.update(part.contiguous().numpy().tobytes())
    return told.hexdigest()[:16]


def lines(graph_name: str, seeds: int = SEEDS):
    """Yield 'graph method seed events weights topology validation test' for every preset and the GCN."""
    graph = load_graph(**GRAPHS[graph_name])
    growth = {preset: [growth_preset(preset, seed=seed) for seed in range(seeds)] for preset in PRESETS}
    runs = {preset: grow_many(graph, configs) for preset, configs in growth.items()}
    runs["gcn"] = train_gcns(graph, [GCNConfig(seed=seed) for seed in range(seeds)])
    for name, these in runs.items():
        for seed, result in enumerate(these.finish()):
            scores = f"{result.scores.val_accuracy:.3f} {result.scores.test_accuracy:.3f}"
            topology = "-".join(map(str, result.topology))
            yield f"{graph_name} {name} {seed} {event_digest(result)} {weight_digest(result)} {topology} {scores}"


if __name__ == "__main__":
    for line in lines(sys.argv[1], *map(int, sys.argv[2:])):
        print(line, flush=True)
