"""A method is one folder and one registry entry: what is made so is trained, stored, listed, embedded and exported.

The throwaway method was made by following CONTRIBUTING.md; SGC and GAT share nothing with PGCN's lanes either.
"""

import json

import pytest
import torch

from pgcn import GCNConfig, load_graph, load_network, train, train_many
from pgcn.cli import main
from pgcn.embeddings.embed import EmbeddingConfig, embed
from pgcn.errors import ConfigError, PgcnError
from pgcn.events import EpochsTrained, RunFinished, RunStarted
from pgcn.execution.export import network_file
from pgcn.execution.recorder import record_runs, resume_stored, stored_model
from pgcn.methods.registry import METHODS, Method
from pgcn.store import Store
from pgcn.views.batch import topology_text
from pgcn.views.compare import CURVES, comparison_figure, settings_table
from pgcn.views.embedding import embedding_replay
from pgcn.views.exports import events_as_csv, events_as_jsonl
from pgcn.views.replay import replayable

QUICK = {
    "throwaway": {},
    "sgc": {"epochs": 20},
    "gat": {"epochs": 6, "heads": 2},
    "gcn": {"epochs": 12},
    "ngcn": {"epochs": 6, "replicas": 2},
    "appnp": {"epochs": 8},
    "mlp": {"epochs": 12},
}
SMALL = {"nodes": 120, "classes": 3, "features": 40, "average_degree": 4.0}


@pytest.fixture(autouse=True)
def throwaway(monkeypatch):
    """Register the method, step 4 of CONTRIBUTING.md."""
    from methods.throwaway import ThrowawayConfig

    entry = Method(
        name="throwaway",
        title="Throwaway",
        about="a linear layer on the features",
        config=ThrowawayConfig,
        trainer="methods.throwaway.train",
    )
    monkeypatch.setitem(METHODS, "throwaway", entry)


