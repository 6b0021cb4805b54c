"""What a contender looks like: the same colour, symbol and name in every figure of the arena."""

from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.published import ROWS
from pgcn.studies.arena.results import ArenaCell
from pgcn.studies.arena.tables import seconds_text, steady
from pgcn.views.pages import plotly_text

PGCN_SYMBOLS = {
    "reproduction": "circle",
    "paper": "square",
    "reference": "diamond",
    "tuned": "star",
    "pagerank": "hexagram",
}
# Okabe and Ito's colours, then others that show on light and dark; symbols tell apart without them.
STYLES = {
    "gcn": ("#CC79A7", "square"),
    "ngcn-wsum": ("#E69F00", "triangle-up"),
    "ngcn-fc": ("#E69F00", "triangle-down"),
    "gat": ("#D55E00", "diamond"),
    "graphnas": ("#56B4E9", "star-diamond"),
    "autognn": ("#AA4499", "hexagon"),
    "autognn-shared": ("#AA4499", "hexagram"),
    **{f"pgcn-{preset}-ce": ("#0072B2", symbol) for preset, symbol in PGCN_SYMBOLS.items()},
    **{f"pgcn-{preset}-mse": ("#009E73", symbol) for preset, symbol in PGCN_SYMBOLS.items()},
    "sgc": ("#8A94A0", "x"),
    "appnp": ("#7A6FD0", "pentagon"),
    "mlp": ("#999933", "cross"),
    "random": ("#44AA99", "diamond-tall"),
    "random-autognn": ("#44AA99", "diamond-wide"),
}
OTHER = ("#5B6570", "circle")
GREY = "#8A94A0"
PUBLISHED_STYLES = {row: next((STYLES[one.name] for one in ALL.values() if one.row == row), OTHER) for row in ROWS}
"""A row of the paper looks like the first contender that answers to it."""


def style_of(contender: str) -> tuple[str, str]:
    """Return the colour and the symbol of a contender."""
    return STYLES.get(contender, OTHER)


def label_of(cell: ArenaCell) -> str:
    """Return what a contender is called on an axis: without the budget of a search, which is too long there."""
    return plotly_text(ALL[cell.contender].title if cell.contender in ALL else cell.title)


def origin(cell: ArenaCell) -> str:
    return "recorded" if cell.recorded else "computed here"


def cell_text(cell: ArenaCell) -> str:
    """Return what a mark says when one points at it."""
    return (
        f"{plotly_text(cell.title)}: {cell.test.text()} % test<br>{steady(cell.parameters, 0)} parameters, "
        f"{seconds_text(cell.seconds)} s a run<br>mean ± sd of {cell.over_text}, {origin(cell)}"
    )
