"""Whatever settings are asked for in Python: settings within their limits, or an error in words, at once."""

import dataclasses
import math

import pytest
from hypothesis import strategies as st
from nasty import CASES, TEXTS, VALUES, assert_sentence, attack

from pgcn import train
from pgcn.config import Config
from pgcn.data import load_graph
from pgcn.data.catalogue import catalogue_facts
from pgcn.data.importers.options import ImportOptions
from pgcn.data.split_names import parse_split
from pgcn.data.synthetic_config import SyntheticConfig
from pgcn.embeddings.plan import EmbeddingConfig
from pgcn.errors import ConfigError, PgcnError
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import train_many
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.registry import METHODS
from pgcn.places import check_store_address
from pgcn.source import GraphSource
from pgcn.studies.difficulty import Study, study_growth
from pgcn.studies.difficulty.contenders import CONTENDERS, Found
from pgcn.studies.sensitivity import perturbed_configs

CONFIGS = [*(method.config for method in METHODS.values()), SyntheticConfig, ImportOptions]


def assert_within_limits(config: Config) -> None:
    for spec in dataclasses.fields(config):
        value, most = getattr(config, spec.name), spec.metadata["at_most"]
        for number in value if isinstance(value, tuple) else (value,):
            assert not isinstance(number, float) or math.isfinite(number)
            assert most is None or number is None or number <= most
    assert type(config).from_dict(config.to_dict()) == config


@CASES
def test_any_settings_are_within_their_limits_or_refused(cases):
    names = {cls: [spec.name for spec in dataclasses.fields(cls)] for cls in CONFIGS}

    def asked(cls):
        known = st.sampled_from(names[cls])
        values = st.dictionaries(known, VALUES, max_size=3)
        texts = st.lists(st.tuples(known | TEXTS, TEXTS).map("=".join) | TEXTS, max_size=3)
        return st.tuples(st.just(cls), values, texts)

    def check(case):
        cls, values, texts = case
        for make in (lambda: cls(**values), lambda: cls().change(**values), lambda: cls().set(*texts)):
            try:
                config = make()
            except ConfigError as refused:
                assert_sentence(refused)
            else:
                assert_within_limits(config)

    attack(st.one_of(*map(asked, CONFIGS)), check, cases)


def test_every_number_has_an_upper_bound():
    for cls in CONFIGS:
        for spec in dataclasses.fields(cls):
            limits, kind = spec.metadata, spec.type
            numeric = kind in (int, float) or str(kind) in ("float | None", "int | None", "tuple[int, ...]")
            shares = ("homophily", "topic")  # between 0 and 1
            if numeric and spec.name not in shares:
                assert limits["at_most"] is not None or limits["below"] is not None, f"{cls.__name__}.{spec.name}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 10**9}, "epochs must be at most 1,000,000, got 1000000000"),
        ({"seed": 10**30}, "seed must be at most 9,223,372,036,854,775,807"),
        ({"seed": 10**5000}, "seed must be at most .*, got a value of type int that cannot be written"),
        ({"learning_rate": 1e38}, r"learning_rate must be at most 3e\+37, got 1e\+38"),
        ({"learning_rate": 10**400}, "learning_rate must be a finite number, got inf"),
        ({"epsilon_b": 1e308}, "epsilon_b must be at most"),
        ({"lambda1": 1e308}, "lambda1 must be at most"),
        ({"device": "warp"}, "device must be cpu, cuda, cuda:N or mps, got 'warp'"),
        ({"device": "cuda:0; rm"}, "device must be"),
        ({"device": "cpu\n"}, "device must be"),
        ({"block_width": 10**6}, "block_width must be at most 100,000"),
    ],
)
def test_what_is_beyond_a_bound_is_refused_at_once(changes, message):
    with pytest.raises(ConfigError, match=message):
        growth_preset(**changes)
    with pytest.raises(ConfigError, match=message):
        GrowthConfig(**changes)


def test_what_is_stored_opens_whatever_the_bounds_are_now():
    """An earlier version had none: a run with a billion epochs can be looked at, and named settings changed."""
    stored = {**growth_preset().to_dict(), "epochs": 10**9, "device": "xpu", "learning_rate": 1e300}
    config = GrowthConfig.from_dict(stored)
    assert config.epochs == 10**9 and config.to_dict() == stored
    assert config.change(seed=3).epochs == 10**9
    with pytest.raises(ConfigError, match="epochs must be at most"):
        config.change(epochs=10**9)


def test_a_network_made_to_match_is_as_large_as_what_was_found():
    found = Found(topology=(5,), parameters=10**9, epochs=5 * 10**6)
    config = CONTENDERS["matched-gcn"].match(
        study_growth(), found, catalogue_facts(GraphSource(name="cora", dims=1))
    )
    assert isinstance(config, GCNConfig) and config.epochs == 5 * 10**6 and config.hidden[0] > 10**7


