"""The filters of the Runs page: the address alone says what they are, so that a link, a reload and Back show it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING
from urllib.parse import unquote

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.errors import shown
from pgcn.methods.registry import method_title
from pgcn.ui.links import Query
from pgcn.views.batch import topology_text
from pgcn.views.run_table import STATUS

if TYPE_CHECKING:
    from pgcn.store import StoredRun

LONGEST = 200
"""Characters that are searched for."""


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a visitor wants to see of all runs; an empty choice is everything."""

    search: str = ""
    dataset: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    studies: bool = False
    """Runs of studies too."""

    def query(self) -> dict[str, str]:
        """Return what stands in the address: only what is chosen."""
        chosen = {name: ",".join(map(written, getattr(self, name))) for name in CHOICES}
        parts = {"search": self.search, **chosen, "studies": "true" if self.studies else ""}
        return {name: text for name, text in parts.items() if text}

    def passes(self, run: "StoredRun") -> bool:
        """Return whether a run is among those to see."""
        if is_of_study(run) and not self.studies:
            return False
        chosen = all(not getattr(self, name) or getattr(run, name) in getattr(self, name) for name in CHOICES)
        return chosen and self.search.lower() in searchable(run)


CHOICES: dict[str, tuple[str, Callable[[str], str]]] = {
    "dataset": ("Data set", dataset_title),
    "method": ("Method", method_title),
    "status": ("Status", lambda name: STATUS.get(name, name)),
}
"""By what is chosen among names: what it is called, and what each name is."""
NAMES = tuple(part.name for part in fields(Filters))


def written(name: str) -> str:
    """Return a name as it stands in a list of names: that of a stored graph may have a comma."""
    return name.replace("%", "%25").replace(",", "%2C")


def filters_of(query: Query, runs: "Sequence[StoredRun]") -> tuple[Filters, list[str]]:
    """Return the filters of an address, and a sentence for each that fits no stored run."""
    values, problems = {}, []
    for name, (label, _) in CHOICES.items():
        asked = tuple(dict.fromkeys(unquote(one) for one in query.get(name, "").split(",") if one))
        there = {getattr(run, name) for run in runs}
        values[name] = tuple(one for one in asked if one in there)
        missing = [shown(one) for one in asked if one not in there]
        if missing:
            what = f"{label.lower()} {', '.join(missing[:3])}"
            problems.append(f"No run stored here has the {what}. This filter of the link is ignored.")
    studies = query.get("studies", "").lower()
    if studies not in ("", "true", "false"):
        problems.append(f"studies must be true or false, got {shown(studies)}. It is ignored.")
    search = query.get("search", "").strip()[:LONGEST]
    return Filters(search=search, studies=studies == "true", **values), problems


def show_filters(filters: Filters, runs: "Sequence[StoredRun]") -> None:
    """Draw the fields of the filters; what is entered goes into the address."""
    for name in NAMES:  # also what Back returns to
        value = getattr(filters, name)
        st.session_state[f"runs_{name}"] = list(value) if name in CHOICES else value
    changed = {"on_change": apply_fields, "args": (filters,)}
    how = {"placeholder": "Search", "label_visibility": "collapsed", "icon": ":material/search:"}
    st.text_input("Search", key="runs_search", max_chars=LONGEST, **how, **changed)
    with st.popover("Filters", icon=":material/filter_alt:", key="runs_more"):
        for name, (label, describe) in CHOICES.items():
            options = sorted({getattr(run, name) for run in runs})
            how = {"format_func": describe, "placeholder": "all"}
            st.multiselect(label, options, key=f"runs_{name}", **how, **changed)
        studied = sum(map(is_of_study, runs))
        if studied:
            about = "The Arena and Difficulty pages show their results."
            st.toggle(f"Runs of studies too ({studied:,})", key="runs_studies", help=about, **changed)
    if filters != Filters():
        how = {"icon": ":material/filter_alt_off:", "type": "tertiary", "on_click": use, "args": (Filters(),)}
        st.button("Show all", key="runs_all", help="Without search and filters.", **how)


def apply_fields(before: Filters) -> None:
    """Take what the fields hold; one that was not drawn stays as it was."""
    values = {name: st.session_state.get(f"runs_{name}", getattr(before, name)) for name in NAMES}
    chosen = {name: tuple(values[name]) for name in CHOICES}
    use(Filters(**{**values, **chosen, "search": (values["search"] or "").strip()}))


def use(filters: Filters) -> None:
    """Put filters into the address, beside whatever else stands there."""
    others = {name: text for name, text in st.query_params.to_dict().items() if name not in NAMES}
    st.query_params.from_dict({**others, **filters.query()})


def is_of_study(run: "StoredRun") -> bool:
    return (run.batch or "").startswith(("arena-", "difficulty-", "sweep-"))


def searchable(run: "StoredRun") -> str:
    words = (run.name, run.note, topology_text(run), f"seed {run.seed}", run.id, run.dataset, run.status)
    return " ".join([*words, method_title(run.method)]).lower()
