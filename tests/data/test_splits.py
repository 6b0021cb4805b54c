"""Splits are drawn by a seed, in proportion to the classes, and never overlap."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pgcn.data.split_names import Split, parse_split
from pgcn.data.splits import fraction_split, random_split
from pgcn.errors import ConfigError

CLASSES = st.lists(st.integers(4, 30), min_size=2, max_size=5)


def labels(sizes, unknown=0):
    y = np.repeat(np.arange(-1, len(sizes)), [unknown, *sizes])
    return np.random.default_rng(len(y)).permutation(y)


def counts(y, mask):
    return np.bincount(y[mask.numpy()], minlength=y.max() + 1)


def assert_disjoint(masks):
    assert not (sum(mask.int() for mask in masks) > 1).any()


@settings(max_examples=50, deadline=None)
@given(CLASSES, st.integers(0, 5), st.integers(1, 3), st.integers(0, 99))
def test_a_random_split_labels_so_many_of_every_class(sizes, unknown, per_class, seed):
    y = labels(sizes, unknown)
    train, val, test = masks = random_split(y, per_class, seed=seed)
    assert_disjoint(masks)
    assert (counts(y, train) == per_class).all()
    assert val.any() and test.any()
    assert int(sum(mask.sum() for mask in masks)) == sum(sizes)  # too few for 500 and 1000: all are used
    assert not (train | val | test)[torch.from_numpy(y < 0)].any()


@settings(max_examples=50, deadline=None)
@given(CLASSES, st.integers(0, 5), st.floats(0.3, 0.7), st.integers(0, 99))
def test_a_fraction_split_labels_that_share_of_every_class(sizes, unknown, fraction, seed):
    y = labels(sizes, unknown)
    train, val, test = masks = fraction_split(y, fraction, seed=seed)
    assert_disjoint(masks)
    assert int(train.sum()) == round(fraction * sum(sizes))
    assert (np.abs(counts(y, train) - fraction * np.array(sizes)) <= 2).all()
    assert (counts(y, train) >= 1).all()
    assert val.any() and test.any()
    assert int(sum(mask.sum() for mask in masks)) == sum(sizes)
    assert not (train | val | test)[torch.from_numpy(y < 0)].any()


def test_the_usual_sizes_where_there_are_nodes_enough():
    y = labels([1000, 2000, 700])
    assert [int(mask.sum()) for mask in random_split(y, 20, seed=0)] == [60, 500, 1000]
    assert [int(mask.sum()) for mask in fraction_split(y, 0.5, seed=0)] == [1850, 500, 1350]


def test_small_graphs_keep_the_proportion_of_validation_and_test():
    assert [int(mask.sum()) for mask in random_split(labels([100, 50, 60]), 10, seed=0)] == [30, 60, 120]


def test_validation_and_test_nodes_hold_the_classes_in_proportion():
    y = labels([3000, 1000, 2000])
    _, val, test = random_split(y, 20, seed=4)
    left = np.array([2980, 980, 1980])
    for mask in (val, test):
        expected = left / left.sum() * int(mask.sum())
        assert (np.abs(counts(y, mask) - expected) <= 2).all()


def test_a_rare_class_still_gets_a_labelled_node():
    y = labels([1000, 3])
    assert counts(y, fraction_split(y, 0.01, seed=0)[0]).tolist() == [9, 1]


@pytest.mark.parametrize("split", [Split("random", 5), Split("fraction", 0.3)])
def test_the_seed_alone_decides(split):
    y = labels([50, 60, 70])
    np.random.seed(1)  # noqa: NPY002 - to show that the global state is neither read nor changed
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, again, other = (split.masks(y, seed=seed) for seed in (3, 3, 4))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first[0], other[0])
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda y: random_split(y, 11, seed=0), "11 labelled nodes per class .* class 1 has 10"),
        (lambda y: random_split(y, 0, seed=0), "at least 1 labelled node per class, got 0"),
        (lambda y: random_split(np.array([0, 1, 0]), 1, seed=0), "leave 1 of 3 nodes"),
        (lambda y: random_split(y, 2, seed=-1), "seed must be a whole number of at least 0, got -1"),
        (lambda y: random_split(np.full(5, -1), 2, seed=0), "No node's class is known"),
        (lambda y: random_split(np.array([0, 0, 2, 2]), 1, seed=0), "Class 1 has no node"),
        (lambda y: fraction_split(y, 0.0, seed=0), "between 0 and 1, got 0.0"),
        (lambda y: fraction_split(y, 1.0, seed=0), "between 0 and 1, got 1.0"),
        (lambda y: fraction_split(y, float("nan"), seed=0), "between 0 and 1, got nan"),
        (lambda y: fraction_split(y, 0.98, seed=0), "leaves 1 of 60 nodes for validation and test"),
        (lambda y: fraction_split(y, 0.02, seed=0), "1 of 60 nodes, fewer than the 3 classes"),
    ],
)
def test_impossible_requests_are_refused_with_the_numbers(draw, message):
    with pytest.raises(ConfigError, match=message):
        draw(labels([20, 10, 30]))


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("public", Split("public")),
        ("random:20", Split("random", 20)),
        ("fraction:0.5", Split("fraction", 0.5)),
    ],
)
def test_splits_are_named_in_text(text, split):
    assert parse_split(text) == split


@pytest.mark.parametrize("text", ["", "random", "random:many", "random:2.5", "fraction:", "public:3", "other:1"])
def test_a_split_that_makes_no_sense_is_refused(text):
    with pytest.raises(ConfigError, match=r"'public', 'random:20' or 'fraction:0\.5'"):
        parse_split(text)
