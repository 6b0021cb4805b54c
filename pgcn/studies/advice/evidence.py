"""What was counted and measured for an advice, in plain values that go to JSON and back. No torch."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from pgcn.numbers import mean_sd
from pgcn.studies.advice.facts import Facts
from pgcn.studies.advice.gains import Gain, gain
from pgcn.studies.statistics import Spread

if TYPE_CHECKING:
    import numpy as np

NARROW, WIDE = "gcn-16", "gcn-64"


@dataclass(frozen=True, kw_only=True, eq=False)
class Tried:
    """What the runs of a contender did: ``right`` says which runs [S, n] are right about which measuring nodes.

    ``deciding`` is the accuracy on the nodes that drove them, ``finished`` whether they came to their own end.
    """

    right: "np.ndarray"
    deciding: float
    parameters: float
    finished: bool = True

    @property
    def accuracy(self) -> float:
        return float(self.right.mean())


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A contender's runs in numbers; accuracies are those of validation nodes that drove nothing, in %."""

    name: str
    runs: int
    nodes: int
    mean: float
    sd: float | None
    parameters: float
    finished: bool
    behind: Gain | None = None
    """It minus the best preset; None of the best itself, of what is no preset, and where chance is not known."""

    @classmethod
    def of(cls, name: str, tried: Tried, behind: Gain | None = None) -> Self:
        reached = Spread.of((100 * tried.right.mean(axis=1)).tolist())
        return cls(
            name=name,
            runs=reached.n,
            nodes=tried.right.shape[1],
            mean=reached.mean,
            sd=reached.sd,
            parameters=tried.parameters,
            finished=tried.finished,
            behind=behind,
        )

    def accuracy_text(self) -> str:
        """Return for example '79.3 ± 0.8 %'."""
        return f"{mean_sd(self.mean, self.sd)} %"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The preset that was picked, why in a sentence, and all that were tried, the best first.

    ``left_out`` are sentences about what the budget had no room for.
    """

    preset: str
    why: str
    tried: tuple[Measured, ...]
    left_out: tuple[str, ...] = ()
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        tried = tuple(measured_from(one) for one in values["tried"])
        return cls(**{**values, "tried": tried, "left_out": tuple(values["left_out"])})


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What to expect of growing on a graph, and the evidence.

    ``wide`` is what GCN-64 gains over GCN-16, ``growth`` what growth does, ``growth_over_wide`` one minus the
    other. ``grown`` names the presets that stand for growth: in each half the one that its deciding nodes
    favour, by networks that they did not drive; ``ratio`` is the size of their networks beside that of GCN-16.
    ``stopped``: the budget cut some of them short.
    ``choice`` is what ``pgcn grow --preset auto`` makes of the same runs.
    """

    facts: Facts
    measured: tuple[Measured, ...] = ()
    wide: Gain | None = None
    wide_ratio: float | None = None
    growth: Gain | None = None
    growth_over_wide: Gain | None = None
    grown: tuple[str, ...] = ()
    ratio: float | None = None
    stopped: bool = False
    choice: Choice | None = None
    left_out: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def kind(self) -> str:
        """likely, little, unlikely, unclear or unknown (:func:`pgcn.studies.advice.words.verdict`)."""
        from pgcn.studies.advice.words import verdict

        return verdict(self)[0]

    @property
    def sentence(self) -> str:
        from pgcn.studies.advice.words import verdict

        return verdict(self)[1]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with what follows from them."""
        return {**asdict(self), "kind": self.kind, "sentence": self.sentence}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the advice that :meth:`to_dict` wrote."""
        gains = {
            name: values[name] and Gain.from_dict(values[name]) for name in ("wide", "growth", "growth_over_wide")
        }
        return cls(
            facts=Facts(**values["facts"]),
            measured=tuple(measured_from(one) for one in values["measured"]),
            choice=values["choice"] and Choice.from_dict(values["choice"]),
            grown=tuple(values["grown"]),
            left_out=tuple(values["left_out"]),
            **gains,
            **{name: values[name] for name in ("wide_ratio", "ratio", "stopped", "seconds")},
        )


def measured_from(values: Mapping[str, Any]) -> Measured:
    return Measured(**{**values, "behind": values["behind"] and Gain.from_dict(values["behind"])})


def choose(tried: Mapping[str, Tried], default: str, *, left_out: tuple[str, ...] = ()) -> Choice:
    """Return which preset the measuring nodes favour: the smallest of those that tie with the best.

    One ties whose distance to the best is at most the standard error of that distance (the one-standard-error rule
    of Breiman et al.); chance is not known of single runs, which tie with nobody. Without any run: the default.
    """
    if not tried:
        return Choice(preset=default, why=f"No preset could be compared: {default} is the default.", tried=())
    best = max(tried, key=lambda name: (tried[name].accuracy, -tried[name].parameters))
    behind = {name: gain(tried[name].right, tried[best].right) for name in tried if name != best}
    ties = [best, *(name for name, one in behind.items() if one is not None and -one.mean <= one.error)]
    picked = min(ties, key=lambda name: (tried[name].parameters, -tried[name].accuracy))
    rows = sorted(
        (Measured.of(name, one, behind.get(name)) for name, one in tried.items()), key=lambda row: -row.mean
    )
    why = f"{best} does best on held-out validation nodes, {100 * tried[best].accuracy:.1f} %"
    if len(tried) == 1:
        why = f"{best} is the only preset that was tried"
    elif len(ties) == 1 and all(behind.values()):
        why += ", and leads each other preset by more than the standard error of its lead"
    elif len(ties) == 1:
        why += "; one run of each is not enough for a test"
    else:
        others = " and ".join(name for name in ties if name != best)
        why += f"; {others} {'lie' if ties[2:] else 'lies'} within a standard error of it"
        fewest = "it has" if picked == best else "this one has" if len(ties) == 2 else f"{picked} has"
        fewest += f" {'fewer' if len(ties) == 2 else 'the fewest'} parameters"
        why += f", and {fewest}"
    return Choice(preset=picked, why=f"{why}.", tried=tuple(rows), left_out=left_out)
