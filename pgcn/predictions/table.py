"""What a network says of every node, as a table with the user's own ids and names of classes. No torch."""

import io
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from pgcn.tables import as_csv

Table = dict[str, list]


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What a network says of all nodes of a graph: softmax(logits / temperature).

    logits       float32 [N, C]
    temperature  1 as trained; another one is fitted on validation nodes (:mod:`pgcn.predictions.calibration`)
    y            the class that was given, -1 where none was, int64 [N]
    part         0 for a node in no part, 1 labelled, 2 validation, 3 test, [N]
    node_names   the user's own ids, [N]; None where nodes are only numbered
    """

    logits: np.ndarray
    y: np.ndarray
    part: np.ndarray
    class_names: tuple[str, ...]
    node_names: tuple[str, ...] | None = None
    temperature: float = 1.0

    def at_temperature(self, temperature: float) -> Self:
        """Return the same classes with other probabilities."""
        return replace(self, temperature=temperature)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """softmax(logits / temperature), float64 [N, C]."""
        scaled = self.logits.astype(np.float64) / self.temperature
        share = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return share / share.sum(axis=1, keepdims=True)

    @property
    def classes(self) -> np.ndarray:
        """The most likely class of each node, int64 [N]."""
        return self.probabilities.argmax(axis=1)

    @property
    def entropy(self) -> np.ndarray:
        """How unsure each prediction is, in nats: 0 is certain, log C is a guess."""
        share = self.probabilities
        return -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)

    def columns(self) -> Table:
        """Return a table with the user's own ids and names of classes; ``known`` is the class that was given."""
        names = self.class_names
        table: Table = {
            "node": [self.name_of(node) for node in range(len(self.logits))],
            "class": [names[number] for number in self.classes],
            "probability": self.probabilities.max(axis=1).tolist(),
            "entropy": self.entropy.tolist(),
            "known": [names[number] if number >= 0 else "" for number in self.y.tolist()],
        }
        return table | {f"p({name})": self.probabilities[:, number].tolist() for number, name in enumerate(names)}

    def name_of(self, node: int) -> str:
        """Return what a node is called: the user's id, else its number."""
        return self.node_names[node] if self.node_names else str(node)

    def in_part(self, number: int) -> np.ndarray:
        """Return the nodes of a part whose class is known."""
        return np.flatnonzero((self.part == number) & (self.y >= 0))


def only_unknown(table: Table) -> Table:
    """Return the rows of nodes whose class was not known."""
    wanted = [number for number, known in enumerate(table["known"]) if not known]
    return {name: [values[number] for number in wanted] for name, values in table.items()}


def table_as_csv(table: Table) -> bytes:
    """Return a table as CSV in UTF-8."""
    rows = (dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True))
    return as_csv(list(table), rows).encode()


def table_as_parquet(table: Table) -> bytes:
    """Return a table as Parquet; ids are as they are."""
    import pyarrow as pa
    import pyarrow.parquet

    data = io.BytesIO()
    pa.parquet.write_table(pa.table(table), data)
    return data.getvalue()
