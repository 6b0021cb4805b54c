"""Which part of a study is on view: a place, and the line of places through it. No streamlit here.

Where nobody has chosen yet, it is where most results are: a chart never starts empty beside results.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.numbers import counted
from pgcn.studies.difficulty import Place
from pgcn.studies.difficulty.results import Results
from pgcn.ui.difficulty.question import RIVALS, Question

Line = tuple[str, float]
"""A data set, and where the other axis stands: the label rate, or D' where the label rate is the axis."""


@dataclass(frozen=True, kw_only=True)
class View:
    """What is on view: the line through a place along an axis, and the method that PGCN is compared with."""

    place: Place
    line: list[Place]
    axis: str
    rival: str


def view_of(question: Question, results: Results) -> View:
    """Return what is on view of some results: what was asked for as far as it is there."""
    axis = shown_axis(question)
    place = shown_place(question, results)
    rivals = [name for name in (question.rival, *RIVALS) if name in results.methods]
    rival = rivals[0] if rivals else question.rival
    return View(place=place, line=shown_line(question, results, place), axis=axis, rival=rival)


def shown_axis(question: Question) -> str:
    """Return the axis; along one label rate there is nothing to see."""
    return "dims" if question.axis == "rate" and len(question.rates) == 1 else question.axis


def line_through(place: Place, axis: str) -> Line:
    return place.dataset, place.dims if axis == "rate" else place.rate


def runs_by_line(results: Results, axis: str) -> Counter[Line]:
    """Return how many runs are known on every line."""
    return Counter(line_through(outcome.place, axis) for outcome in results.shown)


def fullest(places: Sequence[Place], results: Results, axis: str) -> list[Place]:
    """Return the line with the most runs, the first of those that have as many."""
    runs = runs_by_line(results, axis)
    lines = dict.fromkeys(line_through(place, axis) for place in places)
    best = max(lines, key=lambda line: runs[line])
    return [place for place in places if line_through(place, axis) == best]


def shown_place(question: Question, results: Results) -> Place:
    """Return the place chosen, else the first with results on the line that has most of them."""
    if question.at is not None and question.at.dataset in question.datasets:
        return question.at
    line = fullest(question.places, results, shown_axis(question))
    known = set(results.places)
    return next((place for place in line if place in known), line[0])


def shown_line(question: Question, results: Results, place: Place) -> list[Place]:
    """Return the places on the line through a place; where the question has none, the fullest of the data set."""
    axis = shown_axis(question)
    own = [other for other in question.places if other.dataset == place.dataset]
    line = [other for other in own if line_through(other, axis) == line_through(place, axis)]
    return line or (fullest(own, results, axis) if own else [])


def on_data_set(question: Question, results: Results, place: Place, dataset: str) -> Place:
    """Return the place of another data set that is nearest to this one: with results, and the same label rate."""
    own = [other for other in question.places if other.dataset == dataset]
    known = set(results.places)
    return min(
        own, key=lambda other: (other not in known, abs(other.rate - place.rate), abs(other.dims - place.dims))
    )


def where_else(results: Results, line: Line, axis: str) -> str:
    """Say where results are, for a line that has none."""
    dataset, _ = line
    known = {fixed: runs for (name, fixed), runs in runs_by_line(results, axis).items() if name == dataset}
    if not known:
        return "Nothing of this data set is known yet."
    parts = [f"{counted(runs, 'run')} at {fixed_text(fixed, axis)}" for fixed, runs in sorted(known.items())]
    return f"Known so far: {', '.join(parts)}."


def fixed_text(fixed: float, axis: str) -> str:
    return f"D' = {fixed:,}" if axis == "rate" else f"{fixed:g} % labelled"
