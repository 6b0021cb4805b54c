"""Pictures of a run show what its events say."""

import itertools

import pytest

from pgcn.config import growth_preset
from pgcn.errors import PgcnError
from pgcn.events import BlockProposed, BlockRejected, EpochsTrained, LayerRejected
from pgcn.figures.replay import ROWS, replay_figure, write_replay
from pgcn.figures.story import snapshots
from pgcn.growth.grow import grow


@pytest.fixture(scope="module")
def events(cora):
    return grow(cora, growth_preset(epochs=30, max_layers=3, max_width=15, seed=1)).finish().events


def widths(picture, *statuses):
    """Return the neurons of each layer, counting blocks of these statuses."""
    layers = {}
    for block in picture.blocks:
        if block.status in statuses:
            layers[block.layer] = layers.get(block.layer, 0) + block.width
    return tuple(layers[layer] for layer in sorted(layers))


def test_every_picture_shows_the_topology_of_its_event(events):
    pictures = snapshots(events)
    seen = [event for event in events[1:] if not isinstance(event, EpochsTrained)]
    assert len(pictures) == len(seen) + 1
    for event, picture in zip(seen, pictures[1:], strict=True):
        counted = ("accepted", "on trial") if isinstance(event, BlockProposed) else ("accepted",)
        assert widths(picture, *counted) == event.topology
        assert picture.sentence == getattr(event, "reason", picture.sentence)


def test_what_is_rejected_is_crossed_out_once_and_tallied(events):
    pictures = snapshots(events)
    rejected = sum(isinstance(event, BlockRejected) for event in events)
    assert rejected > 0 and pictures[-1].rejected == rejected
    assert any(isinstance(event, LayerRejected) for event in events)
    for before, after in itertools.pairwise(pictures):
        crossed = {(b.layer, b.number) for b in before.blocks if b.status == "rejected"}
        assert not crossed & {(b.layer, b.number) for b in after.blocks if b.status == "rejected"}


def test_hovering_over_a_block_tells_its_numbers_and_the_reason(events):
    picture = next(p for p in snapshots(events) if p.blocks and p.blocks[-1].status == "rejected")
    for fact in ("5 neurons", "validation accuracy", "parameters", "error E", "r_b =", "taken back"):
        assert fact in picture.blocks[-1].about


def test_the_film_has_a_frame_for_every_picture_and_all_have_the_same_traces(events):
    figure = replay_figure(events)
    assert len(figure.frames) == len(snapshots(events)) == len(figure.layout.sliders[0].steps)
    assert {len(frame.data) for frame in figure.frames} == {len(figure.data)} == {len(ROWS)}
    assert all(figure.layout[axis].title.text for axis in ("xaxis2", "yaxis2", "xaxis3", "yaxis3"))


def test_the_film_needs_no_network(events, tmp_path):
    path = tmp_path / "replay.html"
    write_replay(events, path)
    page = path.read_text(encoding="utf-8")
    assert "<script src=" not in page and "Plotly" in page and "A network grows on cora" in page


def test_a_run_in_which_nothing_happened_has_no_film(events, tmp_path):
    with pytest.raises(PgcnError, match="Nothing has happened in this run yet"):
        replay_figure(events[:2])
    with pytest.raises(PgcnError, match="from its beginning"):
        replay_figure(events[3:])
    with pytest.raises(PgcnError, match="cannot be written"):
        write_replay(events, tmp_path / "no" / "replay.html")
