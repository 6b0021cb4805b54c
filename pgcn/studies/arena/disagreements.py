"""Where two networks disagree: the nodes that one gets right and the other wrong. Torch is imported when asked."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pgcn.errors import GraphError, no_such
from pgcn.events import opening
from pgcn.execution.spec import RunSpec

if TYPE_CHECKING:
    from pgcn.store import Store

NODES = ("test", "val", "all")


@dataclass(frozen=True, kw_only=True)
class Disagreements:
    """Nodes by what two networks make of them; ``one`` and ``other`` are the ids of their runs."""

    one: str
    other: str
    nodes: str
    only_one: tuple[int, ...]
    only_other: tuple[int, ...]
    both_right: int
    both_wrong: int

    @property
    def total(self) -> int:
        return self.both_right + self.both_wrong + len(self.only_one) + len(self.only_other)


def disagreements(
    store: "Store", one: str, other: str, *, nodes: str = "test", data_dir: str | None = None
) -> Disagreements:
    """Return where the networks of two stored runs on the same graph disagree.

    ``nodes`` are those looked at: "test", "val", or "all" whose class is known.
    """
    if nodes not in NODES:
        raise GraphError(no_such("kind of nodes", nodes, NODES))
    runs = [store.run(run).id for run in (one, other)]
    first, second = (RunSpec.of(opening(store.events(run))).source for run in runs)
    if first != second:
        raise GraphError(
            f"Run {runs[0][:8]} was on {graph_text(first)} and run {runs[1][:8]} on {graph_text(second)}. Choose "
            "two runs on the same graph and split."
        )
    from pgcn.execution.graphs import load_source
    from pgcn.execution.recorder import stored_model

    graph = load_source(first, store, data_dir=data_dir)
    mask = graph.y >= 0 if nodes == "all" else getattr(graph, f"{nodes}_mask")
    features = graph.x
    right = [
        stored_model(store, run).predict(features, graph.edge_index, graph.edge_weight) == graph.y for run in runs
    ]
    only_one, only_other = right[0] & ~right[1] & mask, right[1] & ~right[0] & mask
    return Disagreements(
        one=runs[0],
        other=runs[1],
        nodes=nodes,
        only_one=tuple(only_one.nonzero().flatten().tolist()),
        only_other=tuple(only_other.nonzero().flatten().tolist()),
        both_right=int((right[0] & right[1] & mask).sum()),
        both_wrong=int((~right[0] & ~right[1] & mask).sum()),
    )


def graph_text(source) -> str:
    return f"{source.name} ({source.split}, seed {source.seed})"
