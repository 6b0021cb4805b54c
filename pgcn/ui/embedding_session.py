"""What one visitor of the Embedding page has before him: one typed object, and its link."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pgcn.embeddings.cache import Kept
from pgcn.embeddings.embed import EmbeddingConfig, Plan
from pgcn.errors import PgcnError
from pgcn.ui.visits import Visit, begin, known_visit, new_query

COLOURS = ("class", "predicted", "right", "confidence", "degree", "part")
COUNTED = ("test", "validation", "labelled", "all")
OWN = ("run", "method", "nodes", "perplexity", "seed", "gcn", "job")
IN_THE_MAPS = ("at", "colour", "counted", "node")
"""What is chosen in the browser, and put into the address bar there."""


@dataclass
class Look(Visit):
    """The run and how it is mapped; ``run`` is empty for the recorded one."""

    run: str = ""
    config: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    given_up: bool = False
    """The visitor stopped the work: it is not begun again unasked."""
    chosen: dict[str, str] = field(default_factory=dict)
    """What a link asks the maps to show first."""
    kept: dict[str, Kept] = field(default_factory=dict)
    """Maps read from the store, by key."""
    plan: tuple[Any, Plan] | None = None
    film: tuple[Any, dict[str, Any]] | None = None

    def query(self) -> dict[str, str]:
        usual, config = EmbeddingConfig(), self.config
        values = {name: getattr(config, name) for name in ("method", "nodes", "perplexity", "seed", "gcn")}
        changed = {name: str(value) for name, value in values.items() if value != getattr(usual, name)}
        if "gcn" in changed:
            changed["gcn"] = "yes"
        return {name: value for name, value in {"run": self.run, **changed, "job": self.job}.items() if value}

    def ask(self, *, run: str | None = None, **changes: Any) -> None:
        """Have another run mapped, or the same one in another way."""
        self.config = replace(self.config, **changes)
        if run is not None and run != self.run:
            self.run, self.chosen, self.kept = run, {}, {}
        self.job, self.given_up, self.complaints = "", False, []


def config_from_query(query: Mapping[str, str]) -> tuple[EmbeddingConfig, list[str]]:
    """Return the settings that a link names, and sentences about what cannot be."""
    config, complaints = EmbeddingConfig(), []
    kinds = {
        "method": str,
        "nodes": lambda text: int(text) if text.isdecimal() else text,
        "perplexity": float,
        "seed": int,
        "gcn": lambda text: text == "yes",
    }
    for name, kind in kinds.items():
        if name not in query:
            continue
        try:
            config = replace(config, **{name: kind(query[name])})
        except PgcnError as error:
            complaints.append(str(error))
        except ValueError:
            complaints.append(f"{name} must be a number, got {query[name]!r}.")
    return config, complaints


def chosen_from_query(query: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return what a link asks the maps to show, and sentences about what cannot be."""
    chosen = {name: query[name] for name in IN_THE_MAPS if name in query}
    complaints = []
    for name, among in (("colour", COLOURS), ("counted", COUNTED)):
        if chosen.get(name, among[0]) not in among:
            complaints.append(f"{name} must be one of {', '.join(among)}, got {chosen.pop(name)!r}.")
    for name in ("at", "node"):
        if name in chosen and not chosen[name].isdecimal():
            complaints.append(f"{name} must be a whole number, got {chosen.pop(name)!r}.")
    return chosen, complaints


def embedding_session() -> Look:
    """Return this visitor's session, read from the link if the link is new."""
    query = new_query("embedding", own)
    if query is None:
        return known_visit("embedding")
    session = Look(run=query.get("run", ""), job=query.get("job", ""))
    session.config, session.complaints = config_from_query(query)
    session.chosen, more = chosen_from_query(query)
    session.complaints += more
    unknown = query.keys() - set(OWN) - set(IN_THE_MAPS)
    if unknown:
        session.complaints.append(f"The link names what this page does not know: {', '.join(sorted(unknown))}.")
    begin("embedding", session)
    session.links.add(frozenset(own(query).items()))
    return session


def own(query: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a link that is not chosen in the browser."""
    return {name: value for name, value in query.items() if name not in IN_THE_MAPS}


def write_link(session: Look) -> None:
    """Put what is shown into the address bar; what was chosen in the maps stays there."""
    link, there = session.query(), st.query_params.to_dict()
    session.links.add(frozenset(link.items()))
    if own(there) != link:
        same_run = there.get("run") in (None, link.get("run"))
        chosen = {name: there[name] for name in IN_THE_MAPS if name in there and same_run}
        st.query_params.from_dict({**link, **chosen})
