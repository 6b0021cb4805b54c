"""A run as a film: one figure with frames, which plays in any browser without us."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import wrap

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, Event, RunStarted
from pgcn.figures.story import Snapshot, snapshots

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE, ORANGE, VERMILLION, GREEN, GREY = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#8a8f98"
STATUS = {  # marker symbol and colour: a status never shows by its colour alone
    "accepted": ("square", BLUE),
    "on trial": ("square-open", ORANGE),
    "rejected": ("x", VERMILLION),
}
CURVES = (
    ("labelled", "labelled", "dot", GREEN),
    ("val", "validation", "solid", BLUE),
    ("test", "test", "dash", GREY),
)
PLAY = {"frame": {"duration": 700, "redraw": True}, "transition": {"duration": 0}, "fromcurrent": True}


def replay_figure(events: Sequence[Event]) -> go.Figure:
    """Return the figure: the growing network above, accuracy and parameters by block below."""
    if not events or not isinstance(events[0], RunStarted):
        raise PgcnError("A replay needs the events of a run from its beginning.")
    started, pictures = events[0], snapshots(events)
    judged = [event for event in events if isinstance(event, BlockJudged)]
    if not judged:
        raise PgcnError("Nothing has happened in this run yet: no block has been judged.")
    depth = max(event.layer for event in judged)
    height = max(event.block for event in judged)
    figure = make_subplots(rows=3, cols=1, row_heights=[0.45, 0.3, 0.25], vertical_spacing=0.1)
    for trace, row in zip(drawing(pictures[0], started, judged, depth), ROWS, strict=True):
        figure.add_trace(trace, row=row, col=1)
    figure.frames = [
        go.Frame(
            name=str(i),
            data=drawing(picture, started, judged, depth),
            traces=list(range(len(ROWS))),
            layout={"annotations": captions(picture)},
        )
        for i, picture in enumerate(pictures)
    ]
    axis = {"visible": False, "fixedrange": True}
    figure.update_xaxes(range=[-0.9, depth + 1.9], **axis, row=1, col=1)
    figure.update_yaxes(range=[-height / 2 - 1, height / 2 + 1.2], **axis, row=1, col=1)
    for row in (2, 3):
        figure.update_xaxes(title="block tried", range=[0.5, len(judged) + 0.5], row=row, col=1)
    figure.update_yaxes(title="accuracy (%)", range=[0, 104], row=2, col=1)
    most = max(event.parameters for event in judged)
    figure.update_yaxes(title="parameters", range=[0, 1.1 * most], row=3, col=1)
    figure.update_layout(
        template="plotly_white",
        height=960,
        margin={"l": 60, "r": 20, "t": 170, "b": 190},
        title={
            "text": f"A network grows on {started.dataset}, seed {started.config['seed']}",
            "x": 0.02,
            "y": 0.98,
        },
        annotations=captions(pictures[0]),
        legend={"orientation": "h", "y": -0.09, "x": 0, "font": {"size": 11}},
        updatemenus=[buttons()],
        sliders=[slider(pictures)],
    )
    return figure


ROWS = (1,) * 5 + (2,) * 3 + (3,)
"""The row of each trace of a drawing: the network, the accuracies, the parameters."""


def drawing(picture: Snapshot, started: RunStarted, judged: Sequence[BlockJudged], depth: int) -> list[go.Scatter]:
    """Return the traces of one picture, always the same number in the same order (``ROWS``)."""
    size = min(26, 165 / (max(event.block for event in judged) + 2))  # so that the highest stack has gaps
    layers: dict[int, list] = {}
    for block in sorted(picture.blocks, key=lambda block: block.number):
        layers.setdefault(block.layer, []).append(block)
    place = {
        block: (layer, (len(blocks) - 1) / 2 - i)
        for layer, blocks in layers.items()
        for i, block in enumerate(blocks)
    }
    ends = [[(0, 0)], *([place[block] for block in layers[layer]] for layer in sorted(layers)), [(depth + 1, 0)]]
    lines: tuple[list, list] = ([], [])
    for left, right in pairwise(ends):
        for x0, y0 in left:
            for x1, y1 in right:
                lines[0].extend((x0, x1, None))
                lines[1].extend((y0, y1, None))
    bundles = go.Scatter(
        x=lines[0],
        y=lines[1],
        mode="lines",
        line={"color": "rgba(138,143,152,0.35)", "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    terminals = go.Scatter(
        x=[0, depth + 1],
        y=[0, 0],
        mode="markers+text",
        showlegend=False,
        marker={"symbol": "circle", "size": 30, "color": "#3b4252"},
        textposition="bottom center",
        text=[f"{started.features:,} features", f"{started.classes} classes"],
        hoverinfo="text",
    )
    marks = []
    for status, (symbol, colour) in STATUS.items():
        shown = [block for block in picture.blocks if block.status == status]
        at = [place[block] for block in shown] or [(None, None)]  # an empty trace would leave the legend
        marks.append(
            go.Scatter(
                x=[x for x, _ in at],
                y=[y for _, y in at],
                mode="markers+text",
                name=f"block {status}",
                marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
                text=[str(block.width) for block in shown],
                textposition="middle right",
                textfont={"size": 11},
                hovertext=[block.about for block in shown],
                hoverinfo="text",
                showlegend=True,
            )
        )
    past = list(judged[: picture.judged])
    numbers = list(range(1, len(past) + 1)) or [None]
    curves = [
        go.Scatter(
            x=numbers,
            y=[100 * getattr(event.after, f"{name}_accuracy") for event in past],
            mode="lines+markers",
            name=label,
            line={"dash": dash, "color": colour},
            marker={"symbol": ["x" if type(event).__name__ == "BlockRejected" else "circle" for event in past]},
        )
        for name, label, dash, colour in CURVES
    ]
    parameters = go.Scatter(
        x=numbers,
        y=[event.parameters for event in past],
        mode="lines+markers",
        line={"shape": "hv", "color": BLUE},
        showlegend=False,
        name="parameters",
    )
    return [bundles, terminals, *marks, *curves, parameters]


def captions(picture: Snapshot) -> list[dict]:
    """Return what stands above a picture: its title, its sentence, and the tally of rejected blocks."""
    tally = f"{picture.rejected} block(s) taken back so far; {picture.parameters:,} parameters stand."
    lines = [f"<b>{picture.title}</b>", *wrap(picture.sentence, 58), f"<span style='color:{GREY}'>{tally}</span>"]
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "left", "yanchor": "top", "yshift": 110}
    return [{**place, "showarrow": False, "align": "left", "text": "<br>".join(lines), "font": {"size": 13}}]


def buttons() -> dict:
    still = {"frame": {"duration": 0, "redraw": True}, "mode": "immediate"}
    return {
        "type": "buttons",
        "direction": "left",
        "x": 0,
        "y": -0.2,
        "xanchor": "left",
        "yanchor": "top",
        "buttons": [
            {"label": "Play", "method": "animate", "args": [None, PLAY]},
            {"label": "Pause", "method": "animate", "args": [[None], still]},
        ],
    }


def slider(pictures: Sequence[Snapshot]) -> dict:
    still = {"frame": {"duration": 0, "redraw": True}, "mode": "immediate"}
    steps = [{"label": str(i), "method": "animate", "args": [[str(i)], still]} for i in range(len(pictures))]
    return {
        "active": 0,
        "x": 0.3,
        "len": 0.7,
        "y": -0.17,
        "pad": {"t": 10},
        "steps": steps,
        "currentvalue": {"prefix": "step ", "xanchor": "right", "font": {"color": "#3b4252"}},
        "font": {"color": "rgba(0,0,0,0)"},
        "ticklen": 0,
    }


def write_replay(events: Sequence[Event], path: Path) -> None:
    """Write the film to one HTML file that needs no network; it plays by itself unless motion is unwanted."""
    figure = replay_figure(events)
    wanted = "!matchMedia('(prefers-reduced-motion: reduce)').matches"
    play = f"if ({wanted}) Plotly.animate('{{plot_id}}', null, {json.dumps(PLAY)});"
    settings = {"displaylogo": False, "responsive": True}
    try:
        figure.write_html(path, include_plotlyjs=True, auto_play=False, post_script=play, config=settings)
    except OSError as error:
        raise PgcnError(f"{path} cannot be written: {error.strerror}.") from error
