"""A stored run as a row, as files to export, and beside others."""

import datetime
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.data.sources import TITLES
from pgcn.methods.registry import grows, title_of
from pgcn.ui.components import plotly_live
from pgcn.ui.server import store
from pgcn.ui.work import stored_events
from pgcn.views.batch import topology_text
from pgcn.views.compare import CURVES, comparison_figure, settings_table
from pgcn.views.exports import events_as_csv, events_as_jsonl
from pgcn.views.film import checked_for_film, film, film_page

if TYPE_CHECKING:
    from pgcn.store import StoredRun

STATUS = {
    "running": "▶ running",
    "finished": "✓ finished",
    "cancelled": "■ stopped",
    "failed": "✕ failed",
    "interrupted": "⚠ interrupted",
}
MOST_COMPARED = 6


def row_of(run: "StoredRun") -> dict[str, Any]:
    scores = run.scores or {}

    def percent(value: float | None) -> float | None:
        return None if value is None else 100 * value

    return {
        "name": run.name or f"{TITLES.get(run.dataset, run.dataset)}, seed {run.seed}",
        "status": STATUS[run.status],
        "topology": topology_text(run) if run.topology else "-",
        "parameters": run.parameters,
        "best validation (%)": percent(run.best_val_accuracy),
        "validation (%)": percent(scores.get("val_accuracy")),
        "test (%)": percent(scores.get("test_accuracy")),
        "seconds": run.seconds,
        "when": datetime.datetime.fromtimestamp(run.created),
        "data set": TITLES.get(run.dataset, run.dataset),
        "method": title_of(run.method),
        "note": run.note,
        "id": run.id[:8],
    }


def show_exports(run: "StoredRun") -> None:
    """Draw a button for every form in which a run can be exported; nothing is made before it is asked for."""
    name = f"pgcn-{run.dataset}-seed{run.seed}-{run.id[:8]}"
    with st.popover("Export", icon=":material/download:", key="export"):
        forms = [
            ("Events as CSV", f"{name}.csv", "text/csv", lambda: events_as_csv(stored_events(run))),
            (
                "Events as JSON Lines",
                f"{name}.jsonl",
                "application/jsonl",
                lambda: events_as_jsonl(stored_events(run)),
            ),
        ]
        if run.topology:
            forms.append(
                (
                    "Network as safetensors",
                    f"{name}.safetensors",
                    "application/octet-stream",
                    lambda: network_of(run),
                )
            )
        if grows(run.method) and run.topology:
            forms.append(("Replay as a web page", f"{name}.html", "text/html", lambda: page_of(run)))
        for label, file, kind, make in forms:
            st.download_button(label, data=make, file_name=file, mime=kind, on_click="ignore", key=f"get_{file}")
        st.caption(
            "Figures: every chart has a camera (PNG) and a disk (SVG); the canvas in Grow has links below it."
        )


def network_of(run: "StoredRun") -> bytes:
    return store().model(run.id).to_bytes()


def page_of(run: "StoredRun") -> bytes:
    from pgcn.studies.baseline import stored_baseline

    events = checked_for_film(stored_events(run))
    started = events[0]
    line = stored_baseline(started.recipe, store(), reproducible=started.reproducible) if started.recipe else None
    return film_page(film(events, name=run.id, baseline=line)).encode()


def show_comparison(runs: "list[StoredRun]") -> None:
    """Draw the curves of several runs over each other, and where their settings differ."""
    if len(runs) > MOST_COMPARED:
        st.info(f"The first {MOST_COMPARED} of the {len(runs)} selected runs are compared.", icon=":material/info:")
        runs = runs[:MOST_COMPARED]
    events = {f"{row_of(run)['name']} ({run.id[:8]})": stored_events(run) for run in runs}
    st.markdown("**Compared by block tried**; only accepted blocks are joined")
    for column, what in zip(st.columns(len(CURVES)), CURVES, strict=True):
        with column:
            st.markdown(what.capitalize())
            plotly_live(comparison_figure(events, what), key=f"compare_{what}", height=320, about=",".join(events))
    described = {
        name: {"data": these[0].recipe["name"] if these[0].recipe else these[0].dataset, "split": these[0].split,
               "features": these[0].features, "reproducible": these[0].reproducible, **these[0].config}
        for name, these in events.items()
    }  # fmt: skip
    rows, different = settings_table(described)
    left, right = st.columns([3, 1])
    left.markdown(f"**Settings that differ** ({len(different)} of {len(rows)})")
    everything = right.toggle("Show all settings", key="all_settings")
    listed = [row for row in rows if everything or row["setting"] in different]
    if not listed:
        st.caption("None: these runs had the same settings.")
        return
    import pandas as pd

    table = pd.DataFrame(listed).set_index("setting")
    marked = table.style.apply(
        lambda row: ["background-color: rgba(230, 159, 0, 0.25)" * (row.name in different)] * len(row), axis=1
    )
    st.dataframe(marked)
