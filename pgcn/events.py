"""What happens in a run, in the past tense and in plain numbers. Standard library only.

A run is its config and its ordered events; everything shown is a function of them. Weights are not events.
"""

import dataclasses
import functools
import math
from dataclasses import dataclass
from typing import Any, get_type_hints

from pgcn.errors import PgcnError


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


@dataclass(frozen=True, kw_only=True)
class Event:
    """One thing that happened."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as JSON-able values, its kind under ``event``."""
        return {"event": type(self).__name__, **jsonable(dataclasses.asdict(self))}


@dataclass(frozen=True, kw_only=True)
class RunStarted(Event):
    """A run began: what is trained, on what, with which settings and versions.

    ``recipe`` holds the arguments of ``load_graph`` that make the graph again, None for a graph of one's own.
    ``reproducible`` says that every bit is the same on any x86-64 CPU with AVX2 (:mod:`pgcn.reproducible`).
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


@dataclass(frozen=True, kw_only=True)
class BlockProposed(Event):
    """A block was proposed as a candidate; ``topology`` and ``parameters`` include it."""

    layer: int
    block: int
    width: int
    topology: tuple[int, ...]
    parameters: int


@dataclass(frozen=True, kw_only=True)
class EpochsTrained(Event):
    """Fine-tuning went on: ``loss`` is the training loss, dropout included, at ``epoch`` of ``epochs``."""

    layer: int
    block: int
    epoch: int
    epochs: int
    loss: float
    val_loss: float | None = None


@dataclass(frozen=True, kw_only=True)
class BlockJudged(Event):
    """A trained block was compared with the network before it.

    ``before`` and ``after`` are the scores without and with the block, ``solved`` those with the readout just
    solved and nothing fine-tuned. ``error_*`` is the appendix's E: of the accepted network before, after the
    solve, after fine-tuning. ``rate`` is r_b; it and ``before`` are None for the first block of all. ``reason`` is
    prose of runs stored before: the sentence is made from the facts when it is shown
    (:func:`pgcn.methods.pgcn.explain.why`).
    """

    layer: int
    block: int
    width: int
    topology: tuple[int, ...]
    parameters: int
    parameters_before: int
    metric: str
    before: Scores | None
    solved: Scores
    after: Scores
    rate: float | None
    epsilon: float
    error_before: float | None
    error_solved: float
    error_tuned: float
    loss: float
    seconds: float
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class BlockAccepted(BlockJudged):
    """The block stayed."""


@dataclass(frozen=True, kw_only=True)
class BlockRejected(BlockJudged):
    """The block was rejected; every weight is what it was."""


@dataclass(frozen=True, kw_only=True)
class LayerJudged(Event):
    """A layer that grows no more was compared with the network before it; ``rate`` is r_l."""

    layer: int
    blocks: int
    width: int
    topology: tuple[int, ...]
    parameters: int
    metric: str
    before: Scores | None
    after: Scores
    rate: float | None
    epsilon: float
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class LayerAccepted(LayerJudged):
    """The layer stayed."""


@dataclass(frozen=True, kw_only=True)
class LayerRejected(LayerJudged):
    """The layer was rejected and growth ended."""


@dataclass(frozen=True, kw_only=True)
class RunFinished(Event):
    """The run ended: ``status`` is finished, cancelled or failed, ``reason`` says why in words."""

    status: str
    reason: str
    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None
    seconds: float


@dataclass(frozen=True, kw_only=True)
class RunEvent:
    """An event of one of many runs, by the position of its config."""

    run: int
    event: Event


EVENT_KINDS = {
    kind.__name__: kind
    for kind in (
        RunStarted,
        BlockProposed,
        EpochsTrained,
        BlockAccepted,
        BlockRejected,
        LayerAccepted,
        LayerRejected,
        RunFinished,
    )
}


def jsonable(value):
    """Return the value with tuples as lists and numbers that JSON has no word for (NaN, infinity) as None."""
    if isinstance(value, dict):
        return {key: jsonable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def event_from_dict(values: dict[str, Any]) -> Event:
    """Return the event that :meth:`Event.to_dict` wrote, also after a trip through JSON."""
    kind = EVENT_KINDS.get(values.get("event", ""))
    if kind is None:
        raise PgcnError(f"No such event: {values.get('event')!r}. Choose one of: {', '.join(EVENT_KINDS)}.")
    hints = fields_of(kind)  # a field that is not known here was written by a later version, and is passed over
    return kind(**{key: restored(hints[key], value) for key, value in values.items() if key in hints})


@functools.cache
def fields_of(kind: type[Event]) -> dict[str, Any]:
    return get_type_hints(kind)


def restored(hint, value):
    """Return a JSON value in the type its field declares."""
    if isinstance(value, dict) and hint in (Scores, Scores | None):
        return Scores(**{key: restored(float, number) for key, number in value.items()})
    if value is None and hint is float:
        return math.nan
    return tuple(value) if isinstance(value, list) else value
