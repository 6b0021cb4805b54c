"""What features were made with: the kinds of columns, medians, scales, categories, words. Kept with the graph.

So a newer version of a graph gets the same features, and a network that was trained on one is applied to the other.
"""

import json
from collections.abc import Callable
from typing import Any

from pgcn.errors import DataError, shown


class Fit:
    """What is needed is found in this graph, or taken from ``like``, another; ``found`` is all that was used."""

    def __init__(self, like: Any = None) -> None:
        self.given: dict[str, Any] | None = None
        self.found: dict[str, Any] = {}
        if like is None:
            return
        if not like.fitted:
            raise DataError(
                f"How the features of {like.name} were made is not known: it was not imported, or by an earlier "
                "version. Import it again first."
            )
        self.given, self.name = json.loads(like.fitted), like.name

    def of(self, key: str, find: Callable[[], Any]) -> Any:
        """Return what a part of the features is made with."""
        if self.given is None:
            value = find()
        elif key in self.given:
            value = self.given[key]
        else:
            raise DataError(
                f"In {shown(self.name)} nothing was needed for the {key}, and here it is. Correct the column, or "
                "import without like."
            )
        self.found[key] = value
        return value

    def text(self) -> str:
        return json.dumps(self.found)
