"""A graph that is deleted is in no list, comes back whole, and gives its name up to another."""

import pytest

from pgcn import load_graph
from pgcn.errors import StoreError
from pgcn.store import Store


@pytest.fixture
def store(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    yield store
    store.close()


def test_a_deleted_graph_is_found_by_its_content_alone_and_comes_back_as_it_was(store):
    source = store.add_graph(load_graph("karate"), name="mine", origin="club.csv", creator="me")
    before, data = store.stored_graphs()["mine"], store.graph_bytes(source)
    store.delete_graph("mine")
    assert store.stored_graphs() == {} and store.stored_graphs(deleted=True)["mine"].deleted is not None
    assert store.graph_bytes(source) == data  # its runs go on
    store.restore_graph("mine")
    assert store.stored_graphs()["mine"] == before and store.graph_bytes(source) == data
    assert (before.origin, before.creator, before.facts["nodes"]) == ("club.csv", "me", 34)
    with pytest.raises(StoreError, match="No stored graph is called 'hers'"):
        store.delete_graph("hers")


def test_a_deleted_graph_gives_its_name_up_and_is_back_when_it_is_added_again(store):
    karate = load_graph("karate")
    store.add_graph(karate, name="mine")
    store.delete_graph("mine")
    store.add_graph(karate, name="again")
    assert list(store.stored_graphs()) == ["again"] and not store.stored_graphs(deleted=True)


def test_whoever_takes_the_name_of_a_deleted_graph_takes_nothing_else_of_it(store):
    """Its runs still find it, and whoever deleted it can have it back, under another name."""
    source = store.add_graph(load_graph("karate"), name="again", creator="me")
    data = store.graph_bytes(source)
    store.delete_graph("again")
    other = store.add_graph(load_graph("synthetic", nodes=60), name="again", creator="another")
    assert store.stored_graphs()["again"].content == other.content
    assert store.graph_bytes(source) == data
    [deleted] = store.stored_graphs(deleted=True).values()
    assert deleted.name.startswith("again (") and (deleted.content, deleted.creator) == (source.content, "me")
    store.restore_graph(deleted.name)
    assert store.graph_bytes(store.stored_graphs()[deleted.name].source) == data
