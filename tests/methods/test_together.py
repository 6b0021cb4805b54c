"""A run is the same alone and among others: events and weights, to the last bit.

A CPU whose BLAS uses other kernels for more runs is simulated by a product that then sums in another order.
"""

import pytest
from comparison import timeless

from pgcn import train, train_many
from pgcn.engine.threads import on_threads
from pgcn.methods import together
from pgcn.methods.fitting import batches
from pgcn.methods.gat import attention
from pgcn.methods.registry import METHODS
from pgcn.methods.stacked import matmul

SMALL = {
    "gat": {"heads": 2, "hidden": 4, "patience": 4, "learning_rate": 0.05},
    "ngcn": {"replicas": 2, "hidden": 4, "epochs": 12},
    "appnp": {"hidden": 8, "hops": 3, "patience": 4, "learning_rate": 0.05},
}


def everything(result):
    """Return a run's events and weights as values, without the measured times."""
    return timeless(result.events), {name: part.tolist() for name, part in result.model.state_dict().items()}


def small_configs(method, count=5, **changes):
    return [METHODS[method].settings(seed=seed, **SMALL[method] | changes) for seed in range(count)]


@pytest.fixture
def batch_sizes(monkeypatch):
    """Record how many runs are in each batch that was checked, and whether it stayed together."""
    checked, sizes = together.checked_epoch, []

    def recorded(lanes):
        first = not lanes.checked
        parts, measured = checked(lanes)
        if first:
            sizes.append((len(lanes.runs), len(parts) == 1))
        return parts, measured

    monkeypatch.setattr(together, "checked_epoch", recorded)
    return sizes


@pytest.mark.parametrize("method", SMALL)
@pytest.mark.parametrize("graph", ["small_graph", "tall_graph"])
@pytest.mark.parametrize("threads", [1, 2])
def test_runs_together_equal_runs_alone_though_they_end_at_different_epochs(request, method, graph, threads):
    graph, configs = request.getfixturevalue(graph), small_configs(method)
    with on_threads(threads):
        among = train_many(method, graph, configs, report_every=3).finish()
    for config, result in zip(configs, among, strict=True):
        assert everything(result) == everything(train(method, graph, config, report_every=3).finish())
    if method != "ngcn":
        assert len({result.finished.facts["epochs"] for result in among}) > 1


def test_runs_stay_together_and_fewer_go_on_when_one_ends(small_graph, batch_sizes):
    with on_threads(1):
        train_many("gat", small_graph, small_configs("gat")).finish()
    sizes = [size for size, _ in batch_sizes]
    assert sizes[0] == 5 and sizes == sorted(sizes, reverse=True) and len(sizes) > 1
    assert all(stayed for _, stayed in batch_sizes)


def test_runs_are_divided_among_threads(small_graph, batch_sizes):
    with on_threads(2):
        train_many("ngcn", small_graph, small_configs("ngcn")).finish()
    assert sorted(size for size, _ in batch_sizes) == [2, 3]


def test_runs_go_on_alone_where_more_of_them_would_sum_in_another_order(small_graph, monkeypatch, batch_sizes):
    configs = small_configs("gat")
    alone = [everything(train("gat", small_graph, config).finish()) for config in configs]

    def reversed_for_many(left, right):
        if len(left) == 1:
            return matmul(left, right)
        return matmul(left.flip(-1), right.flip(-2))

    monkeypatch.setattr(attention, "matmul", reversed_for_many)
    with on_threads(1):
        among = train_many("gat", small_graph, configs).finish()
    assert [everything(result) for result in among] == alone
    assert batch_sizes == [(5, False)]


def test_runs_that_diverge_fail_and_leave_no_network(small_graph):
    for result in train_many("gat", small_graph, small_configs("gat", learning_rate=1e30)).finish():
        assert result.finished.status == "failed" and result.model is None


def test_only_runs_that_differ_in_their_seed_are_trained_together():
    one, other = small_configs("gat", 3), small_configs("gat", 2, heads=3)
    mixed = [one[0], other[0], one[1], other[1], one[2]]
    assert [runs for runs, _ in batches(mixed, 2)] == [[0, 2], [4], [1, 3]]
    for runs, configs in batches(mixed, 2):
        assert configs == [mixed[run] for run in runs]
