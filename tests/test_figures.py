"""Pictures of a run show what its events say."""

import itertools
import json
import re

import pytest

from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, BlockProposed, BlockRejected, EpochsTrained, LayerJudged, LayerRejected
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.views.film import film, write_film
from pgcn.views.story import snapshots


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
        counted = ("accepted", "candidate") if isinstance(event, BlockProposed) else ("accepted",)
        assert widths(picture, *counted) == event.topology
        if isinstance(event, BlockJudged | LayerJudged):
            assert picture.sentence == decision_sentence(event, events[0])


def test_what_is_rejected_is_crossed_out_once_and_tallied(events):
    pictures = snapshots(events)
    rejected = sum(isinstance(event, BlockRejected) for event in events)
    assert rejected > 0 and sum(pictures[-1].rejected.values()) == rejected
    assert any(isinstance(event, LayerRejected) for event in events)
    for before, after in itertools.pairwise(pictures):
        crossed = {(b.layer, b.number) for b in before.blocks if b.status == "rejected"}
        assert not crossed & {(b.layer, b.number) for b in after.blocks if b.status == "rejected"}


def test_hovering_over_a_block_tells_its_numbers_and_the_reason(events):
    picture = next(p for p in snapshots(events) if p.blocks and p.blocks[-1].status == "rejected")
    for fact in ("5 neurons", "validation accuracy", "parameters", "error E", "r_b =", "rejected"):
        assert fact in picture.blocks[-1].about


def test_the_film_has_every_picture_and_refers_to_blocks_it_knows(events):
    values = film(events, name="a")
    pictures = snapshots(events)
    assert [picture["title"] for picture in values["pictures"]] == [picture.title for picture in pictures]
    tried = [event for event in events if isinstance(event, BlockProposed)]
    assert len(values["blocks"]) == len(values["losses"]) == len(tried)
    for picture in values["pictures"]:
        assert all(0 <= number < len(tried) for number, _ in picture["blocks"])
    assert values["pictures"][-1]["topology"] == list(events[-1].topology)
    json.dumps(values, allow_nan=False)


def test_a_film_of_a_run_on_its_way_begins_as_the_film_of_the_whole(events):
    whole = film(events, name="a")
    for cut in range(1, len(events), 7):
        part = film(events[:cut], name="a", live=True)
        count = len(part["pictures"])
        assert part["pictures"] == whole["pictures"][:count]
        assert part["judged"]["val"] == whole["judged"]["val"][: len(part["judged"]["val"])]
        assert 0 <= part["progress"] <= 1


def test_the_film_says_where_the_error_rose(events):
    judged = [event for event in events if isinstance(event, BlockJudged)]
    for number in film(events, name="a")["judged"]["rises"]:
        assert judged[number].error_tuned > judged[number].error_before


def test_the_film_needs_no_network(events, tmp_path):
    path = tmp_path / "film.html"
    write_film(events, path)
    page = path.read_text(encoding="utf-8")
    assert "<script src=" not in page and "Plotly" in page and "A network grows on cora" in page
    assert not re.search(r"^(import|export) ", page.split('<script type="module">')[1], flags=re.MULTILINE)


def test_a_run_in_which_nothing_happened_has_no_film(events, tmp_path):
    with pytest.raises(PgcnError, match="Nothing has happened in this run yet"):
        write_film(events[:2], tmp_path / "film.html")
    with pytest.raises(PgcnError, match="from its beginning"):
        film(events[3:], name="a")
    with pytest.raises(PgcnError, match="cannot be written"):
        write_film(events, tmp_path / "no" / "film.html")