@pytest.fixture
def graph():
    return load_graph("synthetic", seed=1, **SMALL)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store of its own, which is also that of the command line."""
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    kept = Store()
    yield kept
    kept.close()


def stored(store, graph, method, **changes):
    """Train and store one run; return its id and its result."""
    runs = train_many(method, graph, [METHODS[method].settings(**QUICK[method] | changes)], report_every=2)
    [recorder] = record_runs(runs, store)
    [result] = runs.finish()
    return recorder.run, result


@pytest.mark.parametrize("method", QUICK)
def test_a_run_begins_reports_and_ends_with_a_network(graph, method):
    result = train(method, graph, **QUICK[method]).finish()
    assert isinstance(result.events[0], RunStarted) and result.events[0].method == method
    assert any(isinstance(event, EpochsTrained) for event in result.events)
    assert isinstance(result.events[-1], RunFinished) and result.events[-1].status == "finished"
    assert result.parameters == sum(parameter.numel() for parameter in result.model.parameters())
    outputs = result.model(graph.x, graph.edge_index)
    assert outputs.shape == (120, 3) and result.model.predict(graph.x, graph.edge_index).shape == (120,)
    right = (outputs.argmax(dim=1) == graph.y)[graph.test_mask].double().mean().item()
    assert result.scores.test_accuracy == pytest.approx(right)


@pytest.mark.parametrize("method", QUICK)
def test_what_is_stored_saved_and_exported_gives_the_same_logits(graph, store, tmp_path, method):
    run, result = stored(store, graph, method)
    expected = result.model(graph.x, graph.edge_index)
    (tmp_path / "exported.safetensors").write_bytes(network_file(store, run))
    result.model.save(tmp_path / "saved.safetensors")
    files = [load_network(tmp_path / f"{how}.safetensors") for how in ("exported", "saved")]
    for model in (stored_model(store, run), *files):
        assert torch.equal(model(graph.x, graph.edge_index), expected)
        assert (model.method, model.config) == (method, result.config.to_dict())
    assert (tmp_path / "exported.safetensors").read_bytes() == (tmp_path / "saved.safetensors").read_bytes()


@pytest.mark.parametrize("method", QUICK)
def test_a_stored_run_is_listed_embedded_and_exported(graph, store, method):
    run, result = stored(store, graph, method)
    [row] = store.runs()
    assert (row.method, row.status, row.step) == (method, "finished", 1)
    assert (row.topology, row.parameters) == (result.topology, result.parameters)
    assert topology_text(row) == ("no hidden layer" if method in ("sgc", "throwaway") else str(*row.topology))
    assert row.scores["test_accuracy"] == result.scores.test_accuracy
    work = embed(store, run, EmbeddingConfig(method="pca")).finish()
    assert [frame.kind for frame in work.plan.frames] == ["input", "step"]
    assert work.frames[1].arrays["map"].shape == (120, 2)
    values = embedding_replay(work.plan, work.nodes, work.frames, method="pca")
    assert METHODS[method].title in values["title"] and "growing" not in values["title"]
    events = store.events(run)
    assert len(events_as_jsonl(events).splitlines()) == len(events)
    assert "val_accuracy" in events_as_csv(events)
    with pytest.raises(PgcnError, match="nothing grows"):
        replayable(events)


def test_runs_of_different_methods_are_compared(graph, store):
    runs = {method: stored(store, graph, method) for method in QUICK}
    events = {name: store.events(run) for name, (run, _) in runs.items()}
    for what in CURVES:
        figure = comparison_figure(events, what)
        assert [line["name"] for line in figure["data"]] == list(QUICK)
        assert all(len(set(line["y"])) == 1 for line in figure["data"])  # level: nothing grows
    configs = [{name: str(value) for name, value in these[0].config.items()} for these in events.values()]
    different = {name for name, cells in settings_table(configs) if any(marked for _, marked in cells)}
    assert "epochs" in different and not {"seed", "heads"} & different  # one method alone has heads


@pytest.mark.parametrize("method", ["throwaway", "sgc", "gat", "ngcn", "appnp", "mlp"])
def test_the_command_line_knows_it(graph, store, tmp_path, capsys, monkeypatch, method):
    monkeypatch.setenv("COLUMNS", "200")
    settings = ["--set", *(f"{name}={value}" for name, value in QUICK[method].items())] if QUICK[method] else []
    recipe = ["--dataset", "synthetic", "--split-seed", "1", "--with", *(f"{k}={v}" for k, v in SMALL.items())]
    assert main(["train", method, "--store", *recipe, *settings]) == 0
    out = capsys.readouterr().out
    assert f"Training {METHODS[method].title} on synthetic" in out and "parameters" in out
    [row] = store.runs()
    expected = train(method, graph, **QUICK[method]).finish()
    assert row.scores["test_loss"] == expected.scores.test_loss
    assert main(["runs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == method
    files = {name: str(tmp_path / name) for name in ("nodes.csv", "map.html", "net.safetensors", "events.csv")}
    assert main(["embed", row.id, "--method", "pca", "--out", files["nodes.csv"], "--html", files["map.html"]]) == 0
    assert main(["export", row.id, "--model", files["net.safetensors"], "--events", files["events.csv"]]) == 0
    assert torch.equal(
        load_network(files["net.safetensors"])(graph.x, graph.edge_index),
        expected.model(graph.x, graph.edge_index),
    )
    capsys.readouterr()
    assert main(["settings"]) == 0 and f"pgcn train {method}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "method", ["gat", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sgc", "ngcn", "appnp", "mlp"))]
)
def test_runs_divided_among_processes_are_the_same(graph, method):
    configs = [METHODS[method].settings(**QUICK[method], seed=seed) for seed in range(2)]
    divided = train_many(method, graph, configs, workers=2).finish()
    for config, there in zip(configs, divided, strict=True):
        here = train(method, graph, config).finish()
        assert here.scores == there.scores
        weights = zip(here.model.parameters(), there.model.parameters(), strict=True)
        assert all(torch.equal(one, other) for one, other in weights)


def test_a_run_that_fails_or_is_cancelled_is_listed_without_a_network(graph, store):
    failed, result = stored(store, graph, "gat", learning_rate=1e30)
    assert result.finished.status == "failed"
    runs = train_many("gat", graph, [METHODS["gat"].settings()], report_every=1)
    [recorder] = record_runs(runs, store)
    while not isinstance(next(runs).event, EpochsTrained):
        pass
    runs.cancel()
    for run, status in ((failed, "failed"), (recorder.run, "cancelled")):
        assert store.run(run).status == status and store.run(run).step is None
        with pytest.raises(PgcnError, match="no network"):
            network_file(store, run)
        with pytest.raises(PgcnError, match="nothing has been accepted"):
            embed(store, run, EmbeddingConfig(method="pca"))
    with pytest.raises(PgcnError, match="cannot be resumed"):
        resume_stored(store, recorder.run)


def test_what_does_not_fit_is_refused(graph):
    with pytest.raises(ConfigError, match=r"No method named 'gta'\. Choose one of: pgcn, gcn, sgc, gat"):
        train("gta", graph)
    with pytest.raises(ConfigError, match="The settings of GAT are a GATConfig, got a GCNConfig"):
        train("gat", graph, GCNConfig())
    with pytest.raises(ConfigError, match="a config or a preset"):
        train("gat", graph, METHODS["gat"].settings(), preset="pubmed")
    with pytest.raises(ConfigError, match="GCN has no presets, got 'pubmed'"):
        train("gcn", graph, preset="pubmed")


def test_the_published_settings_of_a_data_set_are_a_preset_of_the_method():
    assert METHODS["gat"].preset_for("cora") == METHODS["gat"].preset == "citation"
    assert METHODS["gat"].settings(METHODS["gat"].preset_for("pubmed")).output_heads == 8
    assert METHODS["sgc"].settings(METHODS["sgc"].preset_for("citeseer")).epochs == 150
    assert METHODS["gcn"].preset_for("cora") == ""
    for method in METHODS.values():
        assert set(method.published.values()) <= set(method.presets)


def test_train_starts_what_grow_and_train_gcn_start(graph):
    from pgcn import grow, growth_preset, train_gcn

    short = {"epochs": 10, "max_layers": 1, "max_width": 10}
    grown = train("pgcn", graph, **short).finish()
    assert grown.scores == grow(graph, growth_preset(**short)).finish().scores
    assert train("gcn", graph, epochs=10).finish().scores == train_gcn(graph, GCNConfig(epochs=10)).finish().scores
