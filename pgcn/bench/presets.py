"""How long whole growth runs take with each preset, in turns, against one of them."""

import time
from collections.abc import Callable

from pgcn.execution.start import grow
from pgcn.graph import Graph
from pgcn.methods.pgcn import PRESETS, growth_preset
from pgcn.studies.statistics import Spread

SEEDS = 5
AGAINST = "tuned"


def bench_presets(graph: Graph, progress: Callable[[str], None], seeds: int = SEEDS) -> list[dict]:
    """Return the mean seconds of a growth run with each preset over the same seeds, and the ratio to one preset."""
    times: dict[str, list[float]] = {preset: [] for preset in PRESETS}
    for preset in PRESETS:  # what is made once for a graph is not measured
        grow(graph, growth_preset(preset, epochs=1, max_layers=1, max_width=5)).finish()
    for seed in range(seeds):
        for preset in PRESETS:
            progress(f"{graph.name}: {preset}, seed {seed}")
            started = time.perf_counter()
            grow(graph, growth_preset(preset, seed=seed)).finish()
            times[preset].append(time.perf_counter() - started)
    spreads = {preset: Spread.of(seconds) for preset, seconds in times.items()}
    against = spreads[AGAINST].mean
    return [
        {
            "dataset": graph.name,
            "preset": preset,
            "seeds": seeds,
            "seconds": reached.mean,
            "sd": reached.sd,
            "ratio": reached.mean / against,
            "against": AGAINST,
        }
        for preset, reached in spreads.items()
    ]
