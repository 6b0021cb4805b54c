"""Settings check themselves, and every row of the comparison of paper and code can be expressed."""

import math
from dataclasses import dataclass

import pytest

from pgcn.config import RunConfig, device_option, option, seed_option
from pgcn.engine.architecture import Architecture, count_parameters
from pgcn.errors import ConfigError
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import PRESETS, GrowthConfig, growth_preset
from pgcn.studies.identity import question_id


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"block_width": 0}, "block_width must be at least 1, got 0"),
        ({"block_width": 2.5}, "block_width must be a whole number, got 2.5"),
        ({"block_width": True}, "block_width must be a whole number, got True"),
        ({"epsilon_b": "soon"}, "epsilon_b must be a number, got 'soon'"),
        ({"epsilon_l": math.nan}, "epsilon_l must be a finite number, got nan"),
        ({"epsilon_b": math.inf}, "epsilon_b must be a finite number, got inf"),
        ({"dropout": 1.0}, "dropout must be less than 1, got 1.0"),
        ({"dropout": -0.1}, "dropout must be at least 0, got -0.1"),
        ({"learning_rate": 0}, "learning_rate must be greater than 0, got 0"),
        ({"lambda1": -1}, "lambda1 must be greater than 0, got -1"),
        ({"metric": "luck"}, "metric must be one of: labelled_accuracy"),
        ({"bias": "perhaps"}, "bias must be true or false, got 'perhaps'"),
        ({"max_width": 4}, r"max_width must be at least block_width \(5\), got 4"),
        ({"lambda2": "many"}, "lambda2 must be a number or none, got 'many'"),
        ({"solve_for": "propagated"}, "solve_for=propagated needs readout=graph"),
        ({"colour": "red"}, "No setting named 'colour'. Choose one of: block_width"),
        ({"block_widht": 5}, "Did you mean block_width?"),
    ],
)
def test_bad_settings_are_refused_with_what_was_got(changes, message):
    with pytest.raises(ConfigError, match=message):
        growth_preset(**changes)


@pytest.mark.parametrize(
    ("hidden", "message"), [((0,), "at least 1, got 0"), ((), "at least one number"), ((1.5,), "whole")]
)
def test_a_gcn_needs_hidden_layers_of_whole_neurons(hidden, message):
    with pytest.raises(ConfigError, match=message):
        GCNConfig(hidden=hidden)


def test_an_unknown_preset_names_the_ones_there_are():
    with pytest.raises(
        ConfigError, match=r"No preset named 'best'\. Choose one of: paper, reference, reproduction, tuned"
    ):
        growth_preset("best")


def test_texts_are_read_in_the_type_of_their_setting():
    config = growth_preset().set("block_width=10", "bias=true", "lambda2=none", "epsilon_b = 1e-3", "loss=mse")
    assert (config.block_width, config.bias, config.lambda2, config.epsilon_b, config.loss) == (
        10,
        True,
        None,
        1e-3,
        "mse",
    )
    assert GCNConfig().set("hidden=16,8").hidden == (16, 8)


@pytest.mark.parametrize("text", ["block_width", "epochs=ten", "bias=maybe", "hidden=3"])
def test_texts_that_make_no_setting_are_refused(text):
    with pytest.raises(ConfigError):
        growth_preset().set(text)


@pytest.mark.parametrize("name", PRESETS)
def test_settings_survive_being_written_down(name):
    config = growth_preset(name, seed=7)
    assert GrowthConfig.from_dict(config.to_dict()) == config


def test_the_default_preset_is_the_paper_judged_by_validation_accuracy():
    assert growth_preset() == PRESETS["reproduction"] == PRESETS["paper"].change(metric="val_accuracy")


