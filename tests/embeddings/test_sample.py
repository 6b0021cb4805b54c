"""The graph that is drawn beside a network: the same for the same graph, and honest about what is predicted."""

import numpy as np
import pytest

from pgcn.embeddings.predictions import Predictions, read_sample
from pgcn.embeddings.sample import as_text, drawn_sample, layout, sampled_nodes
from pgcn.embeddings.steps import step_features
from pgcn.execution.recorder import record_runs, stored_models
from pgcn.execution.start import grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.recorded import recorded_events, recorded_graph
from pgcn.store import Store


@pytest.fixture(scope="module")
def sample(cora):
    part = cora.train_mask + 2 * cora.val_mask.int() + 3 * cora.test_mask.int()
    how = (cora.y.numpy(), part.numpy(), cora.class_names)
    edges = cora.edge_index.numpy()
    return drawn_sample(edges, *how, name="cora"), drawn_sample(edges[:, ::-1], *how, name="cora")


def test_the_same_graph_is_always_drawn_the_same_however_its_edges_are_listed(sample):
    assert sample[0] == sample[1]


def test_a_sample_has_every_class_training_nodes_and_edges_of_the_graph(cora, sample):
    drawn = sample[0]
    assert len(drawn["nodes"]) == len(set(drawn["nodes"])) == 240
    assert len(set(drawn["y"])) == 7 and drawn["part"].count("1") >= 7
    assert drawn["y"] == as_text(cora.y.numpy()[drawn["nodes"]])
    edges = {tuple(edge) for edge in cora.edge_index.T.tolist()}
    shown = [(drawn["nodes"][one], drawn["nodes"][two]) for one, two in zip(*drawn["edges"], strict=True)]
    assert len(shown) >= 240 and set(shown) <= edges
    assert all(0 <= place <= 1000 for places in drawn["at"] for place in places)


def test_a_small_graph_is_drawn_whole_and_one_of_loose_ends_is_filled_up():
    none = np.zeros((2, 0), dtype=int)
    assert sampled_nodes(none, np.zeros(9, int), np.ones(9, bool)).tolist() == list(range(9))
    assert len(sampled_nodes(none, np.zeros(900, int), np.zeros(900, bool))) == 240


def test_neighbours_are_drawn_nearer_than_strangers():
    ring = np.array([np.arange(30), (np.arange(30) + 1) % 30])
    at = layout(ring, np.zeros(30, int))
    far = np.linalg.norm(at[:, None] - at[None], axis=2)
    assert far[ring[0], ring[1]].mean() < 0.5 * far.mean()


def test_predictions_are_those_of_the_accepted_networks(small_graph, tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    runs = grow_many(small_graph, [growth_preset(epochs=10, max_layers=2, max_width=10)])
    [recorder] = record_runs(runs, store)
    started = runs.finish()[0].events[0]
    steps = len(store.networks(recorder.run))
    assert read_sample(store, recorder.run, started, steps) is None
    assert set(Predictions(store, recorder.run)) == {None}
    drawn = read_sample(store, recorder.run, started, steps)
    assert len(drawn["predicted"]) == steps > 1
    for step, model in stored_models(store, recorder.run).items():
        logits = step_features(model, small_graph)[drawn["nodes"]]
        assert drawn["predicted"][str(step)] == as_text(logits.argmax(axis=1))
    store.close()


def test_the_recorded_graph_has_predictions_of_every_network_of_the_recorded_run():
    accepted = sum(isinstance(event, BlockAccepted) for event in recorded_events())
    assert sorted(map(int, recorded_graph()["predicted"])) == list(range(1, accepted + 1))
