"""PGCN beside another method, place by place, and what its lead is made of."""

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.studies.difficulty import CONTENDERS, Place
from pgcn.studies.difficulty.origins import STEPS, lead_origins
from pgcn.studies.difficulty.results import Results
from pgcn.studies.difficulty.words import headline
from pgcn.ui.components import plotly_live
from pgcn.ui.difficulty.shown import View
from pgcn.ui.graphs import graph_facts
from pgcn.ui.text import plain, plain_title
from pgcn.views.lead import lead_table, waterfall_figure


def show_comparison(results: Results, view: View) -> None:
    """Draw the table of the line on view beside the waterfall of the place on view."""
    left, right = st.columns([6, 5], gap="large")
    with left:
        show_table(results, view)
    with right:
        show_origins(results, view.place)


def show_table(results: Results, view: View) -> None:
    rival = CONTENDERS[view.rival]
    st.markdown(f"**PGCN (CE) against {rival.label}**")
    caption = f"{dataset_title(view.place.dataset)}: test accuracy, parameters and paired difference"
    st.html(lead_table(results, view.line or [view.place], view.rival, view.axis, caption=caption))
    st.caption(
        "Mean ± sd in %; difference in points with its 95 % CI, shaded where it excludes 0. Labels per "
        f"feature is the paper's N\\_L/D'. {rival.label}: {plain(rival.about)}."
    )


def show_other_data_sets(results: Results, view: View) -> None:
    """Say in one line each what the other data sets show at this label rate."""
    sentences = []
    for dataset in results.datasets:
        line = [place for place in results.places if place.dataset == dataset and place.rate == view.place.rate]
        found = headline(results, line, view.rival, "dims", graph_facts(dataset).features)
        if dataset != view.place.dataset and found:
            sentences.append(f"- **{plain_title(dataset)}**: {plain(found[0].lower() + found[1:])}.")
    if sentences:
        st.markdown("\n".join(sentences))


def show_origins(results: Results, place: Place) -> None:
    """Draw the way from GCN to PGCN: size, depth, growing."""
    st.markdown(f"**Where the lead comes from** at D' = {place.dims:,}, {place.rate:g} % labelled")
    found = lead_origins(results, place)
    if found is None:
        st.caption(
            "This needs an experiment that GCN, matched GCN, same topology and PGCN (CE) share here. Choose these "
            "methods in the sidebar and run them."
        )
        return
    plotly_live(waterfall_figure(found), key="study_origins", height=330, about=str(place))
    st.caption(
        " ".join(f"**{name}**: {plain(about)}." for name, about in STEPS.items())
        + " Dots are experiments; hatched: not significant."
    )
