"""The question of a study as widgets of the sidebar: what they show, and what a change does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pgcn.config import assignments
from pgcn.errors import ConfigError, PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.ui.links import as_text
from pgcn.ui.presets import PresetSettings, preset_title
from pgcn.ui.study.session import StudySession


@dataclass(frozen=True, kw_only=True)
class Widgets:
    """The widgets of a page, one for each setting.

    Their keys begin with ``prefix``; ``values`` returns what they show of a question, ``read`` what a value means.
    """

    prefix: str
    values: Callable[[Any], dict[str, Any]]
    read: Callable[[str, Any], Any]

    def key(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def start(self, session: StudySession) -> None:
        """Give every widget that is not there yet the value of the question."""
        for name, value in self.values(session.question).items():
            st.session_state.setdefault(self.key(name), value)

    def of(self, session: StudySession, name: str) -> dict[str, Any]:
        """Return what the widget of a setting is given: its value, its key and what a change does.

        Its value is told twice, as that of Grow's (:func:`pgcn.ui.grow.fields.widget`).
        """
        value = self.values(session.question)[name]
        return {"value": value, "key": self.key(name), "on_change": self.apply, "args": (session, name)}

    def apply(self, session: StudySession, name: str) -> None:
        """Take a widget's value into the question, or say why it cannot be used and restore the widget."""
        if self.key(name) not in st.session_state:
            return  # a run of the page that was cut short had not drawn the widget
        session.problems = []
        try:
            value = self.read(name, st.session_state[self.key(name)])
            session.question = session.question.change(**{name: value})
        except PgcnError as error:
            session.problems = [f"{error} It was not changed."]
        self.restore(session)

    def restore(self, session: StudySession) -> None:
        """Have all widgets show the question."""
        for name, value in self.values(session.question).items():
            key = self.key(name)
            if key in st.session_state and st.session_state[key] != value:
                st.session_state[key] = value

    def choose_one(
        self, session: StudySession, label: str, name: str, options: Sequence[str], title: Callable[[str], str]
    ) -> None:
        """Draw a setting that is one of some options."""
        given = self.of(session, name)
        st.selectbox(label, options, options.index(given.pop("value")), format_func=title, **given)

    def show_growth(self, session: StudySession, about: str) -> None:
        """Draw the settings of growth, folded away, and the command that asks the same."""
        with st.expander("How PGCN grows", key=self.key("more")):
            self.choose_one(session, "Preset", "preset", list(PRESETS), preset_title)
            st.text_input(
                "Settings",
                placeholder="dropout=0.1 block_width=5",
                help=f"Written as for `pgcn grow --set`. {about}",
                **self.of(session, "changes"),
            )
            st.caption("The same in a terminal")
            st.code(session.question.command(), language=None, wrap_lines=True)


def changes_text(question: PresetSettings) -> str:
    """Return the changes of growth as they are typed."""
    return " ".join(f"{name}={as_text(value)}" for name, value in question.changes.items())


def read_changes(text: str, fixed: Sequence[str]) -> dict[str, Any]:
    """Return what :func:`changes_text` wrote; the study itself sets what is ``fixed``."""
    changes = assignments(GrowthConfig, text.split())
    for name in fixed:
        if name in changes:
            raise ConfigError(f"{name} cannot be changed: the study sets it.")
    return changes