ROWS = {
    "1 output": ({"readout": "linear"}, {"readout": "graph", "solve_for": "hidden"}),
    "2 bias": ({"bias": False}, {"bias": True}),
    "3 metric": ({"metric": "labelled_accuracy"}, {"metric": "val_accuracy"}),
    "4 accept": ({"epsilon_b": 1e-4, "reject_equal": False}, {"epsilon_b": 1e-3, "reject_equal": True}),
    "5 limits": ({"max_layers": 10, "max_width": 100}, {"max_layers": 20, "max_width": 100}),
    "6 epochs": ({"epochs": 300}, {"epochs": 200}),
    "7 dropout": ({"dropout_scope": "all"}, {"dropout_scope": "first_layer", "dropout": 0.5}),
    "8 dropout in the solve": ({"solve_dropout": False}, {"solve_dropout": True}),
    "9 closed form": ({"closed_form": "printed"}, {"closed_form": "printed"}),
    "10 lambda2": ({"lambda2": None}, {"lambda2": 1.0, "lambda1": 0.1}),
    "11 laplacian": ({"laplacian": "self_loops"}, {"laplacian": "self_loops"}),
    "12 reuse": ({"laplacian_overwritten": False}, {"laplacian_overwritten": True}),
    "13 carry-over": ({"carry_over": "all"}, {"carry_over": "first_layer"}),
    "14 init": ({"init": "glorot"}, {"init": "layer_width"}),
    "16 layer baseline": ({"layer_baseline": "accepted"}, {"layer_baseline": "rejected"}),
    "19 loss": ({"loss": "ce", "mse_objective": "j1", "ridge": True}, {"loss": "ce"}),
    "20 weight decay": ({"weight_decay": 5e-4, "weight_decay_scope": "all"}, {"weight_decay_scope": "all"}),
    "21 optimizer": ({"learning_rate": 0.01}, {"learning_rate": 0.01}),
}


@pytest.mark.parametrize("row", ROWS)
def test_paper_and_reference_differ_where_paper_and_code_differ(row):
    for preset, expected in zip(("paper", "reference"), ROWS[row], strict=True):
        values = PRESETS[preset].to_dict()
        assert {key: values[key] for key in expected} == expected


# The paper's Table III in thousands, its topologies from Table IV; which of them fit without and with biases.
TABLE_III = [
    ("citeseer ce", 3703, (15, 20), 6, "56.0k", True, True),
    ("cora ce", 1433, (10, 20), 7, "14.7k", True, True),
    ("pubmed ce", 500, (10,), 3, "5.04k", False, True),
    ("citeseer mse", 3703, (20,), 6, "74.3k", False, False),
    ("cora mse", 1433, (15, 25), 7, "22.1k", False, True),
    ("pubmed mse", 500, (15,), 3, "7.5k", True, False),
    ("citeseer gcn", 3703, (16,), 6, "59.4k", False, True),
    ("cora gcn", 1433, (16,), 7, "23.1k", False, True),
    ("pubmed gcn", 500, (16,), 3, "8.1k", False, True),
]


@pytest.mark.parametrize(("row", "features", "widths", "classes", "printed", "plain", "biased"), TABLE_III)
def test_parameter_counts_against_the_papers_table(row, features, widths, classes, printed, plain, biased):
    decimals = len(printed.split(".")[1]) - 1

    def fits(bias):
        return f"{count_parameters(features, widths, classes, bias=bias) / 1000:.{decimals}f}k" == printed

    assert (fits(False), fits(True)) == (plain, biased)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_counts_its_parameters_by_the_formula(preset):
    config = growth_preset(preset)
    counted = {}
    for row, features, widths, classes, *_ in TABLE_III:
        network = Architecture(
            num_features=features,
            widths=widths,
            num_classes=classes,
            bias=config.bias,
            readout=config.readout,
        )
        assert network.num_parameters == count_parameters(features, widths, classes, bias=config.bias)
        counted[row] = network.num_parameters
    assert counted["cora ce"] == (14_707 if config.bias else 14_670)


@dataclass(frozen=True, kw_only=True)
class Before(RunConfig):
    """Settings as they were."""

    width: int = option(5, "Neurons.", at_least=1, at_most=10)
    seed: int = seed_option()
    device: str = device_option()


@dataclass(frozen=True, kw_only=True)
class After(Before):
    """The same settings with one that came later."""

    depth: int = option(1, "Layers.", at_least=1, at_most=10, later=True)


def test_a_later_setting_at_its_default_leaves_the_question_what_it_was():
    assert After(width=7).to_dict() == Before(width=7).to_dict()
    assert question_id(config=After().to_dict()) == question_id(config=Before().to_dict())
    assert After.from_dict(Before(width=7).to_dict()) == After(width=7, depth=1)


def test_a_later_setting_that_is_changed_makes_another_question_and_is_read_back():
    deep = After(depth=2)
    assert deep.to_dict()["depth"] == 2
    assert question_id(config=deep.to_dict()) != question_id(config=After().to_dict())
    assert After.from_dict(deep.to_dict()) == deep and deep.change(depth=1) == After()
