"""What happens while a network grows. Standard library only."""

from dataclasses import dataclass

from pgcn.events import CandidateJudged, DecisionAwaited, Event, Scores, later, register


@dataclass(frozen=True, kw_only=True)
class BlockProposed(Event):
    """A block was proposed as a candidate; ``topology`` and ``parameters`` include it."""

    layer: int
    block: int
    width: int
    topology: tuple[int, ...]
    parameters: int


@dataclass(frozen=True, kw_only=True)
class BlockMeasured(Event):
    """A trained block was compared with the network before it.

    ``before`` and ``after`` are the scores without and with the block, ``solved`` those with the readout just
    solved and nothing fine-tuned. ``error_*`` is the appendix's E: of the accepted network before, after the
    solve, after fine-tuning. ``rate`` is r_b; it and ``before`` are None for the first block of all.
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


@dataclass(frozen=True, kw_only=True)
class BlockAwaited(DecisionAwaited, BlockMeasured):
    """A person is asked what becomes of the block; ``topology`` is without it."""


@dataclass(frozen=True, kw_only=True)
class BlockJudged(CandidateJudged, BlockMeasured):
    """It was decided about a block.

    ``reason`` is prose of runs stored before: the sentence is made from the facts when it is shown
    (:func:`pgcn.methods.pgcn.explain.why`). ``decision`` is a person's and ``rule`` what the rule would have done;
    both are "" where the rule decided.
    """

    reason: str = ""
    decision: str = later("")
    rule: str = later("")


@dataclass(frozen=True, kw_only=True)
class BlockAccepted(BlockJudged):
    """The block stayed."""


@dataclass(frozen=True, kw_only=True)
class BlockRejected(BlockJudged):
    """The block was rejected; every weight is what it was."""


@dataclass(frozen=True, kw_only=True)
class LayerMeasured(Event):
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


@dataclass(frozen=True, kw_only=True)
class LayerAwaited(DecisionAwaited, LayerMeasured):
    """A person is asked what becomes of the layer, which is still in the ``topology``."""


@dataclass(frozen=True, kw_only=True)
class LayerJudged(LayerMeasured):
    """It was decided about a layer; ``reason``, ``decision`` and ``rule`` as in :class:`BlockJudged`."""

    reason: str = ""
    decision: str = later("")
    rule: str = later("")


@dataclass(frozen=True, kw_only=True)
class LayerAccepted(LayerJudged):
    """The layer stayed."""


@dataclass(frozen=True, kw_only=True)
class LayerRejected(LayerJudged):
    """The layer was rejected and growth ended."""


@dataclass(frozen=True, kw_only=True)
class Undone(Event):
    """A person took back the last block that was accepted, and is asked about it again.

    ``topology``, ``parameters`` and ``scores`` are of the network before it, to its last bit.
    """

    layer: int
    block: int
    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None


register(BlockProposed, BlockAccepted, BlockRejected, LayerAccepted, LayerRejected)
register(BlockAwaited, LayerAwaited, Undone)
