"""Where a branch comes from, as its opening event says. No torch."""

from collections.abc import Mapping
from typing import Any

from pgcn.events import RunStarted
from pgcn.methods.pgcn import GrowthConfig

FIXED = ("activation", "readout", "teleport", "bias")
"""Settings that a branch shares with its parent: what the network that it begins with computes."""


def lineage(started: RunStarted) -> tuple[dict[str, Any], list[tuple[int, dict[str, Any]]]]:
    """Return the settings that a run began with, and after which step which other ones held."""
    config, parent = started.config, started.parent
    turns: list[tuple[int, dict[str, Any]]] = []
    while parent is not None:
        turns.insert(0, (parent["step"], config))
        config, parent = parent["config"], parent["parent"]
    return config, turns


def branch_points(started: RunStarted) -> list[tuple[str, dict[str, Any]]]:
    """Return where a run left each of those it descends from, the oldest first, and what changed there."""
    config, parent = started.config, started.parent
    points: list[tuple[str, dict[str, Any]]] = []
    while parent is not None:
        points.insert(0, (point_name(parent), changes_between(parent["config"], config)))
        config, parent = parent["config"], parent["parent"]
    return points


def point_name(parent: Mapping[str, Any]) -> str:
    """Return the accepted block that a branch grew on from, for example 'L1·B3'."""
    if "block" not in parent:  # a branch of an earlier version
        return f"step {parent['step']}"
    return f"L{parent['layer']}·B{parent['block']}"


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that differ, with what they are afterwards."""
    old, new = GrowthConfig.from_dict(before), GrowthConfig.from_dict(after)
    return settings_changed(old, new)


def settings_changed(before: GrowthConfig, after: GrowthConfig) -> dict[str, Any]:
    """Return the settings in which one config differs from another, with their values in it."""
    return {name: value for name, value in vars(after).items() if value != getattr(before, name)}
