"""An ablation resets one setting at a time to the paper's value, and measures on held-out nodes."""

import pytest

from pgcn import load_graph
from pgcn.errors import ConfigError
from pgcn.methods.pgcn import PAPER, PRESETS
from pgcn.studies.ablation import UNCHANGED, ablation, variants


@pytest.mark.parametrize("preset", PRESETS)
def test_every_setting_that_is_not_the_papers_is_put_back_in_turn(preset):
    config = PRESETS[preset]
    unchanged, *others = variants(config)
    assert (unchanged.name, unchanged.config) == (UNCHANGED, config)
    differing = [name for name in vars(config) if getattr(config, name) != getattr(PAPER, name)]
    assert len(others) == len(differing)
    for name, variant in zip(differing, others, strict=True):
        assert getattr(variant.config, name) == getattr(PAPER, name)
        changed = [key for key in vars(config) if getattr(config, key) != getattr(variant.config, key)]
        assert name in changed and len(changed) <= 2


def test_a_readout_is_put_back_with_what_it_is_solved_for():
    (found,) = [variant for variant in variants(PRESETS["pagerank"]) if variant.name.startswith("readout=")]
    assert (found.config.readout, found.config.solve_for) == ("linear", "hidden")


def test_other_changes_are_made_one_at_a_time():
    *_, one, two = variants(PAPER, ["starts=2", "patience=1"])
    assert (one.config.starts, one.config.patience, two.config.starts, two.config.patience) == (2, 0, 1, 1)
    with pytest.raises(ConfigError, match="starts"):
        variants(PAPER, ["starts=none"])


def test_presets_and_gcns_are_compared_without_a_reset():
    unchanged, tuned, gcn, changed = variants(PAPER, ["epochs=9"], against=["tuned", "gcn-64"], resets=False)
    assert (unchanged.config, tuned.config, changed.config.epochs) == (PAPER, PRESETS["tuned"], 9)
    assert (gcn.method, gcn.config.hidden) == ("gcn", (64,))
    with pytest.raises(ConfigError, match=r"tunde.*gcn-16"):
        variants(PAPER, against=["tunde"])


def test_both_halves_of_the_validation_nodes_measure_and_the_first_is_what_others_are_compared_with():
    graph = load_graph("karate")
    config = PRESETS["pagerank"].change(epochs=10, max_layers=1)
    chosen = [variants(config)[0], *variants(config, ["loss=ce"])[-1:]]
    first, second = [found for found in ablation(graph, chosen, range(2)) if found]
    assert first.measured.behind is None and second.measured.name == "loss=ce"
    assert first.measured.nodes == second.measured.nodes == int(graph.val_mask.sum())
    assert second.measured.behind.mean == pytest.approx(second.measured.mean - first.measured.mean)
