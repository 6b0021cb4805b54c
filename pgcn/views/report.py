"""The difficulty study as one web page: figures, findings and tables; it needs no network."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from typing import Any

from pgcn.data.catalogue import dataset_title
from pgcn.numbers import counted
from pgcn.studies.difficulty import CONTENDERS, Place, Study
from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.studies.difficulty.origins import STEPS, lead_origins
from pgcn.studies.difficulty.results import Results, cell_row
from pgcn.studies.difficulty.words import divergences, headline, headline_details
from pgcn.views.difficulty import ROW_TITLES, ROWS, line_figure
from pgcn.views.lead import heatmap_figure, lead_table, waterfall_figure
from pgcn.views.pages import script_values, web_page
from pgcn.web import WEB

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2a36; margin: 24px auto;
  max-width: 1400px; padding: 0 16px; }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(360px, 100%), 1fr)); gap: 12px; }
.chart { height: 340px; border: 1px solid #d7dee5; border-radius: 8px; }
h1 { font-size: clamp(24px, 4vw, 34px); line-height: 1.2; }
.wide { overflow-x: auto; }
.wide table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide :is(th, td) { padding: 3px 12px 3px 0; border-bottom: 1px solid #d7dee5; text-align: right;
  white-space: nowrap; }
.wide :is(th, td):is(:nth-child(4), :last-child) { text-align: left; }
table.lead { max-width: 760px; margin-top: 16px; }
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


def report_page(results: Results, studies: Sequence[Study], made: datetime | None = None) -> str:
    """Return the report as a web page; ``made`` is when, by default now."""
    from plotly.offline import get_plotlyjs

    figures: dict[str, Any] = {}
    parts = [part for study in studies for part in study_parts(results, study, figures)]
    methods = "".join(
        f"<li><b>{escape(CONTENDERS[name].label)}</b>: {escape(CONTENDERS[name].about)}</li>"
        for name in results.methods
    )
    about = "".join(f"<li>{escape(line)}</li>" for line in provenance(results, studies, made or datetime.now(UTC)))
    body = [
        "<h1>The difficulty study: grown and fixed topologies</h1>",
        f"<ul class='quiet'>{about}</ul>",
        *parts,
        f"<h2>Methods</h2><ul>{methods}</ul>",
        f"<script>const FIGURES = {script_values(figures)};{DRAW}</script>",
    ]
    style = STYLE + (WEB / "difficulty" / "difficulty.css").read_text()
    return web_page("The difficulty study", style=style, scripts=(get_plotlyjs(),), body="\n".join(body))


def provenance(results: Results, studies: Sequence[Study], made: datetime) -> list[str]:
    """Say when and with what a report was made, and where its numbers come from."""
    shown = results.shown
    own = [outcome for outcome in shown if not outcome.recorded]
    recorded = len(shown) - len(own)
    ended = sorted(outcome.ended for outcome in own if outcome.ended)
    days = list(dict.fromkeys(f"{datetime.fromtimestamp(end, UTC):%Y-%m-%d}" for end in (ended[:1] + ended[-1:])))
    lines = [f"Made {made:%Y-%m-%d %H:%M} UTC with pgcn {version('pgcn')}, torch {version('torch')}."]
    if own:
        mode = "in" if studies[0].reproducible else "not in"
        when = f", {' to '.join(days)}" if days else ""
        lines.append(f"{counted(len(own), 'run')} computed here{when}, {mode} the reproducible mode.")
    if recorded:
        lines.append(f"{counted(recorded, 'run')} recorded: computed on another machine in the reproducible mode.")
    settings = ", ".join(f"{name} = {value}" for name, value in studies[0].growth.to_dict().items())
    return [*lines, f"Settings of PGCN: {settings}."]


def study_parts(results: Results, study: Study, figures: dict[str, Any]) -> list[str]:
    """Return the part of a data set; its figures are added to ``figures``."""

    def chart(caption: str, figure: dict[str, Any]) -> str:
        name = f"figure{len(figures)}"
        figures[name] = figure
        return f"<figure><figcaption>{escape(caption)}</figcaption><div class='chart' id='{name}'></div></figure>"

    own = Results(outcome for outcome in results.outcomes if outcome.dataset == study.dataset)
    rivals = [name for name in (REFERENCE, *study.methods) if name in study.methods and name != "pgcn-ce"]
    rival = rivals[0] if rivals and "pgcn-ce" in study.methods else None
    parts = [f"<h2>{escape(dataset_title(study.dataset))}</h2>", f"<p>{escape(about_study(study))}</p>"]
    for title, places, axis in lines_of(study):
        finding = rival and headline(own, places, rival, axis, study.facts.features)
        parts.append(f"<h3>{escape(f'{title}: {finding}' if finding else title)}</h3><div class='row'>")
        parts += [
            chart(ROW_TITLES[row], line_figure(own, places, row, axis, other=rival or REFERENCE)) for row in ROWS
        ]
        parts.append("</div>")
        if axis == "dims" and rival:
            parts.append(lead_table(results, places, rival, caption=f"{study.dataset}, {title}"))
            parts.append(f"<p class='quiet'>{escape(headline_details(own, places, rival))}</p>")
    origins = [(place, found) for place in own.places if (found := lead_origins(own, place)) is not None]
    if origins:
        parts.append("<h3>Where the lead comes from</h3><div class='row'>")
        parts += [
            chart(f"D' = {place.dims:,}, {place.rate:g} % labelled", waterfall_figure(found))
            for place, found in dict((origins[0], origins[-1])).items()
        ]
        parts.append("</div>")
        steps = " ".join(f"{name}: {about}." for name, about in STEPS.items())
        parts.append(f"<p class='quiet'>{escape(steps)} Dots are experiments; hatched: not significant.</p>")
    if len(study.rates) > 1 and rival:
        caption = f"Test accuracy, PGCN (CE) minus {CONTENDERS[rival].label} (points)"
        parts.append(chart(caption, heatmap_figure(results, study.dataset, rival)))
    diverged = "".join(f"<li>{escape(sentence)}</li>" for sentence in divergences(own))
    return [*parts, f"<ul>{diverged}</ul>" if diverged else "", "<h3>All numbers</h3>", table(own)]


def about_study(study: Study) -> str:
    seeds = f"seeds 0 to {study.experiments - 1}" if study.experiments > 1 else "seed 0"
    return (
        f"{counted(study.experiments, 'experiment')}, {seeds}; in each all methods share the split and the random "
        "projection. Test accuracy of the networks chosen by validation accuracy; test accuracy never decides."
    )


def table(results: Results) -> str:
    """Return the numbers as a table."""
    rows = [cell_row(results, cell) for cell in results.in_order()]
    lines = ["".join(f"<th>{escape(name)}</th>" for name in rows[0])] if rows else []
    lines += ["".join(f"<td>{escape(value)}</td>" for value in row.values()) for row in rows]
    rows_html = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<div class='wide' tabindex='0' role='region' aria-label='All numbers'><table>{rows_html}</table></div>"
