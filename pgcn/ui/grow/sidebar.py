"""The settings in the sidebar of the Grow page, the usual ones first."""

import streamlit as st

from pgcn.data import catalogue
from pgcn.data.catalogue import CATALOGUE, dataset_title
from pgcn.data.split_names import parse_split
from pgcn.errors import PgcnError
from pgcn.methods.pgcn import PRESETS
from pgcn.ui.access import why_not_start
from pgcn.ui.advice import show_advice
from pgcn.ui.graphs import graph_facts, graph_names, store_is_at_hand
from pgcn.ui.grow.controls import run_action, stop
from pgcn.ui.grow.examples import EXAMPLES
from pgcn.ui.grow.fields import GROUPS, LABELS, choose, fits, label, show_setting, whole_number, widget
from pgcn.ui.grow.jobs import grow
from pgcn.ui.grow.session import GrowSession, use_settings
from pgcn.ui.grow.settings import Settings
from pgcn.ui.grow.steer import show_switch
from pgcn.ui.links import as_text
from pgcn.ui.presets import preset_title
from pgcn.ui.refreshing import refreshed
from pgcn.ui.text import plain
from pgcn.views.advice import at_once

ABOUT_PRESETS = {
    "paper": "The paper's text to the letter: training accuracy decides, so growth stops early.",
    "reference": "What the authors' published code is intended to do.",
    "reproduction": "The paper, but validation accuracy decides: topologies like those in its tables.",
    "tuned": "Ours: a graph readout solved for what it computes, and dropout on the propagated input.",
    "pagerank": "Ours: a PageRank readout fitted to squared error, the best epoch of each candidate, a margin.",
}
SPLITS = ("public", "random:5", "random:20", "fraction:0.1", "fraction:0.5")


def show_sidebar(session: GrowSession) -> None:
    """Draw the settings; a change goes to the session at once."""
    with st.sidebar:
        example = example_of(session.settings)
        if st.session_state.get("set_example") != example:
            st.session_state["set_example"] = example
        st.pills(
            "Examples",
            list(EXAMPLES),
            default=example,
            key="set_example",
            help="\n".join(f"- **{name}**: {example.about}" for name, example in EXAMPLES.items()),
            on_change=use_example,
            args=(session,),
            disabled=bool(why_not_start()),
        )
        if example:
            st.caption(EXAMPLES[example].about)
        show_data_settings(session)
        choose(session, "preset", list(PRESETS), format_func=preset_title)
        st.caption(preset_sentence(session.settings))
        show_switch(session)
        show_growing_advice(session)
        whole_number(session, "seed", min_value=0)
        st.toggle(label("reproducible"), **widget(session, "reproducible"))
        more = st.expander("All settings", key="more", on_change="rerun")  # with another title it would close
        if more.open:  # some forty widgets: a first visitor does not wait for them
            with more:
                show_all_settings(session)


def show_data_settings(session: GrowSession) -> None:
    """Draw what makes the graph, and say what it is then."""
    settings = session.settings
    names = graph_names(wait=False)
    choose(session, "dataset", list(dict.fromkeys([*names, settings.dataset])), format_func=dataset_title)
    if not store_is_at_hand():
        refreshed(show_stored_graphs_soon, 2.0)
    splits = list(dict.fromkeys([*SPLITS, settings.split]))
    choose(session, "split", splits, accept_new_options=True, format_func=split_label)
    most = graph_facts(settings.dataset).features
    whole_number(session, "dims", min_value=1, max_value=most, placeholder=f"all {most:,}")
    st.caption(graph_sentence(settings))


def show_growing_advice(session: GrowSession) -> None:
    """Draw whether growing is likely to pay on the graph that is chosen, and which preset."""
    settings = session.settings

    def use(preset: str) -> None:
        use_settings(session, session.settings.change(preset=preset, changes={}))

    known = at_once(settings.facts, graph_facts(settings.dataset))
    show_advice(settings.source, known, preset=settings.preset, use=use)


def split_label(split: str) -> str:
    """Return what a split is called in the list; what somebody types is read, and refused, when it is used."""
    try:
        kind, amount = parse_split(split)
    except PgcnError:
        return split
    if kind == "random":
        return f"{amount} of each class"
    return f"{100 * amount:g} % of all" if kind == "fraction" else "Public split"


def graph_sentence(settings: Settings) -> str:
    """Return what the graph is after its split and projection, and whether it is on this machine."""
    facts, before = settings.facts, graph_facts(settings.dataset)
    features = f"{facts.features:,} features"
    if settings.dims is not None:
        features = f"{facts.features:,} projected from {before.features:,} features"
    text = (
        f"{facts.note} {facts.nodes:,} nodes, {facts.edges:,} edges, {features}, {facts.classes} classes, "
        f"{facts.labelled:,} labelled."
    ).strip()
    to_fetch = any(info.name == settings.dataset and not info.where for info in catalogue())
    return plain(f"{text} Not on this machine yet: it is downloaded when you grow." if to_fetch else text)


def show_stored_graphs_soon() -> None:
    """Draw the page again when the server has imported the store and there are graphs in it."""
    if store_is_at_hand() and len(graph_names()) > len(CATALOGUE):
        st.rerun()


def changed_settings(session: GrowSession) -> list[str]:
    """Return the settings of growth that are not as the preset has them, or were edited."""
    wanted = {*session.settings.changes, *session.edited}
    return [name for name in LABELS if name in wanted and name in Settings.GROWTH]


def preset_sentence(settings: Settings) -> str:
    """Return what a preset is, and what differs from it."""
    differs = ", ".join(f"{name} = {as_text(value)}" for name, value in settings.changes.items())
    about = ABOUT_PRESETS[settings.preset]
    return plain(f"{about} Changed: {differs}." if differs else about)


def show_all_settings(session: GrowSession) -> None:
    """Draw every setting, or those that are searched for or were changed."""
    changed = changed_settings(session)
    text = st.text_input("Search settings", key="find_setting", icon=":material/search:", placeholder="dropout")
    only = st.toggle(f"Only changed settings ({len(changed)})", key="only_changed")
    found = 0
    for title, names in {"Data": ["data_seed"], **GROUPS}.items():
        shown = [name for name in names if fits(name, text or "") and (name in changed or not only)]
        found += len(shown)
        if shown:
            st.markdown(f"**{title}**")
        for name in shown:
            whole_number(session, name, min_value=0) if name == "data_seed" else show_setting(session, name)
    if not found:
        st.caption("No setting matches." if text else "No setting differs from the preset.")
    st.caption("The same in a terminal")
    st.code(session.settings.command(), language=None, wrap_lines=True)


def example_of(settings: Settings) -> str | None:
    """Return the example whose settings these are."""
    return next((name for name, example in EXAMPLES.items() if example.settings.spec == settings.spec), None)


def use_example(session: GrowSession) -> None:
    """Start the run of the example that was clicked; a click on the chosen one takes the choice away."""
    name = st.session_state.get("set_example") or example_of(session.settings)
    if name:
        run_action(session, lambda session: start_example(session, name))


def start_example(session: GrowSession, name: str) -> None:
    stop(session, "Another example was chosen.")
    use_settings(session, EXAMPLES[name].settings)
    grow(session)
