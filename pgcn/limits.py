"""The upper bounds of all numbers that can be asked for, and how any value is checked. Standard library only."""

import functools
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, get_args

from pgcn.errors import ConfigError, shown

MOST_SEED = 2**63 - 1
"""A database holds no larger whole number."""
MOST_EPOCHS = 1_000_000
MOST_NEURONS = 100_000
MOST_LAYERS = 1_000
MOST_PARAMETERS = 500_000_000
"""Of a network, which takes 8 GB while it is trained."""
MOST_RATE = 3e37
"""The largest learning rate: Adam holds it as a float32."""
MOST_FACTOR = 1e12
"""The largest weight of a term in a loss."""
MOST_RUNS = 10_000
"""Runs that are started together."""
MOST_WORKERS = 1_000
DEVICES = "cpu, cuda, cuda:N or mps"
DEVICE = re.compile(r"cpu|mps|cuda(:[0-9]{1,3})?")

_bounded: ContextVar[bool] = ContextVar("bounded", default=True)


@contextmanager
def without_upper_bounds() -> Iterator[None]:
    """Check no upper bounds meanwhile: what is stored must open, whatever may be asked for now."""
    token = _bounded.set(False)
    try:
        yield
    finally:
        _bounded.reset(token)


@functools.cache
def kind_of(hint) -> tuple[type, bool]:
    """Return the plain type behind an annotation and whether None is allowed."""
    kinds = [arg for arg in get_args(hint) if arg is not type(None)]
    if type(None) in get_args(hint):
        return kinds[0], True
    return (tuple if get_args(hint) else hint), False


def read_whole(text: str) -> int | None:
    """Return the whole number from 0 up that a text is, None where it is none or longer than any we use."""
    return int(text) if text.isdecimal() and len(text) <= 20 else None


NOUN = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a word",
    tuple: "whole numbers",
}


def checked(name: str, value: Any, hint, limits: Mapping[str, Any]) -> Any:
    """Return the value in its proper type, or say what it must be and what was got."""
    kind, optional = kind_of(hint)
    if value is None and optional:
        return None
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = as_float(value)
    proper = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not proper or (kind is tuple and not all(type(part) is int for part in value)):
        raise ConfigError(f"{name} must be {NOUN[kind]}{' or none' if optional else ''}, got {shown(value)}.")
    if limits.get("choices") and value not in limits["choices"]:
        raise ConfigError(f"{name} must be one of: {', '.join(limits['choices'])}; got {shown(value)}.")
    if kind is str:
        return checked_text(name, value, limits)
    if kind is tuple and not value:
        raise ConfigError(f"{name} must name at least one number, got none.")
    longest = limits.get("longest")
    if kind is tuple and longest is not None and len(value) > longest and _bounded.get():
        raise ConfigError(f"{name} must name at most {longest:,} numbers, got {len(value):,}.")
    for number in value if kind is tuple else (value,):
        check_number(name, number, limits)
    return value


def checked_text(name: str, text: str, limits: Mapping[str, Any]) -> str:
    """Return a text if it has the form it must have."""
    if limits.get("form") and _bounded.get():
        pattern, words = limits["form"]
        if not pattern.fullmatch(text):
            raise ConfigError(f"{name} must be {words}, got {shown(text)}.")
    return text


def as_float(number: int) -> float:
    """Return a whole number as a float, infinity where it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


LIMITS = {
    "at_least": ("at least", lambda number, bound: number >= bound),
    "above": ("greater than", lambda number, bound: number > bound),
    "below": ("less than", lambda number, bound: number < bound),
    "at_most": ("at most", lambda number, bound: number <= bound),
}


def check_number(name: str, number: float, limits: Mapping[str, Any]) -> None:
    """Refuse a number that is not finite or out of its limits; the upper bound only of what is asked for now."""
    if isinstance(number, float) and not math.isfinite(number):
        raise ConfigError(f"{name} must be a finite number, got {number}.")
    for key, (words, fits) in LIMITS.items():
        bound = limits.get(key)
        if bound is None or fits(number, bound) or (key == "at_most" and not _bounded.get()):
            continue
        written = f"{bound:,}" if key == "at_most" and isinstance(bound, int) else f"{bound}"
        raise ConfigError(f"{name} must be {words} {written}, got {shown(number)}.")


def checked_number(name: str, value: Any, *, kind: type = int, **limits: Any) -> Any:
    """Return a number that is no setting of a config, such as of a flag, if it is what it must be."""
    return checked(name, value, kind, limits)
