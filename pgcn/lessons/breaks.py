"""Ways to make the method fail, each really grown beside the method as it is.

The graph is larger than the tour's, so that an accuracy means something: 200 nodes in four classes, 20 labelled.
"""

import functools
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.studies.statistics import Spread

if TYPE_CHECKING:
    from pgcn.graph import Graph

RECIPE: dict[str, Any] = {
    "name": "synthetic",
    "split": "random:5",
    "nodes": 200,
    "classes": 4,
    "features": 60,
    "average_degree": 3.6,
    "words_per_node": 10,
    "topic": 0.4,
    "homophily": 0.8,
}
BASE: GrowthConfig = growth_preset(epochs=60, max_layers=3, max_width=20)
SEEDS = range(8)
GRAPHS = range(4)
"""Seeds of the graphs to choose from."""


@dataclass(frozen=True, kw_only=True)
class Break:
    """A switch: what it changes, what to expect, and why."""

    title: str
    short: str
    expect: str
    why: str
    changes: Mapping[str, Any] = field(default_factory=dict)


BREAKS = {
    "epsilon": Break(
        title="A threshold that is far too large",
        short="ε = 0.3",
        changes={"epsilon_b": 0.3, "epsilon_l": 0.3},
        expect="Growth stops after one or two blocks, and accuracy is lower.",
        why="A block must now raise validation accuracy by 30 % of what it was, and hardly any block does. "
        "Good networks come from many small gains; growth stops before they add up.",
    ),
    "metric": Break(
        title="The labelled nodes decide",
        short="training accuracy",
        changes={"metric": "labelled_accuracy"},
        expect="Training accuracy reaches 100 % and growth ends there: one layer, while validation accuracy "
        "could still rise.",
        why="Twenty labelled nodes are soon all classified correctly. From then on no block can improve the "
        "metric: $r_b = 0$, and every block is rejected, whatever it does for the other nodes.",
    ),
    "normalise": Break(
        title="No normalisation",
        short="A + I for Â",
        expect="Hidden values grow with the degree and with every layer, which should make training harder.",
        why="Sums over neighbours have no common scale: the values of a node with nine neighbours are about ten "
        "times those of a node with none, and a second layer multiplies that again.",
    ),
    "onehot": Break(
        title="One-hot features",
        short="X = I",
        expect="More weights and lower accuracy: a node is described only by its neighbours.",
        why="With X = I every node has its own row of W, and only rows of nodes near a labelled node are ever "
        "trained. The words that distant nodes have in common are gone.",
    ),
    "epochs": Break(
        title="Far too many epochs",
        short="400 epochs",
        changes={"epochs": 400},
        expect="The network overfits the labelled nodes; validation and test accuracy stay or fall.",
        why="Every block is fitted to the same 20 labels for nearly seven times as long. Dropout and weight decay "
        "counteract it, so the effect may be small.",
    ),
}


def graph_for(name: str, seed: int) -> "Graph":
    """Return the graph of a comparison; its features are one-hot where the break says so."""
    import scipy.sparse as sp

    from pgcn.data import load_graph

    graph = load_graph(**RECIPE, seed=seed)
    if name != "onehot":
        return graph
    return graph.with_features(sp.eye_array(graph.num_nodes).tocsr(), note="One-hot features.")


@functools.cache
def run_with(name: str, graph_seed: int, seed: int) -> dict[str, Any]:
    """Grow once with the break of this name, or with none where it is empty; runs are cached for other breaks."""
    from pgcn.lessons.run import grow_and_score

    graph = graph_for(name, graph_seed)
    config = BASE.change(**(BREAKS[name].changes if name else {}), seed=seed)
    return grow_and_score(graph, config, normalized=name != "normalise")


def comparison(name: str, graph_seed: int) -> Generator[dict[str, Any]]:
    """Grow with and without a break, seed by seed; yield all runs so far after each."""
    runs: dict[str, list] = {"plain": [], "broken": []}
    for seed in SEEDS:
        for arm, switch in (("plain", ""), ("broken", name)):
            runs[arm].append(run_with(switch, graph_seed, seed))
            yield {arm: list(done) for arm, done in runs.items()}


def differences(runs: Mapping[str, list[dict]], key: str) -> Iterator[float]:
    """Yield broken − plain, seed by seed."""
    for plain, broken in zip(runs["plain"], runs["broken"], strict=False):
        yield broken[key] - plain[key]


def verdict(name: str, runs: Mapping[str, list[dict]]) -> str:
    """Return what the numbers of a finished comparison show, also where the failure does not show.

    A difference counts when it is more than twice its standard error over the seeds.
    """
    gaps = list(differences(runs, "test"))
    spread = Spread.of(gaps)
    gap, error = spread.mean, spread.sd / len(gaps) ** 0.5
    accuracy = [Spread.of([100 * run["test"] for run in runs[arm]]).text() for arm in ("plain", "broken")]
    sentence = (
        f"Test accuracy is {accuracy[0]} % as it is and {accuracy[1]} % broken "
        f"(mean ± sd over the same {len(gaps)} seeds): {abs(100 * gap):.1f} points "
        f"{'lower' if gap < 0 else 'higher'}, standard error {100 * error:.1f}."
    )
    if gap < -2 * error:
        shown = "The failure shows."
    elif gap > 2 * error:
        shown = "**The expected failure does not show: on this graph the broken version is better.**"
    else:
        shown = "**The failure does not show in test accuracy**: the difference is not significant."
    return f"{sentence} {shown} {second_fact(name, runs)}"


def second_fact(name: str, runs: Mapping[str, list[dict]]) -> str:
    """Return the number beside accuracy that a break is about."""
    plain, broken = runs["plain"], runs["broken"]

    def pair(key: str, digits: int, scale: float = 1.0) -> tuple[str, str]:
        return tuple(Spread.of([scale * run[key] for run in arm]).text(digits) for arm in (plain, broken))

    if name == "epsilon":
        a, b = pair("parameters", 0)
        return f"The networks have {b} weights instead of {a}."
    if name == "metric":
        full = sum(run["labelled"] == 1 for run in broken)
        layers = sum(len(run["topology"]) == 1 for run in broken)
        return (
            f"{full} of {len(broken)} broken runs reach 100 % training accuracy, {layers} end with a single layer."
        )
    if name == "normalise":
        a, b = pair("largest", 1)
        c, d = pair("test_loss", 2)
        return f"The largest hidden value is {b} instead of {a}, the test loss {d} instead of {c}."
    if name == "onehot":
        a, b = pair("parameters", 0)
        return f"The networks have {b} weights instead of {a}."
    a, b = pair("labelled", 1, 100)
    c, d = pair("test_loss", 2)
    return f"Training accuracy is {b} % instead of {a} %, the test loss {d} instead of {c}."
