"""What a set of settings is: frozen, keyword-only, and checked when made. Standard library only.

Every field carries a sentence for people (``about``) and its range, so that the command line, the pages and
the error messages say the same thing.
"""

import dataclasses
import difflib
import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self, get_args, get_type_hints

from pgcn.errors import ConfigError, no_such

IDENTITY = "0.2.0"
"""Part of every id of a stored question (a study's run, a baseline, an embedding), which hashes what was asked.

It was the program's version when ids were first made and stays: another one would orphan all that is stored. It
changes only where the same question would have another answer.
"""


def option(default, about: str, *, choices=None, at_least=None, above=None, below=None, later=False) -> Any:
    """Declare one setting: its default, a sentence, and what it may be.

    A ``later`` setting came after runs had been stored: at its default it is not written down, so that what was
    asked for before it existed is still the same question.
    """
    limits = {"choices": choices, "at_least": at_least, "above": above, "below": below}
    return field(default=default, metadata={"about": about, "later": later, **limits})


@dataclass(frozen=True, kw_only=True)
class Config:
    """What all settings share: they check themselves, can be changed, written down and read back."""

    def __post_init__(self) -> None:
        hints = hints_of(type(self))
        for spec in dataclasses.fields(self):
            value = checked(spec.name, getattr(self, spec.name), hints[spec.name], spec.metadata)
            object.__setattr__(self, spec.name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON-able values, later ones only where they are not at their default."""
        values = {
            spec.name: getattr(self, spec.name)
            for spec in dataclasses.fields(self)
            if not (spec.metadata["later"] and getattr(self, spec.name) == spec.default)
        }
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Return the settings that :meth:`to_dict` wrote; a key that does not exist is an error."""
        known = [spec.name for spec in dataclasses.fields(cls)]
        for key in values:
            if key not in known:
                close = difflib.get_close_matches(key, known, n=1)
                hint = f" Did you mean {close[0]}?" if close else ""
                raise ConfigError(f"{no_such('setting', key, known)}{hint}")
        return cls(**{key: tuple(v) if isinstance(v, list) else v for key, v in values.items()})

    def change(self, **values: Any) -> Self:
        """Return a copy with some settings changed."""
        return self.from_dict({**dataclasses.asdict(self), **values})

    def set(self, *texts: str) -> Self:
        """Return a copy changed by ``key=value`` texts, as the command line's ``--set`` takes them."""
        return self.change(**assignments(type(self), texts))


def assignments(cls: type[Config], texts: Iterable[str]) -> dict[str, Any]:
    """Return the values of ``key=value`` texts in the types of a config's settings."""
    values = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ConfigError(f"A setting is written key=value, got {text!r}.")
        values[key] = parsed(cls, key, value)
    return values


SWITCHES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_switch(text: str) -> bool:
    """Return what a text such as 'true', 'yes' or '0' says."""
    if text.strip().lower() not in SWITCHES:
        raise ConfigError(f"A switch is one of: {', '.join(SWITCHES)}; got {text!r}.")
    return SWITCHES[text.strip().lower()]


@functools.cache
def hints_of(cls: type[Config]) -> dict[str, Any]:
    """Return the annotations of a config; looking them up takes longer than checking all values."""
    return get_type_hints(cls)


def kind_of(hint) -> tuple[type, bool]:
    """Return the plain type behind an annotation and whether None is allowed."""
    kinds = [arg for arg in get_args(hint) if arg is not type(None)]
    if type(None) in get_args(hint):
        return kinds[0], True
    return (tuple if get_args(hint) else hint), False


def parsed(cls: type[Config], key: str, text: str) -> Any:
    """Turn a setting's text into its type; leave what does not parse for the check to refuse."""
    hint = hints_of(cls).get(key)
    if hint is None:
        return text
    kind, optional = kind_of(hint)
    if optional and text.lower() == "none":
        return None
    try:
        if kind is bool:
            return SWITCHES[text.lower()]
        if kind is tuple:
            return tuple(int(part) for part in text.split(","))
        return kind(text)
    except (ValueError, KeyError):
        return text


NOUN = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a word",
    tuple: "whole numbers",
}


def checked(name: str, value: Any, hint, limits) -> Any:
    """Return the value in its proper type, or say what it must be and what was got."""
    kind, optional = kind_of(hint)
    if value is None and optional:
        return None
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    proper = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not proper or (kind is tuple and not all(type(part) is int for part in value)):
        raise ConfigError(f"{name} must be {NOUN[kind]}{' or none' if optional else ''}, got {value!r}.")
    if limits["choices"] and value not in limits["choices"]:
        raise ConfigError(f"{name} must be one of: {', '.join(limits['choices'])}; got {value!r}.")
    if kind is tuple and not value:
        raise ConfigError(f"{name} must name at least one number, got none.")
    for number in value if kind is tuple else (value,):
        if isinstance(number, float) and not math.isfinite(number):
            raise ConfigError(f"{name} must be a finite number, got {number}.")
        for key, words, fits in (
            ("at_least", "at least", lambda n, bound: n >= bound),
            ("above", "greater than", lambda n, bound: n > bound),
            ("below", "less than", lambda n, bound: n < bound),
        ):
            bound = limits[key]
            if bound is not None and not fits(number, bound):
                raise ConfigError(f"{name} must be {words} {bound}, got {number}.")
    return value
