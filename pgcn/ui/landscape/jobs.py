"""The job a visitor starts on the Landscape page: the runs of a landscape that are missing."""

from functools import partial

from pgcn.execution.memory import RunMemory
from pgcn.studies.landscape import Landscape
from pgcn.ui.landscape.session import LandscapeSession
from pgcn.ui.study.jobs import run_missing


def run_landscape(session: LandscapeSession, landscape: Landscape) -> None:
    """Start the missing runs of a landscape, unless one is running."""
    run_missing(session, [landscape], partial(largest_share, landscape))


def largest_share(landscape: Landscape) -> int:
    """Return how much memory the runs that are trained together are estimated to take at most."""
    shares: dict[str, list] = {}
    for task in landscape.tasks():
        shares.setdefault(task.group, []).append(task.config)
    largest = max(shares.values(), key=lambda configs: len(configs) * sum(configs[0].size().widths))
    return RunMemory(landscape.facts, largest, dense=landscape.source.dims is not None).now
