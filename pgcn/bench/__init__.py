"""Speed, as ratios measured in turns in one process; never a test, because machines are noisy."""

from pgcn.bench.dense import bench_dense
from pgcn.bench.growth import LANES, bench_epochs, bench_scale, bench_study, lane_epochs, pyg_epochs
from pgcn.bench.methods import bench_method

__all__ = [
    "LANES",
    "bench_dense",
    "bench_epochs",
    "bench_method",
    "bench_scale",
    "bench_study",
    "lane_epochs",
    "pyg_epochs",
]
