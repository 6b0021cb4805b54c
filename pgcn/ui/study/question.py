"""The question of a study read from a link. No streamlit here, no torch."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pgcn.config import assignments
from pgcn.methods.pgcn import GrowthConfig
from pgcn.ui.links import Query, read_link, unknown_names
from pgcn.ui.presets import PresetSettings

Question = TypeVar("Question", bound=PresetSettings)


def read_question(
    default: Question, query: Query, readers: Mapping[str, Callable[[str], Any]]
) -> tuple[Question, list[str]]:
    """Return the question of a link, and a sentence for everything in it that cannot be used.

    ``readers`` read the text of the page's own settings.
    """

    def with_text(question: Question, name: str, text: str) -> Question:
        if name in readers:
            return question.with_value(name, readers[name](text))
        return question.with_value(name, assignments(GrowthConfig, [f"{name}={text}"])[name])

    changes = [name for name in query if name in default.GROWTH]
    question, problems = read_link(default, query, (*readers, *changes), with_text, type(default).value)
    return question, problems + unknown_names(query, {*readers, *default.GROWTH, "job"})
