"""How to compare methods fairly: what seeds, choosing and cost do to a comparison, on the numbers of the arena."""

from typing import Any

from pgcn.data.catalogue import dataset_title
from pgcn.numbers import signed
from pgcn.studies.arena.paired import verdict
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.results import ArenaCell, ArenaResults
from pgcn.views.arena.contenders import best_of_figure, paired_figure, row_figure
from pgcn.views.arena.page import in_view, scatter
from pgcn.views.arena.styles import style_of
from pgcn.views.pages import plotly_text

OURS, RIVAL = "pgcn-tuned-ce", "gcn"
"""The two of whom the sentences speak, where both have met."""


def seeds_figure(results: ArenaResults, place: ArenaPlace) -> dict[str, Any]:
    """Return every run of every method: a dot for each."""
    data = []
    for cell in results.cells_at(place):
        colour, symbol = style_of(cell.contender)
        title = plotly_text(cell.title)
        label = title.partition(" (")[0] if cell.searches and "architecture" in title else title  # fits a phone
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": title,
                "x": cell.test_accuracies,
                "y": [label] * len(cell.outcomes),
                "marker": {"color": colour, "symbol": symbol, "size": 9, "opacity": 0.6},
                "text": [f"seed {outcome.seed}" for outcome in cell.outcomes],
                "hovertemplate": "%{fullData.name}<br>%{text}: %{x:.1f} %<extra></extra>",
            }
        )
    return in_view(row_figure(data, "Test accuracy (%)"))


def several(results: ArenaResults, place: ArenaPlace) -> list[ArenaCell]:
    """Return the cells of more than one run."""
    return [cell for cell in results.cells_at(place) if len(cell.outcomes) > 1]


def seeds_sentence(results: ArenaResults, place: ArenaPlace) -> str:
    """Say how far the runs of one method lie apart."""
    cells = several(results, place)
    if not cells:
        return "No method has more than one run here."
    cell = results.cell(place, RIVAL) if results.cell(place, RIVAL) in cells else cells[0]
    assert cell is not None
    low, high = min(cell.test_accuracies), max(cell.test_accuracies)
    means = sorted(one.test.mean for one in cells)
    between = f" The means of {len(means)} methods here range from {means[0]:.1f} to {means[-1]:.1f} %."
    return (
        f"{cell.title} on {dataset_title(place.dataset)}, {len(cell.outcomes)} seeds: from {low:.1f} to {high:.1f} "
        f"%, {high - low:.1f} points apart, with nothing changed but the seed.{between if len(means) > 2 else ''}"
    )


def choosing_sentence(results: ArenaResults, place: ArenaPlace) -> str:
    """Say how much reporting the best run by validation changes."""
    gains = [(cell.best_of().mean - cell.test.mean, cell) for cell in several(results, place)]
    if not gains:
        return "No method has more than one run here."
    most, least = max(gains, key=lambda one: one[0]), min(gains, key=lambda one: one[0])
    return (
        f"Reporting only the best run by validation moves {most[1].title} by {signed(most[0])} points and "
        f"{least[1].title} by {signed(least[0])}. A row of means beside a row of best runs compares protocols, not "
        "methods."
    )


def pairs_sentence(results: ArenaResults, place: ArenaPlace) -> str:
    """Say whether PGCN leads GCN, and whether chance could do that."""
    paired, cells = results.paired(place, OURS, RIVAL), [results.cell(place, name) for name in (OURS, RIVAL)]
    if paired is None or None in cells:
        return "The two have no seed in common here."
    titles = [cell.title for cell in cells if cell is not None]
    return verdict(paired, *titles)


def cost_sentence(results: ArenaResults, place: ArenaPlace) -> str:
    """Say who is on the Pareto front."""
    front = [cell.title for cell in results.front(place)]
    if not front:
        return "Nothing has been measured here."
    return f"Pareto front, where no method is both smaller and better: {', '.join(front)}."


STEPS = {
    "seeds": (seeds_figure, seeds_sentence),
    "choosing": (lambda results, place: in_view(best_of_figure(results, place)), choosing_sentence),
    "pairs": (lambda results, place: in_view(paired_figure(results, place, RIVAL)), pairs_sentence),
    "cost": (lambda results, place: scatter(results, place, "parameters"), cost_sentence),
}
"""A figure and a sentence for every step."""
