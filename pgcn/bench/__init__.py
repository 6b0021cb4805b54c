"""Speed, as ratios measured in turns in one process; never a test, because machines are noisy."""

from pgcn.bench.dense import bench_dense
from pgcn.bench.growth import LANES, bench_epochs, bench_scale, bench_study, lane_epochs, pyg_epochs
from pgcn.bench.landscape import bench_landscape
from pgcn.bench.methods import bench_method
from pgcn.bench.presets import bench_presets

__all__ = [
    "LANES",
    "bench_dense",
    "bench_epochs",
    "bench_landscape",
    "bench_method",
    "bench_presets",
    "bench_scale",
    "bench_study",
    "lane_epochs",
    "pyg_epochs",
]
