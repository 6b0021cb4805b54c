"""What happens in a search of architectures. Standard library only."""

from dataclasses import dataclass

from pgcn.events import CandidateJudged, Event, Scores, register


@dataclass(frozen=True, kw_only=True)
class ArchitectureProposed(Event):
    """Architecture ``number`` of ``budget`` is to be trained.

    ``choices`` are positions in the lists of the space (:class:`pgcn.methods.search.space.Space`), ``text`` says it
    in words. ``skipped`` architectures were proposed before it that are larger than the settings allow.
    ``decision`` is the class of actions that it changes of the best one, "" where all were decided anew.
    ``inherited`` of its layers begin with weights of an earlier architecture.
    """

    number: int
    budget: int
    choices: tuple[int, ...]
    text: str
    topology: tuple[int, ...]
    parameters: int
    skipped: int = 0
    decision: str = ""
    inherited: int = 0


@dataclass(frozen=True, kw_only=True)
class ArchitectureJudged(CandidateJudged):
    """An architecture was trained: its validation accuracy and loss are of the epoch of lowest validation loss.

    ``best``: it has the best validation accuracy so far, the lowest loss among equals; only then it is scored on
    all nodes. ``repeated``: it had been trained before, and what it reached was looked up. ``reward`` is what the
    controller learns from, ``baseline`` what it compares that with; None where nothing learns. ``preferences`` are
    the controller's probabilities after it: for every decision of the space, those of its choices. ``diverged``:
    its loss was no number.
    """

    number: int
    budget: int
    choices: tuple[int, ...]
    text: str
    topology: tuple[int, ...]
    parameters: int
    val_accuracy: float
    val_loss: float
    epoch: int
    best: bool
    scores: Scores | None
    seconds: float
    repeated: bool = False
    diverged: bool = False
    reward: float | None = None
    baseline: float | None = None
    preferences: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class FinalTrained(CandidateJudged):
    """After the search, an architecture it had found was retrained: ``number`` of ``count``.

    What a search reports is the mean over these. ``best``: of those so far it has the best validation accuracy; the
    network of the run is the one of the last such.
    """

    number: int
    count: int
    choices: tuple[int, ...]
    text: str
    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None
    best: bool
    seconds: float


register(ArchitectureProposed, ArchitectureJudged, FinalTrained)
