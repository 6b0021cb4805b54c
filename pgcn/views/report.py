"""The difficulty study as one web page: figures, table and words, without any network."""

from collections.abc import Sequence
from html import escape
from typing import Any

from pgcn.data.sources import TITLES as DATASETS
from pgcn.studies.difficulty import METHODS, Place, Study
from pgcn.studies.results import Results, cell_row, divergences, findings, origins
from pgcn.views.difficulty import ROWS, TITLES, line_figure, map_figure
from pgcn.views.pages import script_values, web_page

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2a36; margin: 24px auto;
  max-width: 1400px; padding: 0 16px; }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(360px, 100%), 1fr)); gap: 12px; }
.chart { height: 340px; border: 1px solid #d7dee5; border-radius: 8px; }
h1 { font-size: clamp(24px, 4vw, 34px); line-height: 1.2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; text-align: right; border-bottom: 1px solid #d7dee5; white-space: nowrap; }
th:nth-child(4), td:nth-child(4), th:last-child, td:last-child { text-align: left; }
figure { margin: 0; } figcaption { font-weight: 600; padding: 6px 0; }
.quiet { color: #5b6875; }
"""
DRAW = """
for (const [id, figure] of Object.entries(FIGURES))
  Plotly.newPlot(id, figure.data, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 13 }, ...figure.layout },
    { displaylogo: false, responsive: true });
"""


def lines_of(study: Study) -> list[tuple[str, list[Place], str]]:
    """Return the lines worth drawing: along D' at every rate, and along the rate at every D'."""
    lines = []
    if len(study.dims) > 1 or len(study.rates) == 1:
        for rate in study.rates:
            places = [place for place in study.places if place.rate == rate]
            lines.append((f"{rate:g} % labelled", places, "dims"))
    if len(study.rates) > 1:
        for dims in study.dims:
            places = [place for place in study.places if place.dims == dims]
            lines.append((f"D' = {dims:,}", places, "rate"))
    return lines


def report_page(results: Results, studies: Sequence[Study]) -> str:
    """Return the report as a web page."""
    from plotly.offline import get_plotlyjs

    figures: dict[str, Any] = {}
    parts = []
    for study in studies:
        parts.append(f"<h2>{escape(DATASETS[study.dataset])}</h2>")
        parts.append(
            f"<p>{study.experiments} experiments, seeds 0 to {study.experiments - 1}; in each all methods share "
            "the split and the random projection. Test accuracy of the networks that validation chose; bands are "
            "95 % confidence intervals of the mean. Test nodes never decide anything.</p>"
        )
        for title, places, axis in lines_of(study):
            parts.append(f"<h3>{escape(title)}</h3><div class='row'>")
            for row in ROWS:
                name = f"figure{len(figures)}"
                figures[name] = line_figure(results, places, row, axis)
                caption = f"<figcaption>{escape(TITLES[row])}</figcaption>"
                parts.append(f"<figure>{caption}<div class='chart' id='{name}'></div></figure>")
            parts.append("</div>")
        if len(study.rates) > 1 and "gcn" in study.methods:
            name = f"figure{len(figures)}"
            figures[name] = map_figure(results, study.dataset, study.methods[0], "gcn")
            caption = f"Map: {METHODS[study.methods[0]].label} minus GCN, points of test accuracy"
            parts.append(f"<figure><figcaption>{escape(caption)}</figcaption>")
            parts.append(f"<div class='chart' id='{name}'></div></figure>")
        parts.append("<h3>In words</h3><ul>")
        own = Results(outcome for outcome in results.outcomes if outcome.dataset == study.dataset)
        whence = filter(None, (origins(own, place) for place in own.places))
        parts += [f"<li>{escape(sentence)}</li>" for sentence in whence]
        for other in [method for method in study.methods if not method.startswith("pgcn")]:
            parts += [f"<li>{escape(sentence)}</li>" for sentence in findings(own, study.methods[0], other)]
        parts += [f"<li>{escape(sentence)}</li>" for sentence in divergences(own)]
        parts += ["</ul>", table(own)]
    methods = "".join(
        f"<li><b>{escape(METHODS[name].label)}</b>: {escape(METHODS[name].about)}</li>" for name in results.methods
    )
    settings = ", ".join(f"{name} = {value}" for name, value in studies[0].growth.to_dict().items())
    body = [
        "<h1>The difficulty study: grown against fixed topologies</h1>",
        f"<ul>{methods}</ul>",
        *parts,
        f"<p class='quiet'>Settings of PGCN: {escape(settings)}</p>",
        f"<script>const FIGURES = {script_values(figures)};{DRAW}</script>",
    ]
    return web_page("The difficulty study", style=STYLE, scripts=(get_plotlyjs(),), body="\n".join(body))


def table(results: Results) -> str:
    """Return the numbers as a table."""
    rows = [cell_row(results, cell) for cell in results.in_order()]
    lines = ["".join(f"<th>{escape(name)}</th>" for name in rows[0])] if rows else []
    lines += ["".join(f"<td>{escape(value)}</td>" for value in row.values()) for row in rows]
    return f"<div class='wide'><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div>"
