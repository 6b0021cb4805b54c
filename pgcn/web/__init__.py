"""All JavaScript and CSS: the components serve this folder, and exported pages contain its files.

shared/       elements, the transport of whatever plays, Plotly charts, colours
grow/         the header of the Grow page
player/       the replay of a run: network, event log and charts; network.css: the look of networks
embedding/    the replay of its 2-D embeddings
lesson/       the figures of the tour
shell/        what all pages share
arena/        tables that explain themselves, architectures, what a controller prefers
study/        the style that Difficulty and Landscape share: the finding, the controls, the runs of a place
difficulty/   the style of its table of leads
landscape/    the style of its finding
race/         runs side by side on one clock
family/       where a run was branched from and what was branched from it, as a tree
runs/         the table of stored runs
data/         data sets at a glance
components/   what Streamlit mounts: each hands its values to one of the above
"""

import re
from pathlib import Path

WEB = Path(__file__).parent

# The modules of each program; a module comes after those it imports.
SHARED = ("shared/dom.js", "shared/transport.js")
CHART = ("shared/palette.js", "shared/plot.js")
PLAYER = (
    *SHARED,
    "shared/formula.js",
    *CHART,
    *(
        f"player/{name}.js"
        for name in (
            "focus",
            "inside",
            "canvas",
            "graph",
            "ticks",
            "charts",
            "log",
            "save",
            "present",
            "zoom",
            "player",
        )
    ),
)
EMBEDDING = (
    *SHARED,
    "shared/palette.js",
    *(
        f"embedding/{name}.js"
        for name in ("colours", "csv", "decode", "keep", "lookup", "turn", "frames", "legend", "inspector")
    ),
    *(f"embedding/{name}.js" for name in ("panels", "pixels", "gestures", "scatter", "tools", "embedding")),
)
LESSON = (
    *SHARED,
    *(f"lesson/{name}.js" for name in ("draw", "graph", "propagation", "training", "growth", "compare", "lesson")),
)
ARENA = (
    *("shared/dom.js", "shared/formula.js", "shared/palette.js", "player/focus.js"),
    *("player/inside.js", "player/canvas.js"),
    *(f"arena/{name}.js" for name in ("symbols", "table", "network", "preferences")),
)
RACE = (
    *SHARED,
    "shared/formula.js",
    *CHART,
    *("player/focus.js", "player/inside.js", "player/canvas.js", "race/race.js"),
)
FAMILY = ("shared/dom.js", "family/tree.js")
RUNS = ("shared/dom.js", "runs/table.js")
DATA = ("shared/dom.js", "shared/palette.js", "data/cards.js")


NETWORK = ("player", "arena", "race")
"""Folders whose figures are networks on the canvas."""


def style(name: str) -> str:
    """Return the style sheet of a folder, such as the player, with those it shares with others."""
    networks = ("player/network.css",) if name in NETWORK else ()
    return "\n".join((WEB / file).read_text() for file in ("shared/shared.css", *networks, f"{name}/{name}.css"))


def script(files: tuple[str, ...]) -> str:
    """Return modules as one script, without their imports and exports."""
    code = "\n".join((WEB / file).read_text() for file in files)
    return re.sub(r"^import .*\n", "", code, flags=re.MULTILINE).replace("export ", "")
