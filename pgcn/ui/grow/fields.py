"""The field of one setting: what people call it, its name in code and links, its range, and what was wrong."""

import dataclasses
from typing import Any, get_type_hints

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.limits import kind_of
from pgcn.methods.pgcn import GrowthConfig
from pgcn.ui.graphs import graph_facts
from pgcn.ui.grow.session import GrowSession, use_settings
from pgcn.ui.grow.settings import ABOUT
from pgcn.ui.text import plain

GROUPS = {
    "Size and growth": {
        "block_width": "Block width",
        "max_layers": "Maximum hidden layers",
        "max_width": "Maximum neurons per layer",
        "epsilon_b": "Minimum improvement by a block",
        "epsilon_l": "Minimum improvement by a layer",
        "reject_equal": "Reject an improvement equal to the minimum",
        "metric": "What must improve",
        "layer_baseline": "A layer is compared with",
        "margin": "Margin in standard errors",
        "patience": "Patience in blocks",
    },
    "Training": {
        "epochs": "Epochs after each block",
        "learning_rate": "Learning rate",
        "weight_decay": "Weight decay",
        "weight_decay_scope": "Weight decay acts on",
        "dropout": "Dropout",
        "dropout_scope": "Dropout acts on",
        "input_dropout": "Input dropout",
        "input_dropout_on": "Input dropout acts on",
        "loss": "Loss",
        "mse_objective": "Squared error as",
        "ridge": "Ridge penalty on the readout",
        "keep_epoch": "Weights taken from epoch",
        "starts": "Initialisations of each block",
        "carry_over": "Weights carried over",
        "init": "Initial weights",
    },
    "Closed-form readout": {
        "lambda1": "Weight of the labelled error λ₁",
        "lambda2": "Weight of the smoothness λ₂",
        "readout": "Readout",
        "teleport": "Restart probability of PageRank",
        "pagerank_entries": "PageRank entries used in training",
        "closed_form": "Closed form",
        "solve_for": "Solved for",
        "solve_dropout": "Dropout while solving",
        "laplacian": "Laplacian",
        "laplacian_overwritten": "Laplacian overwritten",
    },
    "Network": {"activation": "Activation", "bias": "Bias", "device": "Device"},
    "Decisions": {"decider": "Who decides"},
    "Sensitivity": {"perturbation": "Perturbation of weights", "perturbation_seed": "Seed of the perturbation"},
}
"""Settings of growth by section, as people call them."""
OWN = {
    "dataset": "Data set",
    "split": "Labelled nodes",
    "dims": "Features",
    "data_seed": "Seed of split and projection",
    "preset": "Preset",
    "seed": "Seed",
    "reproducible": "Reproducible",
}
LABELS = OWN | {name: label for names in GROUPS.values() for name, label in names.items()}
SPECS = {spec.name: spec for spec in dataclasses.fields(GrowthConfig)}
HINTS = get_type_hints(GrowthConfig)


def about(name: str) -> str:
    """Return the sentence about a setting."""
    return ABOUT[name] if name in OWN else SPECS[name].metadata["about"]


def label(name: str) -> str:
    """Return what people call a setting, its name in code beside it in grey where that is another."""
    same = LABELS[name].lower() == name
    return LABELS[name] if same else f"{LABELS[name]} :gray[:small[{plain(name)}]]"


def fits(name: str, text: str) -> bool:
    """Return whether a setting is what somebody searches for: in its label, its name or its sentence."""
    words = f"{LABELS[name]} {name} {about(name)}".lower()
    return all(word in words for word in text.lower().split())


def widget(session: GrowSession, name: str) -> dict[str, Any]:
    """Return what the widget of a setting is given: its value, its key and what a change does.

    A widget is told its value twice: as its state, and as what it begins with, for a browser that was slow to draw
    it and missed the first; it would begin with the first option, and report that as a change.
    """
    value = session.settings.value(name)
    st.session_state.setdefault(f"set_{name}", value)
    return {
        "value": value,
        "key": f"set_{name}",
        "on_change": apply_widget,
        "args": (session, name),
        "help": about(name),
    }


def choose(session: GrowSession, name: str, options: list, **how: Any) -> None:
    """Draw a setting that is one of several."""
    given = widget(session, name)
    st.selectbox(label(name), options, index=options.index(given.pop("value")), **given, **how)
    show_field_error(session, name)


def whole_number(session: GrowSession, name: str, **how: Any) -> None:
    """Draw a setting that is a whole number."""
    st.number_input(label(name), step=1, **how, **widget(session, name))
    show_field_error(session, name)


def show_setting(session: GrowSession, name: str) -> None:
    """Draw one setting of GrowthConfig by its type and range."""
    draw_setting(name, widget(session, name))
    show_field_error(session, name)


def draw_setting(name: str, given: dict[str, Any]) -> None:
    """Draw the widget that fits a setting; it is given its value, its key and what a change does."""
    kind, optional = kind_of(HINTS[name])
    limits = SPECS[name].metadata
    if limits["choices"]:
        options = list(limits["choices"])
        st.selectbox(label(name), options, index=options.index(given.pop("value")), **given)
    elif kind is int:
        st.number_input(label(name), step=1, min_value=limits["at_least"], **given)
    elif kind is bool:
        st.toggle(label(name), **given)
    elif kind is float:
        least = None if limits["at_least"] is None else float(limits["at_least"])
        how = {"min_value": least, "step": None, "format": "%g", "placeholder": "none" if optional else None}
        st.number_input(label(name), **how, **given)
    else:
        st.text_input(label(name), **given)


def show_field_error(session: GrowSession, name: str) -> None:
    """Say below a field why its last value was not taken."""
    if name in session.errors:
        st.error(plain(session.errors[name]), icon=":material/error:")


def apply_widget(session: GrowSession, name: str) -> None:
    """Take a widget's value into the settings, or say why it cannot be used and restore the widget."""
    if f"set_{name}" not in st.session_state:
        return  # a run of the page that was cut short had not drawn the widget
    value = st.session_state[f"set_{name}"]
    settings = session.settings
    session.problems, session.errors = [], {}
    try:
        if name == "preset":
            settings = settings.change(preset=value, changes={})
        elif name == "dataset" and settings.dims is not None and settings.dims > graph_facts(value).features:
            settings = settings.change(dataset=value, dims=None)
        else:
            settings = settings.with_value(name, value)
    except PgcnError as error:
        session.errors[name] = f"{error} It was not changed."
    use_settings(session, settings)
