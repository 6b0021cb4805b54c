"""The places of a landscape in words: a point of the grid, growth, the GCN, and a table of all of them."""

from pgcn.numbers import counted
from pgcn.studies.landscape.outcomes import PLACES, Place
from pgcn.studies.landscape.question import GROWN
from pgcn.studies.landscape.results import Cell, LandscapeResults


def label_of(place: Place) -> str:
    """Return what a place is called."""
    return PLACES[place] if isinstance(place, str) else place.text()


def place_rows(results: LandscapeResults) -> list[dict[str, str]]:
    """Return a row for every place: what it reached, its size, what it took."""
    rows = []
    for place, cell in results.cells.items():
        epochs = results.epochs(place)
        mark = " (best)" if place == results.best else ""
        rows.append(
            {
                "topology": f"{label_of(place)}{mark}",
                "validation (%)": cell.val.text(),
                "test (%)": cell.test.text() if results.has_test else "–",
                "parameters": cell.parameters.text(0) if place == GROWN else f"{cell.parameters.mean:,.0f}",
                "epochs": "early stopping" if epochs is None else f"{epochs.mean:,.0f}",
                "seconds": "–" if cell.seconds is None else f"{cell.seconds.mean:.1f}",
                "n": str(cell.val.n),
            }
        )
    return rows


def cell_text(results: LandscapeResults, place: Place, cell: Cell) -> str:
    """Return what a place reached, for a pointer that rests on it."""
    test = f"<br>test {cell.test.text()} %" if results.has_test else ""
    source = "recorded" if cell.recorded else "computed here"
    epochs = results.epochs(place)
    trained = "" if epochs is None else f", {epochs.mean:,.0f} epochs"
    return (
        f"<b>{label_of(place)}</b><br>validation {cell.val.text()} %{test}<br>"
        f"{cell.parameters.text(0) if place == GROWN else f'{cell.parameters.mean:,.0f}'} parameters{trained}<br>"
        f"mean{' ± sd' * (cell.val.n > 1)} of {counted(cell.val.n, 'seed')}, {source}"
    )