@CASES
def test_any_graph_that_is_asked_for_is_made_or_refused(cases):
    options = st.dictionaries(st.sampled_from(["nodes", "classes", "features", "topic", "seed", "x"]), VALUES)
    how = {"split": VALUES | TEXTS, "seed": VALUES, "dims": VALUES}
    asked = st.tuples(VALUES | st.sampled_from(["karate", "synthetic"]), st.fixed_dictionaries({}, optional=how))

    def check(case):
        (name, how), more = case
        try:
            graph = load_graph(name, **{"nodes": 40, "classes": 2, "features": 5, **more, **how})
        except PgcnError as refused:
            assert_sentence(refused)
        else:
            assert graph.num_nodes <= 20_000_000
        try:
            catalogue_facts(GraphSource.of("synthetic", **{**more, **how}))
        except PgcnError as refused:
            assert_sentence(refused)

    attack(st.tuples(asked, options), check, cases)


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": 10**9},
        {"nodes": 20_000_000, "words_per_node": 1000},
        {"nodes": 20_000_000, "average_degree": 1000},
        {"features": 10**9},
        {"classes": 10**9, "nodes": 10**10},
        {"average_degree": 1e308},
    ],
    ids=str,
)
def test_a_graph_that_would_not_fit_is_refused_before_it_is_made(changes):
    with pytest.raises(ConfigError, match="at most"):
        load_graph("synthetic", **changes)


def test_five_million_nodes_are_possible():
    assert SyntheticConfig(nodes=5_000_000, average_degree=20.0).nodes == 5_000_000


@pytest.mark.parametrize("text", ["random:0", "random:-5", "random:" + "9" * 5000, "fraction:nan", "fraction:inf"])
def test_a_split_of_impossible_numbers_is_refused_when_it_is_read(text):
    with pytest.raises(ConfigError):
        parse_split(text)
    with pytest.raises(ConfigError):
        catalogue_facts(GraphSource(name="cora", split=text))


@CASES
def test_any_study_is_small_enough_or_refused(cases):
    numbers = st.lists(st.integers(1, 500) | VALUES, max_size=5).map(tuple) | VALUES
    many = st.sampled_from([tuple(range(1, 501)), (5,) * 10**5, tuple(range(1, 10**5))])
    asked = st.fixed_dictionaries(
        {},
        optional={
            "dims": numbers | many,
            "rates": numbers | many,
            "experiments": VALUES | st.sampled_from([1, 100, 1000, 10**8, 10**18]),
            "methods": VALUES | st.lists(st.sampled_from(sorted(CONTENDERS))).map(tuple) | many,
        },
    )

    def check(how):
        try:
            study = Study(dataset="synthetic", **how)
        except PgcnError as refused:
            assert_sentence(refused)
        else:
            assert len(study.tasks()) <= 60_000

    attack(asked, check, cases)


@CASES
def test_any_embedding_is_planned_or_refused(cases):
    names = [spec.name for spec in dataclasses.fields(EmbeddingConfig)]

    def check(values):
        try:
            config = EmbeddingConfig(**values)
        except PgcnError as refused:
            assert_sentence(refused)
        else:
            assert config.nodes in ("auto", "all") or 10 <= config.nodes <= 10**6
            assert config.perplexity is None or 2 <= config.perplexity <= 10**6

    attack(st.dictionaries(st.sampled_from(names), VALUES, max_size=3), check, cases)


@pytest.mark.parametrize("how", [{"report_every": 0}, {"report_every": "x"}, {"workers": 0}, {"workers": 10**9}])
def test_how_runs_are_started_is_checked(how):
    graph = load_graph("karate")
    with pytest.raises(ConfigError, match=f"{next(iter(how))} must be"):
        train_many("sgc", graph, [METHODS["sgc"].config()], **how)
    with pytest.raises(ConfigError, match="at most 10,000"):
        train_many("sgc", graph, [METHODS["sgc"].config()] * 10_001)
    with pytest.raises(ConfigError, match="device 'cuda:99' cannot be used here"):
        train("sgc", graph, device="cuda:99").finish()


@pytest.mark.parametrize("size", [0, -1, 1, 2.5, math.nan, math.inf, "x", None])
def test_a_change_of_weights_of_impossible_size_is_refused(size):
    with pytest.raises(ConfigError, match="size must be"):
        perturbed_configs(growth_preset(), 2, size)


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory&uri=true",
        "x\0y",
        "sqlite:///b.db?vfs=memdb&uri=true",
    ],
)
def test_a_store_that_would_be_forgotten_is_refused(url):
    with pytest.raises(PgcnError, match=r"in memory and forgotten|printable"):
        check_store_address(url)


def test_a_store_in_a_file_is_welcome(tmp_path):
    for url in (f"sqlite:///{tmp_path / 'runs.db'}", "sqlite:///runs.db", "postgresql+psycopg://me@host/runs"):
        check_store_address(url)


def test_a_stored_run_beyond_the_bounds_is_a_run():
    """What an earlier version had stored becomes a run again, whatever its settings."""
    from pgcn.methods.run_events import run_started

    started = run_started(load_graph("karate"), "pgcn", growth_preset())
    beyond = dataclasses.replace(started, config={**started.config, "epochs": 10**9, "max_width": 10**7})
    assert RunSpec.of(beyond).config.epochs == 10**9
