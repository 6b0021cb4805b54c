"""Will growing pay on a graph, and with which preset? Test nodes are not looked at. No torch here.

facts      what can be counted: labels per feature, homophily, label rate, class balance
gains      one contender minus another on the same nodes, with what chance may have done
evidence   what was counted and measured, in plain values
words      what follows from it, in words
plan       what is trained, and how much of it at a time
probe      trains the contenders: each half of the validation nodes drives them once and measures them once
advising   the probe within a budget of seconds, as a job's work; what it found, saved in the store

A network that was chosen by validation nodes does better on them than on others. So the validation nodes are
divided: one half decides (blocks, epochs, presets), the other half measures, then the other way round. What is
measured was never chosen by the nodes that measure it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pgcn.limits import checked_number
from pgcn.studies.advice.evidence import Advice, Choice

if TYPE_CHECKING:
    from pgcn.graph import Graph

SECONDS = 120
"""The budget of an advice, and of the choice of a preset."""
MOST_SECONDS = 86_400


def advise(
    graph: "Graph",
    *,
    seconds: float = SECONDS,
    reproducible: bool | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Advice:
    """Return whether growing is likely to pay on a graph, and the evidence; test nodes are not looked at.

    GCNs of 16 and 64 neurons and growth with every preset are trained for at most so many ``seconds``. How many
    runs fit depends on the machine; with ``reproducible`` each run gives the same bits everywhere.

    >>> print(advise(graph).sentence)
    """
    from pgcn.studies.advice.advising import advising

    return advising(graph, checked_seconds(seconds), reproducible=reproducible, progress=progress).finish()


def choose_preset(
    graph: "Graph",
    *,
    seconds: float = SECONDS,
    reproducible: bool | None = None,
    progress: Callable[[str], None] = lambda text: None,
    **changes,
) -> Choice:
    """Return the preset of PGCN that validation nodes favour on a graph, and what was tried.

    All presets, each with the same ``changes`` of settings, are grown with the same seeds for at most so many
    ``seconds``. Where the lead of the best is less than its standard error, the smaller network is picked.

    >>> choice = choose_preset(graph, seconds=60)
    >>> run = grow(graph, growth_preset(choice.preset, seed=0))
    """
    from pgcn.studies.advice.advising import choosing

    how = {"reproducible": reproducible, "progress": progress, "changes": changes}
    return choosing(graph, checked_seconds(seconds), **how).finish()


def checked_seconds(seconds: float) -> float:
    """Return a budget, or say why it is none."""
    checked_number("seconds", seconds, kind=float, above=0, at_most=MOST_SECONDS)
    return float(seconds)
