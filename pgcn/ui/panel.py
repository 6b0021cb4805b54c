"""The settings at the left, in a person's order."""

import dataclasses
from typing import Any, get_type_hints

import streamlit as st

from pgcn.config import kind_of
from pgcn.data import NAMES, catalogue
from pgcn.data.sources import STATISTICS, TITLES
from pgcn.errors import PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.ui.session import Grow
from pgcn.ui.settings import ABOUT_REPRODUCIBLE, GROWTH, LESSONS, Settings

ABOUT_PRESETS = {
    "paper": "The paper's text, word for word: the accuracy on labelled nodes decides, so growth stops early.",
    "reference": "What the authors' published code means to do.",
    "reproduction": "The paper, but validation accuracy decides: topologies like those in its tables.",
    "tuned": "Ours: a graph readout solved for what it computes, and dropout on the propagated input.",
}
SPLITS = ("public", "random:5", "random:20", "fraction:0.1", "fraction:0.5")
GROUPS = {
    "Size and growth": (
        "block_width", "max_layers", "max_width", "epsilon_b", "epsilon_l", "reject_equal", "metric",
        "layer_baseline",
    ),
    "Training": (
        "epochs", "learning_rate", "weight_decay", "weight_decay_scope", "dropout", "dropout_scope",
        "input_dropout", "loss", "mse_objective", "ridge", "carry_over", "init",
    ),
    "Closed-form readout": (
        "lambda1", "lambda2", "readout", "closed_form", "solve_for", "solve_dropout", "laplacian",
        "laplacian_overwritten",
    ),
    "Network": ("activation", "bias", "device"),
    "Sensitivity": ("perturbation", "perturbation_seed"),
}  # fmt: skip


def show_panel(session: Grow) -> None:
    """Draw the settings in the sidebar; a change goes to the session at once.

    A widget is told its value twice: as its state, and as what it begins with, for a browser that was slow to draw
    it and has missed the first telling; it would begin with the first option, and say so as if it were a change.
    """
    settings = session.settings
    for name in ("dataset", "preset", "split"):
        st.session_state.setdefault(f"set_{name}", getattr(settings, name))
    st.session_state.setdefault("set_seed", settings.seed)
    with st.sidebar:
        st.pills(
            "A lesson to start from",
            list(LESSONS),
            key="set_lesson",
            help="\n".join(f"- **{lesson.name}**: {lesson.about}" for lesson in LESSONS.values()),
            on_change=take_lesson,
            args=(session,),
        )
        if st.session_state["set_lesson"]:
            st.caption(LESSONS[st.session_state["set_lesson"]].about)
        st.selectbox(
            "Data set", NAMES, index=NAMES.index(settings.dataset), format_func=TITLES.get, key="set_dataset",
            on_change=take, args=(session, "dataset"),
        )  # fmt: skip
        st.caption(dataset_facts(settings.dataset))
        st.selectbox(
            "Preset",
            list(PRESETS),
            index=list(PRESETS).index(settings.preset),
            format_func=lambda name: name.capitalize(),
            key="set_preset",
            on_change=take,
            args=(session, "preset"),
        )
        st.caption(ABOUT_PRESETS[settings.preset])
        st.number_input(
            "Seed", min_value=0, value=settings.seed, step=1, key="set_seed", on_change=take,
            args=(session, "seed"),
            help="The same settings and the same seed give the same network, bit for bit: on this computer always, "
            "on others where it is reproducible.",
        )  # fmt: skip
        st.session_state.setdefault("set_reproducible", settings.reproducible)
        st.toggle(
            "Reproducible", value=settings.reproducible, key="set_reproducible", on_change=take,
            args=(session, "reproducible"), help=ABOUT_REPRODUCIBLE,
        )  # fmt: skip
        changed = len(settings.changes) + (settings.split != "public") + (settings.dims is not None)
        title = f"More ({changed} changed)" if changed else "More"
        more = st.expander(title, key="more", on_change="rerun")
        if more.open:  # some forty widgets: a first visitor does not wait for them
            with more:
                show_all_settings(session)


def show_all_settings(session: Grow) -> None:
    st.caption("The same in a terminal")
    st.code(session.settings.command(), language="bash", wrap_lines=True)
    show_data_settings(session)
    for title, names in GROUPS.items():
        st.markdown(f"**{title}**")
        for name in names:
            show_setting(session, name)


