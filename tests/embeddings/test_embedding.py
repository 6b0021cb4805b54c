"""Maps of a run's features: aligned, repeatable, kept by content, and honest about what cannot be mapped."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from pgcn.cli import main
from pgcn.data import load_graph
from pgcn.embeddings.embed import EmbeddingMade, EmbeddingProgressed, embed, gcn_model
from pgcn.embeddings.estimate import embedding_memory, embedding_seconds
from pgcn.embeddings.metrics import aligned, knn_accuracy, median_move, separation, silhouette
from pgcn.embeddings.nodes import described_nodes
from pgcn.embeddings.plan import EmbeddingConfig, digest, plan_embedding
from pgcn.embeddings.preview import Preview, principal_components
from pgcn.embeddings.reduce import (
    checked_features,
    library_version,
    nearest_neighbours,
    perplexity_for,
    reduce_features,
)
from pgcn.embeddings.stability import measure_moves, middle
from pgcn.embeddings.steps import chosen_nodes, chosen_steps, input_features, stratified
from pgcn.errors import ConfigError, GraphError, StoreError
from pgcn.execution.jobs import Job
from pgcn.execution.recorder import record_runs, stored_model, stored_models
from pgcn.execution.start import grow, grow_many
from pgcn.execution.work import JobStopped
from pgcn.graph import build_graph
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.store import Store
from pgcn.store.embeddings import EmbeddingCache
from pgcn.store.schema import EMBEDDINGS

SHORT = {"epochs": 20, "max_layers": 2, "max_width": 15}


def kept_run(store, graph, **changes):
    runs = grow_many(graph, [growth_preset(**{**SHORT, **changes})])
    [recorder] = record_runs(runs, store)
    runs.finish()
    return recorder.run


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'runs.db'}")


@pytest.fixture(scope="module")
def run(store):
    """A short run on a small synthetic graph."""
    graph = load_graph("synthetic", nodes=300, classes=3, features=60, average_degree=4.0, seed=1)
    return kept_run(store, graph, seed=2)


@pytest.fixture(scope="module")
def made(store, run):
    return embed(store, run, EmbeddingConfig(gcn=True)).finish()


def finished(reduction):
    """Return what a reduction comes to."""
    try:
        while True:
            next(reduction)
    except StopIteration as end:
        return end.value


def clouds(seed=0, count=90, width=5):
    """Three clouds of points and which of them each belongs to."""
    generator = np.random.default_rng(seed)
    classes = np.arange(count) % 3
    return (3 * np.eye(3, width)[classes] + generator.normal(size=(count, width))).astype(np.float32), classes


def test_silhouette_is_its_definition():
    points, classes = clouds()
    classes[0] = 3  # alone in its class
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    scores = []
    for node in range(len(points)):
        others = [i for i in range(len(points)) if classes[i] == classes[node] and i != node]
        if not others:
            scores.append(0.0)
            continue
        a = distance[node, others].mean()
        b = min(distance[node, classes == other].mean() for other in set(classes.tolist()) - {int(classes[node])})
        scores.append((b - a) / max(a, b))
    assert silhouette(points, classes) == pytest.approx(np.mean(scores), abs=1e-5)


def test_nearest_neighbour_accuracy_is_leave_one_out():
    points, classes = clouds(1)
    right = 0
    for node in range(len(points)):
        far = np.linalg.norm(points - points[node], axis=1)
        far[node] = np.inf
        votes = np.bincount(classes[np.argsort(far)[:10]], minlength=3)
        right += votes.argmax() == classes[node]
    assert knn_accuracy(points, classes) == right / len(points)


def test_separation_leaves_out_nodes_of_unknown_class_and_has_no_number_for_one_class():
    points, classes = clouds()
    known = separation(points, classes)
    noise = np.concatenate([points, 100 + points]), np.concatenate([classes, np.full(len(points), -1)])
    assert separation(*noise) == known
    assert separation(points, np.zeros(len(points), dtype=int)) == {"silhouette": None, "knn": None}


def test_aligning_undoes_a_turn_and_a_mirroring_and_moves_do_not_depend_on_scale():
    points = clouds(width=2)[0] - clouds(width=2)[0].mean(axis=0)
    turn = np.array([[np.cos(2), -np.sin(2)], [np.sin(2), np.cos(2)]]) @ np.diag([1, -1])
    assert np.allclose(aligned(points @ turn + 5, points), points, atol=1e-5)
    assert median_move(points, 7 * points + 3) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_the_same_seed_makes_the_same_map_and_a_map_begun_at_the_last_stays_near_it(method):
    points, classes = clouds(count=240)
    first, again = (finished(reduce_features(points, None, method=method)) for _ in range(2))
    assert np.array_equal(first, again) and first.shape == (240, 2) and knn_accuracy(first, classes) > 0.7
    changed = points + 0.1 * np.random.default_rng(1).normal(size=points.shape)
    assert median_move(first, finished(reduce_features(changed, first, method=method))) < 0.25


@pytest.mark.parametrize("method", ["tsne", "pca"])
def test_three_dimensions_are_made_like_two(method):
    points, classes = clouds(count=240)
    first, again = (finished(reduce_features(points, None, method=method, dimensions=3)) for _ in range(2))
    assert np.array_equal(first, again) and first.shape == (240, 3) and knn_accuracy(first, classes) > 0.7
    assert np.linalg.matrix_rank(first - first.mean(axis=0)) == 3
    narrow = finished(reduce_features(points[:, :2], None, method=method, dimensions=3))
    assert narrow.shape == (240, 3) and np.isfinite(narrow).all()
    assert median_move(first, finished(reduce_features(points, first, method=method, dimensions=3))) < 0.25


@pytest.mark.slow  # numba compiles for half a minute
def test_umap_makes_the_same_map_twice_and_goes_on_from_the_last():
    points, classes = clouds(count=240)
    first, again = (finished(reduce_features(points, None, method="umap")) for _ in range(2))
    assert np.array_equal(first, again) and knn_accuracy(first, classes) > 0.7
    assert median_move(first, finished(reduce_features(points, first, method="umap"))) < 0.5
    assert finished(reduce_features(points, None, method="umap", dimensions=3)).shape == (240, 3)


def test_there_is_a_map_for_the_input_every_accepted_step_and_the_gcn(made, store, run):
    accepted = [event.topology for event in store.events(run) if isinstance(event, BlockAccepted)]
    assert [frame.kind for frame in made.plan.frames] == ["input", *["step"] * len(accepted), "gcn"]
    assert [step.topology for step in made.plan.steps] == accepted
    assert all(kept.arrays["map"].shape == (300, 2) for kept in made.frames)


def test_nodes_have_the_numbers_classes_and_predictions_of_the_graph(made, store, run):
    graph, nodes = made.graph, made.nodes.arrays
    ids = nodes["nodes"]
    assert np.array_equal(ids, np.arange(graph.num_nodes)) and np.array_equal(nodes["y"], graph.y[ids])
    assert np.array_equal(nodes["part"] == 3, graph.test_mask.numpy())
    assert np.array_equal(nodes["degree"], np.bincount(graph.edge_index[0], minlength=300))
    first, second = nodes["edges"]
    pairs = {(int(a), int(b)) for a, b in zip(ids[first], ids[second], strict=True)}
    assert pairs == {(a, b) for a, b in graph.edge_index.T.tolist() if a < b}
    for frame, kept in zip(made.plan.frames, made.frames, strict=True):
        if frame.kind == "step":
            model = stored_models(store, run)[frame.step.number]
            outputs = torch.softmax(model(graph.x, graph.edge_index), dim=1).detach().numpy()
            assert np.array_equal(kept.arrays["predicted"], outputs.argmax(axis=1))
            assert np.allclose(kept.arrays["confidence"], outputs.max(axis=1), atol=1e-5)


def test_what_is_kept_is_what_was_made_and_another_question_has_another_key(made, store, run):
    again = embed(store, run, EmbeddingConfig(gcn=True))
    assert all(run_event.event.cached for run_event in again if isinstance(run_event.event, EmbeddingMade))
    for first, second in zip(made.frames, again.frames, strict=True):
        assert first.facts == second.facts
        assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
    questions = [{}, {"seed": 1}, {"perplexity": 20}, {"nodes": 200}, {"method": "pca"}]
    plans = [plan_embedding(store, run, EmbeddingConfig(**question)) for question in questions]
    keys = {tuple(frame.key for frame in plan.frames) for plan in plans}
    assert len(keys) == 5 and len({key for group in keys for key in group}) == sum(map(len, keys))


def test_keys_of_two_dimensions_are_what_they_were_and_three_have_keys_of_their_own(store, run):
    for method in ("tsne", "umap", "pca"):
        flat, deep = (plan_embedding(store, run, EmbeddingConfig(method=method, dimensions=d)) for d in (2, 3))
        assert flat.frames[0].key == digest(flat.nodes_key, method, None, library_version(method), "input")
        assert not {frame.key for frame in flat.frames} & {frame.key for frame in deep.frames}
        assert flat.nodes_key == deep.nodes_key
        assert [frame.logits for frame in flat.frames] == [frame.logits for frame in deep.frames]


def test_previews_and_iterates_are_shown_and_change_no_bit(made, tmp_path):
    store, preview = Store(f"sqlite:///{tmp_path / 'runs.db'}"), Preview()
    work = embed(store, kept_run(store, made.graph, seed=2), EmbeddingConfig(gcn=True), preview=preview)
    assert work.plan.frames == made.plan.frames
    iterates = {}
    for run_event in work:
        if isinstance(run_event.event, EmbeddingProgressed) and not run_event.event.frame:
            assert len(preview.frames) == len(made.plan.frames) - 1  # all but the GCN, which is not trained yet
        if preview.iterate is not None:
            iterates[preview.iterate[0]] = preview.iterate[2]
    keys = [planned.key for planned in made.plan.frames]
    assert iterates and set(iterates) <= set(keys)
    assert all(points.shape == (300, 2) for points in iterates.values())
    for planned, first, second in zip(made.plan.frames, made.frames, work.frames, strict=True):
        assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
        if planned.kind == "step":
            shown = preview.frames[planned.key].arrays
            assert np.array_equal(shown["predicted"], first.arrays["predicted"])
            assert shown["map"].shape == (300, 2) and not np.array_equal(shown["map"], first.arrays["map"])
    store.close()


def test_a_preview_is_what_pca_makes():
    points = clouds(count=240)[0]
    for dimensions in (2, 3):
        shown = principal_components(points, dimensions)
        made = finished(reduce_features(points, None, method="pca", dimensions=dimensions))
        assert np.allclose(np.abs(shown), np.abs(made), atol=1e-4)
    assert principal_components(points[:, :1], 3).shape == (240, 3)


def test_logits_are_stored_once_for_all_methods_and_added_to_embeddings_of_an_earlier_version(made, store, run):
    cache, planned = EmbeddingCache(store), [frame for frame in made.plan.frames if frame.kind == "step"]
    for frame in planned:
        model = stored_models(store, run)[frame.step.number]
        outputs = model(made.graph.x, made.graph.edge_index).detach().numpy()
        assert np.array_equal(cache.get(frame.logits).arrays["logits"], outputs)
    with store.database.writing() as connection:  # as an earlier version left it
        connection.execute(EMBEDDINGS.delete().where(EMBEDDINGS.c.key.in_([frame.logits for frame in planned])))
    again = embed(store, run, EmbeddingConfig(gcn=True))
    assert all(run_event.event.cached for run_event in again)
    assert cache.known([frame.logits for frame in planned]) == {frame.logits for frame in planned}
    assert set(made.logits()) == {frame.logits for frame in made.plan.frames if frame.kind != "input"}


def test_names_of_nodes_and_features_are_shown_where_the_graph_has_them(small_graph):
    assert not {"node_names", "feature_names"} & set(described_nodes(small_graph, EmbeddingConfig()).facts)
    features = np.tile([0.0, 1.0, 0.0, 0.0], (12, 1))
    features[3] = (0, 2, 5, 0)
    graph = build_graph(
        name="papers",
        features=features,
        edge_index=np.array([[i, (i + 1) % 12] for i in range(12)]).T,
        y=[0, 1] * 6,
        train_mask=np.arange(12) < 4,
        val_mask=np.arange(12) > 8,
        node_names=[f"paper {i}" for i in range(12)],
        feature_names=["graph", "model", "proof", "never used"],
    )
    nodes = described_nodes(graph, EmbeddingConfig())
    assert nodes.facts["node_names"] == [f"paper {i}" for i in range(12)]
    assert nodes.facts["feature_names"] == ["model", "proof"]
    words = [[nodes.facts["feature_names"][word] for word in row if word >= 0] for row in nodes.arrays["words"]]
    assert words == [["proof", "model"] if node == 3 else ["model"] for node in range(12)]


def test_work_that_was_given_up_goes_on_from_what_is_there(made, store, run):
    config = EmbeddingConfig(method="pca", seed=9)
    work = embed(store, run, config)
    while not isinstance(next(work).event, EmbeddingMade):
        pass
    assert list(work.cancel("Stopped.")) == [] and next(work, None) is None
    keys = [frame.key for frame in work.plan.frames]
    assert EmbeddingCache(store).known(keys) == {keys[0]}
    events = [run_event.event for run_event in embed(store, run, config)]
    assert [event.cached for event in events if isinstance(event, EmbeddingMade)] == [True] + [False] * (
        len(keys) - 1
    )


def test_a_job_carries_it_out_and_says_what_went_wrong(store, run):
    job = Job(lambda progress: embed(store, run, EmbeddingConfig(method="pca"), progress=progress), "me")
    job.run()
    assert job.status == "finished" and isinstance(job.events()[-1].event, EmbeddingMade)
    job = Job(lambda progress: embed(store, run, EmbeddingConfig(perplexity=250), progress=progress), "me")
    job.run()
    assert job.status == "failed" and "choose one from 2 to 99" in job.error


def test_successive_maps_move_less_than_a_quarter_of_what_maps_made_alone_do(made):
    moves = finished(measure_moves(made))
    assert len(moves) == len(made.plan.steps) - 1
    assert middle(moves, "successive") <= middle(moves, "alone") / 4 or middle(moves, "successive") < 0.05


def test_a_sample_holds_the_split_and_each_class_by_its_share():
    graph = load_graph("synthetic", nodes=6000, classes=3, features=20, average_degree=3.0, seed=0)
    nodes = chosen_nodes(graph, "auto", seed=0)
    masked = torch.nonzero(graph.train_mask | graph.val_mask | graph.test_mask).ravel().numpy()
    assert len(nodes) == 3000 and np.array_equal(nodes, np.unique(nodes))
    assert not len(np.setdiff1d(masked, nodes)) or 3 * len(masked) > 2 * 3000
    assert np.array_equal(nodes, chosen_nodes(graph, "auto", seed=0))
    assert not np.array_equal(nodes, chosen_nodes(graph, "auto", seed=1))
    assert len(chosen_nodes(graph, "all", seed=0)) == len(chosen_nodes(graph, 9000, seed=0)) == 6000
    classes = np.repeat([0, 1, 2], [10, 30, 60])
    assert np.bincount(classes[stratified(classes, 20, np.random.default_rng(0))]).tolist() == [2, 6, 12]


def test_the_perplexity_is_lowered_only_where_none_was_asked_for():
    assert perplexity_for(2708, None) == 30 and perplexity_for(34, None) == 11 and perplexity_for(34, 11) == 11
    with pytest.raises(GraphError, match=r"perplexity of 30 does not suit 34 nodes: choose one from 2 to 11"):
        perplexity_for(34, 30)
    with pytest.raises(GraphError, match="at least 7 nodes, got 5"):
        perplexity_for(5, None)


def test_features_that_cannot_be_mapped_are_refused_in_words():
    with pytest.raises(GraphError, match="All 9 nodes have the same features in step 1"):
        checked_features(np.ones((9, 3)), "step 1")
    with pytest.raises(GraphError, match="not all finite"):
        checked_features(np.full((9, 3), np.nan), "step 1")


def test_features_that_are_all_equal_have_no_map_and_say_so(tmp_path, small_graph):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    graph = small_graph.with_features(np.ones((120, 4)), note="all equal")
    run = kept_run(store, graph)
    work = embed(store, run, EmbeddingConfig(method="pca"), graph=graph).finish()
    for kept in work.frames:  # of a step, where no neuron answers
        assert ("same features" in kept.facts.get("missing", "")) == (not len(kept.arrays["map"]))
    assert "same features in the input" in work.frames[0].facts["missing"]
    with pytest.raises(StoreError, match="a graph of your own"):
        embed(store, run)


def test_a_run_without_weights_is_refused_in_words(tmp_path, small_graph):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    runs = grow_many(small_graph, [growth_preset(**SHORT)])
    [recorder] = record_runs(runs, store)
    next(runs)
    with pytest.raises(StoreError, match="Its first network is still in training"):
        embed(store, recorder.run)
    runs.cancel("Stopped by hand.")
    with pytest.raises(StoreError, match="It ended as cancelled: Stopped by hand"):
        embed(store, recorder.run)
    with pytest.raises(StoreError, match="No run has an id"):
        embed(store, "nothing")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"method": "tnse"}, "No method named 'tnse'. Choose one of: tsne, umap, pca."),
        ({"nodes": 3}, "at least 10, got 3"),
        ({"perplexity": 1.0}, "at least 2, got 1.0"),
        ({"seed": -1}, "got -1"),
        ({"dimensions": 4}, "at most 3, got 4"),
    ],
)
def test_settings_out_of_range_are_refused(values, words):
    with pytest.raises(ConfigError) as error:
        EmbeddingConfig(**values)
    assert words in str(error.value)


def test_a_step_is_named_by_its_number_or_as_the_last_that_stands(made):
    steps = made.plan.steps
    assert chosen_steps(steps, "all") == list(steps) and chosen_steps(steps, "2") == [steps[1]]
    assert chosen_steps([*steps[:2], replace(steps[0], number=3, stands=False)], "last") == [steps[1]]
    with pytest.raises(ConfigError, match=rf"No accepted step '99': this run has steps 1 to {len(steps)}"):
        chosen_steps(steps, "99")


def test_a_gcn_that_is_kept_has_one_step(tmp_path):
    from pgcn.execution.start import train_gcns
    from pgcn.methods.gcn import GCNConfig

    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    runs = train_gcns(load_graph("karate"), [GCNConfig(epochs=20)])
    [recorder] = record_runs(runs, store)
    runs.finish()
    work = embed(store, recorder.run).finish()  # 34 nodes: the perplexity is lowered by itself
    assert [step.topology for step in work.plan.steps] == [(16,)] and len(work.frames) == 2


def test_the_command_line_writes_what_was_made(made, store, run, tmp_path, monkeypatch, capsys):
    import pandas as pd

    monkeypatch.setenv("PGCN_STORE", store.url)
    table, replay = tmp_path / "embeddings.parquet", tmp_path / "replay.html"
    assert main(["embed", run[:8], "--gcn", "--out", str(table), "--html", str(replay)]) == 0
    assert "all 300 nodes" in capsys.readouterr().out and "new EmbeddingPlayer(" in replay.read_text()
    frame = pd.read_parquet(table)
    last = frame[frame.step == len(made.plan.steps)]
    kept = made.frames[len(made.plan.steps)].arrays
    assert np.array_equal(last.node, made.nodes.arrays["nodes"]) and np.array_equal(last.x, kept["map"][:, 0])
    assert np.array_equal(last.predicted, kept["predicted"])
    assert set(last.split) <= {"", "labelled", "validation", "test"}
    for wrong, words in (
        ("--step=77", "No accepted step '77'"),
        ("--out=maps.txt", "ends in .parquet or .csv"),
        ("--method=x", "No method named 'x'"),
        ("--perplexity=200", "does not suit"),
    ):
        assert main(["embed", run, wrong]) == 2
        assert words in capsys.readouterr().err


def test_input_features_are_reduced_to_fifty_components(cora):
    assert input_features(cora, np.arange(500), seed=0).shape == (500, 50)


def test_growing_alone_and_stored_give_the_same_features(store, run, made):
    alone = grow(made.graph, growth_preset(**SHORT, seed=2)).finish()
    kept = stored_model(store, run)
    assert torch.equal(kept(made.graph.x, made.graph.edge_index), alone.model(made.graph.x, made.graph.edge_index))


def test_what_a_perplexity_takes_is_estimated(store, run):
    plan = plan_embedding(store, run, EmbeddingConfig())
    large = replace(plan, started=replace(plan.started, nodes=20_000))

    def estimate(perplexity):
        config = EmbeddingConfig(nodes="all", perplexity=perplexity)
        return embedding_memory(large, config).now, embedding_seconds(large, config, 2)

    (usual, moment), (much, long) = estimate(None), estimate(1000.0)
    # Of each of 3p neighbours t-SNE keeps about 60 bytes.
    assert estimate(30.0) == (usual, moment) and much - usual == 60 * 3 * 970 * 20_000
    assert long > 5 * moment
    pca = EmbeddingConfig(nodes="all", perplexity=1000.0, method="pca")
    assert embedding_memory(large, pca).now < usual


def test_many_neighbours_are_looked_for_part_by_part_and_are_the_same():
    features = np.random.default_rng(0).normal(size=(4500, 7))
    asked = []
    distances, nearest = nearest_neighbours(features, 250, lambda: asked.append(1))
    assert len(asked) == 2
    from sklearn.neighbors import NearestNeighbors

    whole = NearestNeighbors(n_neighbors=250).fit(features).kneighbors()
    assert np.array_equal(distances, whole[0]) and np.array_equal(nearest, whole[1])


def test_a_gcn_that_is_trained_for_an_embedding_can_be_stopped(tmp_path):
    empty = Store(f"sqlite:///{tmp_path / 'runs.db'}")

    def stop():
        raise JobStopped("Stopped.")

    with pytest.raises(JobStopped):
        gcn_model(load_graph("karate"), empty, check=stop)
    empty.close()
