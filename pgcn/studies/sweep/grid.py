"""Grids of settings: which are varied, and the values of each. No torch."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pgcn.config import hints_of, parsed
from pgcn.errors import ConfigError, no_such, shown
from pgcn.limits import checked
from pgcn.methods.pgcn import GrowthConfig
from pgcn.numbers import exact

Grid = tuple[tuple[str, tuple[Any, ...]], ...]
"""Settings that are varied and the values of each."""
Point = tuple[tuple[str, Any], ...]
"""One value for every setting of a grid."""

PAPER_GRID: Grid = (
    ("block_width", (1, 5, 10, 15, 20)),
    ("dropout", (0.1, 0.3, 0.5)),
    ("lambda1", (0.1, 1.0, 10.0)),
)
PROTOCOLS: Mapping[str, Grid] = {"paper": PAPER_GRID}
"""The paper searches its grid with 20 runs at every point and reports the run of best validation accuracy."""
NOT_VARIED = {"seed": "every run has its own", "device": "it changes no result"}


def point_text(point: Point) -> str:
    """Return for example 'block_width 5, dropout 0.1'."""
    return ", ".join(f"{name} {value_text(value)}" for name, value in point)


def value_text(value: Any) -> str:
    return exact(value) if isinstance(value, float) else str(value)


def points_of(grid: Grid) -> list[Point]:
    """Return all points of a grid, the first setting changing most slowly."""
    names = [name for name, _ in grid]
    return [tuple(zip(names, values, strict=True)) for values in itertools.product(*(values for _, values in grid))]


def checked_grid(grid: Grid) -> Grid:
    """Return a grid with settings and values in their usual order, whatever order they were named in."""
    if not grid:
        raise ConfigError("A sweep needs at least one setting to vary, got none.")
    names = [name for name, _ in grid]
    GrowthConfig.check_names(names)
    order = {spec.name: number for number, spec in enumerate(fields(GrowthConfig))}
    return tuple(
        (name, checked_values(name, values)) for name, values in sorted(grid, key=lambda one: order[one[0]])
    )


def checked_values(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values of a setting in its type and in order."""
    if name in NOT_VARIED:
        raise ConfigError(f"{name} is not varied in a sweep: {NOT_VARIED[name]}.")
    limits = next(spec.metadata for spec in fields(GrowthConfig) if spec.name == name)
    typed = [checked(name, value, hints_of(GrowthConfig)[name], limits) for value in values]
    if len(set(typed)) < len(typed) or not typed:
        raise ConfigError(f"A grid names every value of {name} once, got {shown(typed)}.")
    return tuple(sorted(typed, key=lambda value: (value is not None, value)))


def read_grid(texts: Sequence[str]) -> Grid:
    """Return the grid of texts such as 'block_width=5,10', as the command line takes them."""
    grid: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not values:
            raise ConfigError(f"A setting of a grid is written key=value,value,..., got {shown(text)}.")
        if name in grid:
            raise ConfigError(f"A grid names every setting once, got {name} twice.")
        grid[name] = tuple(parsed(GrowthConfig, name, value.strip()) for value in values.split(","))
    return checked_grid(tuple(grid.items()))


def protocol_grid(name: str) -> Grid:
    """Return the grid of a protocol by its name."""
    if name not in PROTOCOLS:
        raise ConfigError(no_such("protocol", name, PROTOCOLS))
    return PROTOCOLS[name]
