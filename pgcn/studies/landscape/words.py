"""What a landscape has come to in words: how far growth ends from the best of the grid, at what cost. No torch."""

from collections.abc import Iterator

from pgcn.numbers import counted
from pgcn.studies.landscape.question import GCN, GROWN
from pgcn.studies.landscape.results import Cell, LandscapeResults
from pgcn.studies.statistics import t_quantile

LEVEL = 0.05
"""Points of accuracy below which two means are said to be level."""


def headline(results: LandscapeResults) -> str | None:
    """Return in one sentence how far growth ends from the best point; None where one of them is not known."""
    best, grown = results.best, results.grown
    if best is None or grown is None:
        return None
    cell = results.cells[best]
    nodes = "test" if results.has_test else "validation"
    points, clear = difference(results, grown, cell, nodes)
    share = 100 * grown.parameters.mean / cell.parameters.mean
    whole = "the grid" if results.is_whole else "the grid so far"
    lead = "ends level with" if abs(points) < LEVEL else f"ends {abs(points):.1f} points {side(points)}"
    doubt = "" if clear or abs(points) < LEVEL else " (no clear difference)"
    return f"Growth {lead} the best of {whole} in {nodes} accuracy{doubt}, with {share:.0f} % of its parameters"


def difference(results: LandscapeResults, one: Cell, other: Cell, nodes: str) -> tuple[float, bool]:
    """Return one minus the other in points of mean accuracy, and whether the 95 % interval leaves zero out (Welch).

    The seeds of a cell start different networks, so the runs are not pairs.
    """
    a, b = (cell.test if nodes == "test" else cell.val for cell in (one, other))
    gap = a.mean - b.mean
    if a.sd is None or b.sd is None:
        return gap, False
    u, v = a.sd**2 / a.n, b.sd**2 / b.n
    if not u + v:
        return gap, gap != 0
    freedom = (u + v) ** 2 / (u**2 / (a.n - 1) + v**2 / (b.n - 1))
    return gap, abs(gap) > t_quantile(max(1, int(freedom))) * (u + v) ** 0.5


def side(points: float) -> str:
    return "above" if points > 0 else "below"


def findings(results: LandscapeResults) -> list[str]:
    """Say in sentences what the map shows, also where it does not favour growth."""
    return [*best_sentence(results), *grown_sentence(results), *gcn_sentence(results), *notes(results)]


def reached(results: LandscapeResults, cell: Cell) -> str:
    """Return for example 'validation 78.9 ± 0.4, test 79.8 ± 0.5 %, n = 5'."""
    test = f", test {cell.test.text()}" if results.has_test else ""
    return f"validation {cell.val.text()}{test} %, n = {cell.val.n}"


def best_sentence(results: LandscapeResults) -> Iterator[str]:
    best = results.best
    if best is None:
        return
    cell = results.cells[best]
    seconds = "" if cell.seconds is None else f", {cell.seconds.mean:.1f} s"
    yield (
        f"Best of {counted(len(results.points), 'point')} by validation: {best.text()} "
        f"({reached(results, cell)}), {cell.parameters.mean:,.0f} parameters, "
        f"{results.epochs(best).mean:,.0f} epochs{seconds} a run."
    )
    grid = results.landscape
    ends = [name for name in ("depth", "width") if getattr(best, name) == max(getattr(grid, f"{name}s")) > 1]
    if ends:
        yield f"It has the largest {' and '.join(ends)} of the grid: beyond it there may be better ones."


def grown_sentence(results: LandscapeResults) -> Iterator[str]:
    grown, best = results.grown, results.best
    if grown is None or results.is_reading:
        return
    epochs = results.epochs(GROWN)
    seconds = "" if grown.seconds is None else f", {grown.seconds.mean:.1f} s"
    depths = [len(one.topology) for one in grown.outcomes]
    layers = f"{min(depths)} to {max(depths)}" if min(depths) < max(depths) else f"{depths[0]}"
    yield (
        f"Growth: {reached(results, grown)}; {layers} hidden layer{'s' * (layers != '1')}, "
        f"{grown.parameters.text(0)} parameters, {epochs.mean:,.0f} epochs{seconds} a run."
    )
    if best is None or not results.is_whole:
        return
    each = results.epochs(best).mean
    grid = len(results.points) * each
    yield (
        f"A growth run takes {epochs.mean / each:.1f} times the epochs of one fixed network, and "
        f"{100 * epochs.mean / grid:.0f} % of the {grid:,.0f} epochs that one seed at every point takes."
    )
    if results.has_test:
        yield (
            "Every step of growth is chosen by validation, which flatters growth more than fixed networks: "
            "compare test accuracies."
        )


def gcn_sentence(results: LandscapeResults) -> Iterator[str]:
    gcn = results.cells.get(GCN)
    if gcn is not None:
        yield (
            f"GCN, 16 hidden neurons and a propagating readout: {reached(results, gcn)}, "
            f"{gcn.parameters.mean:,.0f} parameters."
        )


def notes(results: LandscapeResults) -> Iterator[str]:
    """Say what is missing, and where fixed networks are not quite trained alike."""
    growth = results.landscape.growth
    if growth.input_dropout and getattr(growth, "input_dropout_on", "propagated") == "propagated":
        yield (
            "Input dropout acts on the propagated features while growing, on the features themselves in fixed "
            "networks."
        )
    if results.failed:
        yield f"{counted(len(results.failed), 'run')} diverged: excluded from the means."
