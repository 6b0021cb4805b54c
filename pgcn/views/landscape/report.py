"""A landscape as one web page: the map, findings and the table; it needs no network."""

from html import escape

from pgcn.data.catalogue import dataset_title
from pgcn.numbers import counted
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.studies.landscape.words import findings, headline
from pgcn.views.landscape.figure import MEASURES, landscape_figure
from pgcn.views.landscape.places import place_rows
from pgcn.views.pages import script_values, web_page
from pgcn.views.report import DRAW, STYLE
from pgcn.views.sweep_report import table

LAYOUT = """
th:nth-child(n), td:nth-child(n) { text-align: right; }
th:first-child, td:first-child { text-align: left; }
.chart { height: 460px; }
"""
HOW_DRAWN = (
    "A grown topology is drawn at its depth, and at the width at which equal layers have as many parameters; paths "
    "are moved a little to lie side by side. The colour scale ends 15 points below the best."
)


def landscape_page(results: LandscapeResults) -> str:
    """Return the report as a web page."""
    from plotly.offline import get_plotlyjs

    grid = results.landscape
    measures = [name for name in MEASURES if name == "val" or results.has_test]
    figures = {name: landscape_figure(results, name) for name in measures}
    charts = "".join(
        f"<figure><figcaption>Mean {escape(MEASURES[name])}</figcaption>"
        f"<div class='chart' id='{name}'></div></figure>"
        for name in figures
    )
    settings = ", ".join(f"{name} = {value}" for name, value in grid.growth.to_dict().items() if name != "seed")
    found = headline(results)
    body = [
        f"<h1>The landscape of {escape(dataset_title(grid.source.name))}</h1>",
        f"<p>{escape(described(results))}</p>",
        "<ul>",
        *(f"<li>{escape(sentence)}</li>" for sentence in ([f"{found}."] if found else []) + findings(results)),
        f"</ul><div class='row'>{charts}</div><p class='quiet'>{escape(HOW_DRAWN)}</p>",
        table(place_rows(results)),
        f"<p class='quiet'>Settings of growth: {escape(settings)}</p>",
        f"<script>const FIGURES = {script_values(figures)};{DRAW}</script>",
    ]
    title = "The landscape of growth"
    return web_page(title, style=STYLE + LAYOUT, scripts=(get_plotlyjs(),), body="\n".join(body))


def described(results: LandscapeResults) -> str:
    """Say on which graph, with how many seeds, and how everything is chosen."""
    grid = results.landscape
    source, facts = grid.source, grid.facts
    features = f"{facts.features:,} features" + (" (projected)" if source.dims else "")
    labelled = f"{100 * facts.labelled / facts.nodes:.3g} % of the nodes labelled"
    return (
        f"{dataset_title(source.name)}, split {source.split}, {features}, {labelled}. Fixed topologies are trained "
        f"from scratch as a candidate of growth is, {counted(grid.runs, 'seed')} each; growth and the GCN have "
        f"{grid.paths}. The best point is chosen by validation accuracy; test accuracy never decides."
    )
