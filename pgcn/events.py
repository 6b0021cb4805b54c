"""What happens in a run, in the past tense and in plain numbers. Standard library only.

A run is its config and its ordered events; everything shown is a function of them. Weights are not events. Here are
the kinds that all methods share; a method adds its own (:func:`register`).
"""

import dataclasses
import functools
import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from pgcn.errors import PgcnError, shown


@dataclass(frozen=True, kw_only=True)
class Scores:
    """How well a network does. Test figures are shown, never used to decide.

    A loss is the mean over the nodes of their cross-entropy, or of their squared error averaged over classes.
    """

    labelled_accuracy: float
    val_accuracy: float
    test_accuracy: float
    labelled_loss: float
    val_loss: float
    test_loss: float

    @property
    def finite(self) -> bool:
        """Whether the losses are numbers; otherwise training diverged. There may be no test nodes."""
        return math.isfinite(self.labelled_loss) and math.isfinite(self.val_loss)


def later(default: Any) -> Any:
    """Declare a field that came after runs had been stored: at its default it is not written down."""
    return field(default=default, metadata={"later": True})


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that happened."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as JSON-able values, its kind under ``event``."""
        values = dataclasses.asdict(self)
        for spec in dataclasses.fields(self):
            if spec.metadata.get("later") and values[spec.name] == spec.default:
                del values[spec.name]
        return {"event": type(self).__name__, **jsonable(values)}


@dataclass(frozen=True, kw_only=True)
class RunStarted(Event):
    """A run began: what is trained, on what, with which settings and versions.

    ``recipe`` holds the arguments of ``load_graph`` that make the graph again, None for a graph of one's own.
    ``reproducible`` says that every bit is the same on any x86-64 CPU with AVX2 (:mod:`pgcn.reproducible`).
    ``parent`` is of a branch: the ``run`` and the ``step`` it grew on from, with its ``layer`` and ``block``, the
    ``config`` that held up to there, and the ``parent`` of that run.
    """

    method: str
    dataset: str
    split: str
    nodes: int
    edges: int
    features: int
    classes: int
    labelled: int
    val: int
    test: int
    config: dict[str, Any]
    versions: dict[str, str]
    notes: tuple[str, ...] = ()
    recipe: dict[str, Any] | None = None
    reproducible: bool = False
    parent: dict[str, Any] | None = later(None)  # noqa: RUF009 - it is what a field is


def opening(events: Sequence[Event]) -> RunStarted:
    """Return the event that opened a run, its first."""
    if not events or not isinstance(events[0], RunStarted):
        raise PgcnError("The events of a run must begin with RunStarted.")
    return events[0]


@dataclass(frozen=True, kw_only=True)
class EpochsTrained(Event):
    """Training went on: ``loss`` is the training loss, dropout included, at ``epoch`` of ``epochs``.

    ``layer`` and ``block`` say which candidate is trained, in a network that grows.
    """

    layer: int | None = None
    block: int | None = None
    epoch: int
    epochs: int
    loss: float
    val_loss: float | None = None


@dataclass(frozen=True, kw_only=True)
class DecisionAwaited(Event):
    """A run waits for a person's decision, one of ``choices``; ``rule`` is what the method itself would decide."""

    rule: str
    choices: tuple[str, ...]


class CandidateJudged(Event):
    """A candidate of any kind was trained and judged: whoever steps through a run stops after it."""


@dataclass(frozen=True, kw_only=True)
class RunFinished(Event):
    """The run ended: ``status`` is finished, cancelled or failed.

    ``ending`` says why, ``facts`` holds its numbers; the sentence is made from them when it is shown
    (:func:`pgcn.methods.endings.ending_sentence`). ``reason`` is text from outside, such as an error's, and
    prose of runs stored before.
    """

    status: str
    ending: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None
    seconds: float


@dataclass(frozen=True, kw_only=True)
class UnknownEvent(Event):
    """An event of a kind that is not known here, written by a later version: passed over, and exported as it is."""

    kind: str
    values: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return {"event": self.kind, **self.values}


@dataclass(frozen=True, kw_only=True)
class RunEvent:
    """An event of one of many runs, by the position of its config."""

    run: int
    event: Event


_KINDS: dict[str, type[Event]] = {}
REGISTRY = "pgcn.methods.registry"
"""The module that imports every method, and with it the kinds of events that are its own."""


def register(*kinds: type[Event]) -> None:
    """Make kinds of events known, so that they can be read back; a method registers its own."""
    _KINDS.update({kind.__name__: kind for kind in kinds})


register(RunStarted, EpochsTrained, RunFinished)


def kind_named(name: str) -> type[Event] | None:
    """Return a kind of event; where it is not known yet, a method may have it."""
    if name not in _KINDS:
        importlib.import_module(REGISTRY)
    return _KINDS.get(name)


def jsonable(value):
    """Return the value with tuples as lists and numbers that JSON has no word for (NaN, infinity) as None."""
    if isinstance(value, dict):
        return {key: jsonable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def event_from_dict(values: dict[str, Any]) -> Event:
    """Return the event that :meth:`Event.to_dict` wrote, also after a trip through JSON.

    What a later version wrote can be read too: fields that are not known here are passed over, and an event of a
    kind that is not becomes an :class:`UnknownEvent`.
    """
    name = values.get("event")
    if not isinstance(name, str) or not name:
        raise PgcnError(f"An event must name its kind under 'event', got {shown(name)}.")
    kind = kind_named(name)
    if kind is None:
        return UnknownEvent(kind=name, values={key: value for key, value in values.items() if key != "event"})
    return from_values(kind, values)


def from_values(kind: type, values: dict[str, Any]) -> Any:
    """Return the event, or the scores, that a dictionary holds; other keys are passed over."""
    hints = fields_of(kind)
    return kind(**{key: restored(hints[key], value) for key, value in values.items() if key in hints})


@functools.cache
def fields_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def restored(hint, value):
    """Return a JSON value in the type its field declares."""
    if isinstance(value, dict) and hint in (Scores, Scores | None):
        return from_values(Scores, value)
    if value is None and hint is float:
        return math.nan
    return tuple(restored(None, part) for part in value) if isinstance(value, list) else value
