"""What a set of settings is: frozen, keyword-only, and checked when made. Standard library only.

Every field carries a sentence for people (``about``) and its range, so that the command line, the pages and
the error messages say the same thing. Whatever number a link, a flag or a file gives has an upper bound, which is
checked before anything is built (:mod:`pgcn.limits`). What is stored is read without: it has run already.
"""

import dataclasses
import difflib
import functools
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, get_type_hints

from pgcn.errors import ConfigError, no_such, shown
from pgcn.limits import DEVICE, DEVICES, MOST_SEED, checked, kind_of, without_upper_bounds

USUAL_NEURONS = 100
"""Hidden neurons of a network of which nothing is known before it is trained."""
IDENTITY = "0.2.0"
"""Part of every id of a stored question (a study's run, a baseline, an embedding), which hashes what was asked.

It was the program's version when ids were first made and stays: another one would orphan all that is stored. It
changes only where the same question would have another answer.
"""


def option(
    default,
    about: str,
    *,
    choices=None,
    at_least=None,
    above=None,
    below=None,
    at_most=None,
    longest=None,
    form=None,
    later=False,
) -> Any:
    """Declare one setting: its default, a sentence, and what it may be.

    ``longest`` bounds how many numbers a setting may list; ``form`` is a pattern, and what it says in words. A
    ``later`` setting came after runs had been stored: at its default it is not written down, so that what was
    asked for before it existed is still the same question.
    """
    limits = {"choices": choices, "at_least": at_least, "above": above, "below": below, "at_most": at_most}
    more = {"longest": longest, "form": form}
    return field(default=default, metadata={"about": about, "later": later, **limits, **more})


def seed_option(about: str = "Seed of all randomness in the run.", **how: Any) -> Any:
    """Declare a seed."""
    return option(0, about, **{"at_least": 0, "at_most": MOST_SEED, **how})


def device_option() -> Any:
    """Declare where to compute; whether this machine has it is seen when a run begins."""
    return option("cpu", "Where to compute: cpu, cuda, cuda:1, ...", form=(DEVICE, DEVICES))


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
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the settings that :meth:`to_dict` wrote; a key that does not exist is an error.

        Upper bounds are not checked: they are for what is asked for now, and what is stored must open.
        """
        cls.check_names(values)
        with without_upper_bounds():
            return cls(**{key: tuple(v) if isinstance(v, list) else v for key, v in values.items()})

    @classmethod
    def check_names(cls, names: Iterable[str]) -> None:
        """Refuse a name that is not of a setting."""
        known = [spec.name for spec in dataclasses.fields(cls)]
        for key in names:
            if key not in known:
                close = difflib.get_close_matches(str(key)[:100], known, n=1)
                hint = f" Did you mean {close[0]}?" if close else ""
                raise ConfigError(f"{no_such('setting', key, known)}{hint}")

    def change(self, **values: Any) -> Self:
        """Return a copy with some settings changed; these are checked, the others are as they were."""
        self.check_names(values)
        specs, hints = {spec.name: spec for spec in dataclasses.fields(self)}, hints_of(type(self))
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
        for key, value in values.items():
            checked(key, value, hints[key], specs[key].metadata)
        return self.from_dict({**dataclasses.asdict(self), **values})

    def set(self, *texts: str) -> Self:
        """Return a copy changed by ``key=value`` texts, as the command line's ``--set`` takes them."""
        return self.change(**assignments(type(self), texts))


@dataclass(frozen=True, kw_only=True)
class NetworkSize:
    """How large a network will be, as far as its settings say before it is trained.

    ``widths`` are those of its hidden layers; ``more`` counts parameters beside those between its layers, ``edge``
    the numbers that training holds for every edge. ``solves`` says that a system of a layer's width is solved.
    So many ``copies`` are trained side by side.
    """

    widths: tuple[int, ...] = ()
    more: int = 0
    edge: int = 0
    solves: bool = False
    copies: int = 1

    def parameters(self, features: int, classes: int) -> int:
        """Return about how many parameters there are, of layers each connected with the next."""
        layers = (features, *self.widths, classes)
        return self.more + sum(fan_in * fan_out for fan_in, fan_out in itertools.pairwise(layers))


class RunConfig(Config):
    """The settings of a method's runs. They may be any, but a seed and a device are always among them."""

    seed: int
    device: str

    def size(self) -> NetworkSize:
        """Return how large a network of these settings will be: what it may take is decided before it is built."""
        return NetworkSize(widths=(USUAL_NEURONS,))


def assignments(cls: type[Config], texts: Iterable[str]) -> dict[str, Any]:
    """Return the values of ``key=value`` texts in the types of a config's settings."""
    values = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ConfigError(f"A setting is written key=value, got {shown(text)}.")
        values[key] = parsed(cls, key, value)
    return values


SWITCHES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_switch(text: str) -> bool:
    """Return what a text such as 'true', 'yes' or '0' says."""
    if text.strip().lower() not in SWITCHES:
        raise ConfigError(f"A switch is one of: {', '.join(SWITCHES)}; got {shown(text)}.")
    return SWITCHES[text.strip().lower()]


@functools.cache
def hints_of(cls: type[Config]) -> dict[str, Any]:
    """Return the annotations of a config; looking them up takes longer than checking all values."""
    return get_type_hints(cls)


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
