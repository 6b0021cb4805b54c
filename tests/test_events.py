"""What a later version wrote can be read: a run is its known events, with the rest passed over."""

import json

import pytest

from pgcn import grow, load_graph
from pgcn.errors import PgcnError
from pgcn.events import UnknownEvent, event_from_dict
from pgcn.methods.pgcn import GrowthConfig
from pgcn.store import Store
from pgcn.views.compare import CURVES, comparison_figure
from pgcn.views.event_log import frames_of
from pgcn.views.exports import events_as_csv, events_as_jsonl
from pgcn.views.replay import replay

LATER = {"event": "BlockPruned", "layer": 1, "scores": {"val_accuracy": 0.5}, "left": [1, [2, 3]]}
QUICK = GrowthConfig(epochs=2, max_width=10, max_layers=1)


@pytest.fixture(scope="module")
def events():
    return grow(load_graph("karate"), QUICK).finish().events


def test_fields_and_scores_of_a_later_version_are_passed_over(events):
    values = events[-1].to_dict()
    values["scores"] |= {"calibration": 0.9}
    assert event_from_dict(values | {"invented_later": [1, 2]}) == events[-1]


def test_an_event_of_an_unknown_kind_is_read_and_exported_as_it_was_stored():
    event = event_from_dict(json.loads(json.dumps(LATER)))
    assert isinstance(event, UnknownEvent) and event.kind == "BlockPruned"
    assert event.to_dict() == LATER


@pytest.mark.parametrize("values", [{}, {"event": None}, {"event": ""}, {"event": 3}])
def test_what_names_no_kind_is_no_event(values):
    with pytest.raises(PgcnError, match="must name its kind"):
        event_from_dict(values)


def test_a_stored_run_with_events_of_a_later_version_opens_and_is_shown_and_exported(tmp_path, events):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    store.save("e" * 32, (*events[:3], event_from_dict(LATER), *events[3:]), [], name="", batch="")
    read = store.events("e" * 32)
    assert [event for event in read if not isinstance(event, UnknownEvent)] == list(events)
    assert frames_of(read) == frames_of(events) and replay(read, name="a run")
    assert all(comparison_figure({"a run": read}, what) for what in CURVES)
    assert json.loads(events_as_jsonl(read).splitlines()[3]) == LATER
    assert "BlockPruned" in events_as_csv(read)
    store.close()
