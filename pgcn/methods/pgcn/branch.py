"""A branch: a run that has the beginning of another, up to an accepted block, and grows on with other settings.

It is a run that was interrupted there and is resumed: its events are those of its parent up to that block, and how
they came to be stands in its opening event. With the parent's settings it is the rest of its parent, bit for bit.
"""

from dataclasses import replace
from importlib.metadata import version
from typing import Any

import torch

from pgcn.errors import ConfigError
from pgcn.events import Event, RunStarted
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.pgcn.lineage import FIXED, lineage
from pgcn.methods.run import RunRecord

MOST_ANCESTORS = 100
"""Each opening event tells all of them."""


def branch_record(record: RunRecord, run: str, step: int, changes: dict[str, Any]) -> RunRecord:
    """Return the record of a branch from a step of a run, before it has grown on; ``run`` is the parent's id."""
    config = changed(record.started, changes)
    if len(lineage(record.started)[1]) >= MOST_ANCESTORS:
        raise ConfigError(
            f"A branch may descend from at most {MOST_ANCESTORS} runs, one after the other; this one would descend "
            "from more. Branch from an earlier one."
        )
    events = events_up_to(record.events, step)
    last = events[-1]
    assert isinstance(last, BlockAccepted)
    parent = {
        "run": run,
        "step": step,
        "layer": last.layer,
        "block": last.block,
        "config": record.started.config,
        "parent": record.started.parent,
    }
    versions = {"pgcn": version("pgcn"), "torch": str(torch.__version__)}
    beginning = replace(record.started, config=config.to_dict(), versions=versions, parent=parent)
    weights = {number: weights for number, weights in record.weights.items() if number <= step}
    return RunRecord(events=(beginning, *events[1:]), weights=weights)


def changed(started: RunStarted, changes: dict[str, Any]) -> GrowthConfig:
    """Return the settings that a branch grows on with."""
    if started.method != "pgcn":
        raise ConfigError(f"Only a PGCN run can be branched; this one is of method {started.method}.")
    parent = GrowthConfig.from_dict(started.config)
    config = parent.change(**changes)
    kept = [name for name in FIXED if getattr(config, name) != getattr(parent, name)]
    if kept:
        raise ConfigError(
            f"A branch keeps the graph and {', '.join(FIXED)}: they say what the network it begins with computes. "
            f"Leave out: {', '.join(kept)}."
        )
    return config


def events_up_to(events: tuple[Event, ...], step: int) -> tuple[Event, ...]:
    """Return the events of a run up to the block that it accepted as the step-th."""
    accepted = [place for place, event in enumerate(events) if isinstance(event, BlockAccepted)]
    if not 1 <= step <= len(accepted):
        there = f"steps 1 to {len(accepted)}" if accepted else "no accepted block"
        raise ConfigError(f"There is no step {step} to branch from: the run has {there}.")
    return events[: accepted[step - 1] + 1]
