"""A sweep as one web page: figures, findings and tables; it needs no network."""

from collections.abc import Mapping, Sequence
from html import escape

from pgcn.data.catalogue import dataset_title
from pgcn.studies.sweep.grid import value_text
from pgcn.studies.sweep.results import SweepResults, findings
from pgcn.views.pages import script_values, web_page
from pgcn.views.report import DRAW, STYLE
from pgcn.views.sweep import best_of_rows, distribution_figure, effect_rows, effects_figure, scatter_figure

ALIGNED = """
th:nth-child(n), td:nth-child(n) { text-align: right; }
th:first-child, td:first-child { text-align: left; }
"""
ETA = (
    "Eta squared is the share of the variance over this grid that comes with a setting; where a setting makes no "
    "difference, chance alone gives the share in the last column. Bars are 95 % CIs of the mean."
)


def sweep_page(results: SweepResults) -> str:
    """Return the report as a web page."""
    from plotly.offline import get_plotlyjs

    sweep = results.sweep
    figures = {
        "distribution": ("Test accuracy of all runs", distribution_figure(results)),
        "scatter": ("Validation against test accuracy", scatter_figure(results)),
        "effects": ("Mean accuracy by setting", effects_figure(results)),
    }
    charts = "".join(
        f"<figure><figcaption>{escape(caption)}</figcaption><div class='chart' id='{name}'></div></figure>"
        for name, (caption, _) in figures.items()
    )
    grid = "; ".join(f"{name} {', '.join(map(value_text, values))}" for name, values in sweep.grid)
    varied = {"seed", *dict(sweep.grid)}
    settings = ", ".join(
        f"{name} = {value}" for name, value in sweep.growth.to_dict().items() if name not in varied
    )
    body = [
        f"<h1>A sweep of PGCN's settings on {escape(dataset_title(sweep.dataset))}</h1>",
        f"<p>{escape(grid)}; seeds 0 to {sweep.runs - 1} at each of {len(sweep.points)} points. Runs are chosen by "
        "validation accuracy; test accuracy never decides.</p>",
        "<ul>",
        *(f"<li>{escape(sentence)}</li>" for sentence in findings(results)),
        f"</ul><div class='row'>{charts}</div>",
        "<h2>The best of n runs by validation</h2>",
        table(best_of_rows(results)),
        f"<h2>Settings</h2><p>{escape(ETA)}</p>",
        table(effect_rows(results)),
        f"<p class='quiet'>Settings of all runs: {escape(settings)}</p>",
        f"<script>const FIGURES = {script_values({name: figure for name, (_, figure) in figures.items()})};"
        f"{DRAW}</script>",
    ]
    return web_page("A sweep of PGCN", style=STYLE + ALIGNED, scripts=(get_plotlyjs(),), body="\n".join(body))


def table(rows: Sequence[Mapping[str, str]]) -> str:
    lines = ["".join(f"<th>{escape(name)}</th>" for name in rows[0])] if rows else []
    lines += ["".join(f"<td>{escape(value)}</td>" for value in row.values()) for row in rows]
    return f"<div class='wide'><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div>"
