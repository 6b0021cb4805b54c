"""The replay of a run shows what its events say."""

import itertools
import json
import re
from dataclasses import replace

import pytest

from pgcn import load_graph
from pgcn.errors import PgcnError
from pgcn.events import EpochsTrained
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockJudged, BlockProposed, BlockRejected, LayerJudged, LayerRejected
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.pgcn.steps import accepted_blocks
from pgcn.recorded import recorded_embeddings
from pgcn.views.event_log import frames_of
from pgcn.views.replay import MOST_POINTS, replay, thinned, write_replay


@pytest.fixture(scope="module")
def events(cora):
    return grow(cora, growth_preset(epochs=30, max_layers=3, max_width=15, seed=1)).finish().events


def widths(frame, *statuses):
    """Return the neurons of each layer, counting blocks of these statuses."""
    layers = {}
    for block in frame.blocks:
        if block.status in statuses:
            layers[block.layer] = layers.get(block.layer, 0) + block.width
    return tuple(layers[layer] for layer in sorted(layers))


def test_every_frame_shows_the_topology_of_its_event(events):
    frames = frames_of(events)
    seen = [event for event in events[1:] if not isinstance(event, EpochsTrained)]
    assert len(frames) == len(seen) + 1
    for event, frame in zip(seen, frames[1:], strict=True):
        counted = ("accepted", "candidate") if isinstance(event, BlockProposed) else ("accepted",)
        assert widths(frame, *counted) == event.topology
        if isinstance(event, BlockJudged | LayerJudged):
            assert frame.sentence == decision_sentence(event, events[0])


def test_what_is_rejected_is_crossed_out_once_and_tallied(events):
    frames = frames_of(events)
    rejected = sum(isinstance(event, BlockRejected) for event in events)
    assert rejected > 0 and sum(frames[-1].rejected.values()) == rejected
    assert any(isinstance(event, LayerRejected) for event in events)
    for before, after in itertools.pairwise(frames):
        crossed = {(b.layer, b.number) for b in before.blocks if b.status == "rejected"}
        assert not crossed & {(b.layer, b.number) for b in after.blocks if b.status == "rejected"}


def test_the_log_has_one_row_for_each_block_and_says_by_how_much(events):
    frames, tried = frames_of(events), sum(isinstance(event, BlockProposed) for event in events)
    rows = {frame.row: frame.short for frame in frames}  # what each row says in the end
    assert sorted(rows) == list(range(len(rows)))
    blocks = [short for short in rows.values() if "·B" in short]
    assert len(blocks) == tried == sum(isinstance(event, BlockJudged) for event in events)
    percents = r"[\d.]+( → [\d.]+)? %"
    row = rf"L\d+(·B\d+)? (accepted|rejected), {percents}(, [+±−]\d+ of 500 nodes)?"
    others = {"Run started", "Run finished"}
    assert all(re.fullmatch(row, short) for short in rows.values() if short not in others)


def test_the_network_of_a_frame_is_the_accepted_one_that_stands(events):
    steps = accepted_blocks(events)
    for frame in frames_of(events):
        assert frame.topology == (steps[frame.network - 1].topology if frame.network else ())
    last = [step.number for step in steps if step.stands][-1]
    assert frames_of(events)[-1].network == last


def test_the_tooltip_of_a_block_has_its_numbers_and_the_reason(events):
    frame = next(f for f in frames_of(events) if f.blocks and f.blocks[-1].status == "rejected")
    for fact in ("5 neurons", "validation accuracy", "parameters", "error E", "r_b =", "rejected"):
        assert fact in frame.blocks[-1].about


def test_the_replay_has_every_frame_and_refers_to_blocks_it_knows(events):
    values = replay(events, name="a")
    frames = frames_of(events)
    assert [frame["title"] for frame in values["frames"]] == [frame.title for frame in frames]
    tried = [event for event in events if isinstance(event, BlockProposed)]
    assert len(values["blocks"]) == len(values["losses"]) == len(tried)
    for frame in values["frames"]:
        assert all(0 <= number < len(tried) for number, _ in frame["blocks"])
    assert values["frames"][-1]["topology"] == list(events[-1].topology)
    json.dumps(values, allow_nan=False)


def test_the_replay_of_an_unfinished_run_is_the_beginning_of_the_whole_replay(events):
    whole = replay(events, name="a")
    for cut in range(1, len(events), 7):
        part = replay(events[:cut], name="a", live=True)
        count = len(part["frames"])
        assert part["frames"] == whole["frames"][:count]
        assert part["judged"]["val"] == whole["judged"]["val"][: len(part["judged"]["val"])]
        assert 0 <= part["progress"] <= 1


def test_the_replay_says_where_the_error_rose(events):
    judged = [event for event in events if isinstance(event, BlockJudged)]
    for number in replay(events, name="a")["judged"]["rises"]:
        assert judged[number].error_tuned > judged[number].error_before


def test_the_replay_needs_no_network(events, tmp_path):
    path = tmp_path / "replay.html"
    write_replay(events, path)
    page = path.read_text(encoding="utf-8")
    assert "<script src=" not in page and "Plotly" in page and "A network grows on cora" in page
    assert not re.search(r"^(import|export) ", page.split('<script type="module">')[1], flags=re.MULTILINE)


def test_a_run_in_which_nothing_happened_has_no_replay(events, tmp_path):
    with pytest.raises(PgcnError, match="nothing to replay"):
        write_replay(events[:2], tmp_path / "replay.html")
    with pytest.raises(PgcnError, match="from its beginning"):
        replay(events[3:], name="a")
    with pytest.raises(PgcnError, match="cannot be written"):
        write_replay(events, tmp_path / "no" / "replay.html")


def test_the_recorded_embeddings_speak_as_new_ones_do():
    recorded = recorded_embeddings()
    assert recorded["title"] == "t-SNE of a network growing on Cora, seed 3"
    shown = [recorded[name] for name in ("title", "words", "waiting", "state", "badge")]
    assert not re.search(r"\bmaps?\b", " ".join(shown))


def test_a_curve_of_many_epochs_is_thinned_and_its_points_stay():
    whole = [thinned(list(range(count))) for count in range(1, 5000)]
    assert all(len(values) <= MOST_POINTS for values in whole)
    assert all(values[0] == 0 and values[-1] == count for count, values in enumerate(whole))
    assert whole[498] == list(range(499))
    steps = [{later - first for first, later in itertools.pairwise(values[:-1])} for values in whole[2:]]
    assert all(len(step) <= 1 for step in steps)


def test_what_a_live_run_sends_does_not_grow_with_its_epochs():
    run = grow(load_graph("karate"), growth_preset(epochs=20, max_layers=1, max_width=5)).finish()
    at = next(number for number, event in enumerate(run.events) if isinstance(event, EpochsTrained))
    trained = [replace(run.events[at], epoch=epoch, epochs=100_000) for epoch in range(1, 20_001)]
    sent = [
        len(json.dumps(replay([*run.events[:at], *trained[:count]], name="x", live=True)))
        for count in (500, 20_000)
    ]
    assert sent[1] < 1.5 * sent[0]
