"""What runs, on which graph: the sidebar of the Race page."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.methods.registry import METHODS, method_named
from pgcn.ui.difficulty.place import slider_stops
from pgcn.ui.graphs import graph_names
from pgcn.ui.grow.sidebar import SPLITS, split_label
from pgcn.ui.links import MOST_IN_BROWSER
from pgcn.ui.presets import ABOUT_REPRODUCIBLE
from pgcn.ui.race.session import RaceSession
from pgcn.ui.race.settings import FEWEST, MOST, Racer

ALL = 0
"""On the slider of features: all of them."""
SMALL = {"block_width": 10, "epochs": 60}
EXAMPLES = {
    "PGCN and GCN": (Racer(preset="tuned", seed=3, changes=SMALL), Racer(method="gcn")),
    "Two presets": (Racer(preset="reproduction"), Racer(preset="tuned")),
    "Two seeds": (Racer(preset="tuned", changes=SMALL), Racer(preset="tuned", seed=1, changes=SMALL)),
    "Four methods": (
        Racer(preset="tuned", changes=SMALL),
        *(Racer(method=name) for name in ("gcn", "gat", "appnp")),
    ),
}


def show_sidebar(session: RaceSession) -> None:
    """Draw the settings; a change goes into the link at once."""
    race = session.race
    with st.sidebar:
        chosen = next((name for name, racers in EXAMPLES.items() if racers == race.racers), None)
        examples = list(EXAMPLES)
        widget(session, st.pills, "Examples", "example", chosen, use_example, options=examples)
        names = list(dict.fromkeys([*graph_names(), race.dataset]))
        widget(session, st.selectbox, "Data set", "dataset", race.dataset, options=names, format_func=dataset_title)
        splits = list(dict.fromkeys([*SPLITS, race.split]))
        widget(
            session, st.selectbox, "Labelled nodes", "split", race.split, options=splits, format_func=split_label
        )
        show_dims(session)
        how = {"min_value": 0, "max_value": MOST_IN_BROWSER, "step": 1}
        about = "Seeds the random split, the projection and a synthetic graph."
        widget(session, st.number_input, "Seed of the data", "data_seed", race.data_seed, help=about, **how)
        widget(session, st.toggle, "Reproducible", "reproducible", race.reproducible, help=ABOUT_REPRODUCIBLE)
        for number, racer in enumerate(race.racers):
            show_racer(session, number, racer)
        if len(race.racers) < MOST:
            st.button("Add a run", icon=":material/add:", key="race_add", on_click=add, args=(session,))


def widget(
    session: RaceSession,
    draw: Callable,
    label: str,
    name: str,
    value: Any,
    take: Callable | None = None,
    **how: Any,
) -> None:
    """Draw a setting; ``take(session, value)`` takes a change over.

    Its value is told twice, as that of Grow's (:func:`pgcn.ui.grow.fields.widget`).
    """
    key = f"race_{name}"
    if st.session_state.get(key, ...) != value:
        st.session_state[key] = value

    def changed() -> None:
        if key not in st.session_state:
            return  # a run of the page that was cut short had not drawn the widget
        given = st.session_state[key]
        (take or (lambda session, value: session.change(**{name: value})))(session, given)

    draw(label, key=key, on_change=changed, **first_value(draw, value, how), **how)


def first_value(draw: Callable, value: Any, how: dict[str, Any]) -> dict[str, Any]:
    """Return what a widget begins with."""
    if draw is st.selectbox:
        return {"index": how["options"].index(value) if value in how["options"] else None}
    return {"default" if draw is st.pills else "value": value}


def show_dims(session: RaceSession) -> None:
    race = session.race
    stops = sorted({*slider_stops(race.dataset, ()), *([race.dims] if race.dims else [])})
    about = "Features are projected at random to this many dimensions; “all” uses them unchanged."
    widget(
        session,
        st.select_slider,
        "Features D'",
        "dims",
        race.dims or ALL,
        lambda session, dims: session.change(dims=dims or None),
        options=[*stops, ALL],
        format_func=lambda dims: f"{dims:,}" if dims else "all",
        help=about,
    )


def show_racer(session: RaceSession, number: int, racer: Racer) -> None:
    """Draw the settings of one run."""

    def put(make: Callable[[Any], Racer]) -> Callable:
        return lambda session, value: session.take(lambda: session.race.with_racer(number, make(value)))

    def replaced(**values: Any) -> Racer:
        own = {"method": racer.method, "preset": racer.preset, "seed": racer.seed, "changes": racer.changes}
        return Racer(**{**own, **values})

    def with_changes(text: str) -> Racer:
        return Racer.from_text(f"{racer.method} preset={racer.preset} {text} seed={racer.seed}")

    with st.container(border=True):
        st.markdown(f"**Run {number + 1}**")
        names = list(METHODS)
        how = {"options": names, "format_func": lambda name: METHODS[name].title}
        widget(session, st.selectbox, "Method", f"method_{number}", racer.method, put(racer.with_method), **how)
        presets = list(method_named(racer.method).presets)
        if presets:
            take = put(lambda preset: replaced(preset=preset))
            widget(session, st.selectbox, "Preset", f"preset_{number}", racer.preset, take, options=presets)
        take = put(lambda seed: replaced(seed=seed))
        how = {"min_value": 0, "max_value": MOST_IN_BROWSER, "step": 1}
        widget(session, st.number_input, "Seed", f"seed_{number}", racer.seed, take, **how)
        about = (
            "Settings that differ from the preset, such as block_width=10 epochs=60. 'pgcn settings' lists them."
        )
        take = put(with_changes)
        widget(session, st.text_input, "Changes", f"changes_{number}", racer.changes_text, take, help=about)
        if len(session.race.racers) > FEWEST:
            click = {"on_click": remove, "args": (session, number)}
            st.button("Remove", icon=":material/close:", key=f"race_remove_{number}", **click)


def add(session: RaceSession) -> None:
    session.take(session.race.with_one_more)


def remove(session: RaceSession, number: int) -> None:
    session.take(lambda: session.race.without(number))


def use_example(session: RaceSession, name: str | None) -> None:
    if name is not None:
        session.change(racers=EXAMPLES[name])