def dataset_facts(name: str) -> str:
    """Return a line of facts, and whether the data set is here."""
    nodes, edges, features, classes, labelled, note = STATISTICS[name]
    facts = (
        f"{note} {nodes:,} nodes, {edges:,} edges, {features:,} features, {classes} classes, {labelled} labelled."
    )
    if name in HERE_ALWAYS or next(info.where for info in catalogue() if info.name == name):
        return facts
    return f"{facts} Not on this machine yet: it is fetched when you grow."


HERE_ALWAYS = ("karate", "synthetic")


def show_data_settings(session: Grow) -> None:
    settings = session.settings
    options = list(dict.fromkeys([*SPLITS, settings.split]))
    st.markdown("**Data**")
    st.selectbox(
        "split", options, index=options.index(settings.split), key="set_split", accept_new_options=True,
        on_change=take, args=(session, "split"),
        help="public, random:20 (labelled nodes per class) or fraction:0.5 (labelled share of all); type your own.",
    )  # fmt: skip
    st.caption("Which nodes are labelled, validate and test.")
    st.session_state.setdefault("set_data_seed", settings.data_seed)
    st.number_input(
        "data_seed", min_value=0, value=settings.data_seed, step=1, key="set_data_seed", on_change=take,
        args=(session, "data_seed"),
    )  # fmt: skip
    st.caption("Seed of a split that is drawn, of the projection and of the synthetic graph.")
    st.session_state.setdefault("set_dims", settings.dims)
    st.number_input(
        "dims", min_value=1, max_value=STATISTICS[settings.dataset][2], value=settings.dims, step=1, key="set_dims",
        placeholder="all", on_change=take, args=(session, "dims"),
    )  # fmt: skip
    st.caption("Project the features at random to so many dimensions D'; empty keeps them all.")


def show_setting(session: Grow, name: str) -> None:
    """Draw one setting of GrowthConfig by its type and range, with its sentence."""
    spec = SPECS[name]
    kind, optional = kind_of(HINTS[name])
    key, limits, value = f"set_{name}", spec.metadata, getattr(session.settings.config, name)
    st.session_state.setdefault(key, value)
    common: dict[str, Any] = {"label": name, "key": key, "on_change": take, "args": (session, name)}
    if limits["choices"]:
        st.selectbox(options=limits["choices"], index=limits["choices"].index(value), **common)
    elif kind is bool:
        st.toggle(value=value, **common)
    elif kind is int:
        st.number_input(min_value=limits["at_least"], value=value, step=1, **common)
    elif kind is float:
        st.number_input(
            min_value=None if limits["at_least"] is None else float(limits["at_least"]), value=value,
            step=None, format="%g", placeholder="none" if optional else None, **common,
        )  # fmt: skip
    else:
        st.text_input(value=value, **common)
    st.caption(limits["about"])


SPECS = {spec.name: spec for spec in dataclasses.fields(GrowthConfig)}
HINTS = get_type_hints(GrowthConfig)


def take(session: Grow, name: str) -> None:
    """Take a widget's value into the settings, or say why it cannot be and put the old one back."""
    if f"set_{name}" not in st.session_state:
        return  # a run of the page that was cut short had not drawn the widget
    value = st.session_state[f"set_{name}"]
    settings = session.settings
    session.complaints = []
    try:
        if name in GROWTH:
            settings = settings.change(changes={**settings.changes, name: value})
        elif name == "preset":
            settings = settings.change(preset=value, changes={})
        elif name == "dataset" and settings.dims is not None and settings.dims > STATISTICS[value][2]:
            settings = settings.change(dataset=value, dims=None)
        else:
            settings = settings.change(**{name: value})
    except PgcnError as error:
        session.complaints = [f"{error} It stays as it was."]
    adopt(session, settings, keep={"set_lesson"} if settings == session.settings else set())


def take_lesson(session: Grow) -> None:
    name = st.session_state.get("set_lesson")
    if name:
        session.complaints = []
        adopt(session, LESSONS[name].settings, keep={"set_lesson"})


def adopt(session: Grow, settings: Settings, *, keep: set[str] = frozenset()) -> None:
    """Make settings the visitor's own, and have the widgets show them."""
    session.settings = settings
    for key in [key for key in st.session_state if str(key).startswith("set_") and key not in keep]:
        name = str(key).removeprefix("set_")
        holder = settings.config if name in GROWTH else settings
        value = getattr(holder, name, None)  # there is no lesson any more
        if st.session_state[key] != value:
            st.session_state[key] = value
