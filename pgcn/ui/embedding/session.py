"""What a visitor has open on the Embedding page: one typed object, and its link."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pgcn.config import Config, option, read_switch
from pgcn.embeddings.plan import EmbeddingConfig, Plan
from pgcn.errors import ConfigError, shown
from pgcn.limits import read_whole
from pgcn.store.embeddings import Cached
from pgcn.ui import history
from pgcn.ui.embedding.last import LastFrames, last_frames
from pgcn.ui.links import as_text, read_ids, read_link, unknown_names
from pgcn.ui.session import Session, is_requested, new_link, save_session, saved_session

COLOURS = ("class", "predicted", "right", "confidence", "degree", "part")
COUNTED = ("test", "validation", "labelled", "all")
SETTINGS = ("method", "nodes", "perplexity", "seed", "gcn", "dimensions")


@dataclass(frozen=True, kw_only=True)
class View(Config):
    """What is chosen in the browser, and put into the address bar there."""

    at: int | None = option(None, "The accepted step shown first, from 1.", at_least=0, at_most=1_000_000)
    colour: str = option("class", "What the colours of the nodes mean.", choices=COLOURS)
    counted: str = option("test", "The nodes counted in the confusion matrix.", choices=COUNTED)
    node: int | None = option(None, "The node whose neighbours are shown.", at_least=0, at_most=1_000_000_000)


IN_THE_BROWSER = history.IN_THE_BROWSER["embedding"]


@dataclass
class EmbeddingSession(Session):
    """The run and how it is embedded; ``run`` is empty for the recorded one."""

    run: str = ""
    config: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    wanted: bool = False
    """The visitor asked for what is missing by a click: a link to a run starts nothing."""
    ended_because: str = ""
    """Why the last job was stopped."""
    view: View = field(default_factory=View)
    """What a link asks to be shown first."""
    cached: dict[str, Cached] = field(default_factory=dict)
    """Embeddings and logits read from the store, by key."""
    previews: dict[str, Cached] = field(default_factory=dict)
    """Principal components, until embeddings are there, by key."""
    last: LastFrames | None = None
    """What was shown of the run before another embedding of it was asked for."""
    plan: tuple[Any, Plan] | None = None
    replay: tuple[Any, dict[str, Any]] | None = None

    def query(self) -> dict[str, str]:
        default = EmbeddingConfig()
        values = {name: getattr(self.config, name) for name in SETTINGS}
        changed = {name: as_text(value) for name, value in values.items() if value != getattr(default, name)}
        if "gcn" in changed:
            changed["gcn"] = "yes"
        return {name: value for name, value in {"run": self.run, **changed, "job": self.job}.items() if value}

    def change(self, *, run: str | None = None, **changes: Any) -> None:
        """Show another run, or the same one embedded in another way."""
        self.last = self.shown_frames()
        self.config = replace(self.config, **changes)
        if run is not None and run != self.run:
            self.run, self.view, self.cached, self.previews, self.last = run, View(), {}, {}, None
        self.job, self.wanted, self.ended_because, self.problems = "", True, "", []

    def shown_frames(self) -> LastFrames | None:
        """Return what is shown, to be looked at until what is asked for next is there."""
        if self.plan is None or self.replay is None or self.replay[0][1] != self.config:
            return self.last  # what was asked for has not been drawn yet
        return last_frames(self.plan[1], self.config, self.cached, self.previews, self.replay[1], self.last)


def config_from_query(query: Mapping[str, str]) -> tuple[EmbeddingConfig, list[str]]:
    """Return the settings of a link, and a sentence for each that cannot be used."""
    readers = {
        "method": str,
        "nodes": lambda text: text if read_whole(text) is None else read_whole(text),
        "perplexity": float,
        "seed": int,
        "dimensions": int,
        "gcn": read_switch,
    }

    def with_text(config: EmbeddingConfig, name: str, text: str) -> EmbeddingConfig:
        try:
            value = readers[name](text)
        except ConfigError:
            raise
        except ValueError as error:
            raise ConfigError(f"{name} must be a number, got {shown(text)}.") from error
        return replace(config, **{name: value})

    return read_link(EmbeddingConfig(), query, SETTINGS, with_text)


def view_from_query(query: Mapping[str, str]) -> tuple[View, list[str]]:
    """Return what a link asks to be shown first, and a sentence for each part that cannot be used."""
    return read_link(View(), query, IN_THE_BROWSER, lambda view, name, text: view.set(f"{name}={text}"))


def embedding_session() -> EmbeddingSession:
    """Return this visitor's session, read from the link if the link is new."""
    # By a click: on another page, or on the bare link that leads here from it.
    elsewhere = st.session_state.get("page_before", "embedding") != "embedding"
    wanted = is_requested("embedding") or (elsewhere and not st.query_params)
    query = new_link("embedding", without_view)
    if query is None:
        return saved_session("embedding")
    ids, wrong = read_ids(query, ("run", "job"))
    session = EmbeddingSession(**ids, wanted=wanted)
    session.config, problems = config_from_query(query)
    session.view, more = view_from_query(query)
    session.problems = wrong + problems + more + unknown_names(query, {*SETTINGS, *IN_THE_BROWSER, "run", "job"})
    before = saved_session("embedding")
    if isinstance(before, EmbeddingSession) and before.run == session.run:  # Back to it in another way
        session.last = before.shown_frames()
    save_session("embedding", session)
    session.links.add(frozenset(without_view(query).items()))
    return session


def without_view(query: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a link that is not chosen in the browser."""
    return {name: value for name, value in query.items() if name not in IN_THE_BROWSER}


def write_link(session: EmbeddingSession) -> None:
    """Put what is shown into the address bar; what was chosen in the browser stays there."""
    link, there = session.query(), st.query_params.to_dict()
    session.links.add(frozenset(link.items()))
    if without_view(there) != link:
        same_run = there.get("run") in (None, link.get("run"))
        view = {name: there[name] for name in IN_THE_BROWSER if name in there and same_run}
        st.query_params.from_dict({**link, **view})
