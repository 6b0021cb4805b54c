"""Who may do what on the pages, also by crafted events: without a browser, and against a real server."""

import logging
import urllib.error
import urllib.request

import pytest
import streamlit as st
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed
from tools import Server, wait_until
from visitor import Visitor
from websockets.exceptions import InvalidStatus

from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.ui import access
from pgcn.ui.shell import PAGES

SOURCE = GraphSource(name="karate")


def cancelled_run(store, creator):
    """Return the id of a run that somebody has stopped after its first block."""
    config = growth_preset(epochs=5, max_layers=2, max_width=10)
    work = execute([RunSpec(method="pgcn", config=config, source=SOURCE)], store, creator=creator)
    for event in work:
        if event is not None and isinstance(event.event, BlockAccepted):
            break
    work.cancel("Stopped by a test.")
    run = work.recorders[0].run
    assert store.run(run).status == "cancelled"
    return run


def state(store, run):
    stored = store.run(run)
    return stored.name, stored.note, stored.status, stored.deleted, store.events(run)


@pytest.fixture(scope="module")
def owned(tmp_path_factory):
    """A server on which runs belong to whoever made them."""
    with Server(tmp_path_factory.mktemp("owned"), PGCN_OWNERSHIP="1") as server:
        yield server


def test_nobody_changes_another_visitor_s_run_not_even_by_a_crafted_event(owned):
    store = Store(owned.store)
    with Visitor(owned) as maker, Visitor(owned) as other:
        runs = {name: cancelled_run(store, key) for name, key in (("made", maker.key), ("cli", ""))}
        for name, sentence in (("made", access.NOT_YOURS), ("cli", access.NOBODYS)):
            run = runs[name]
            before = state(store, run)
            other.open("runs", f"run={run}")
            assert other.widget("delete").disabled and other.widget(f"name_{run}").disabled
            assert sentence in other.words()
            other.run(delete=True)  # although it is disabled
            assert sentence in other.words() and state(store, run) == before
            other.open("runs", f"run={run}")
            other.run(**{f"name_{run}": "mine now", f"note_{run}": "ha", "Save name and note": True})
            assert sentence in other.words() and state(store, run) == before
            other.open("", f"run={run}")
            assert other.widget("resume_stored").disabled
            other.run(resume_stored=True)
            other.open("", f"run={run}")
            assert state(store, run) == before
        maker.open("runs", f"run={runs['made']}")
        run = runs["made"]
        maker.run(**{f"name_{run}": "a name", f"note_{run}": "a note", "Save name and note": True})
        assert state(store, run)[:2] == ("a name", "a note")
    store.close()


def test_deleting_for_good_deletes_only_one_s_own(owned):
    store = Store(owned.store)
    with Visitor(owned) as maker, Visitor(owned) as other:
        theirs, own = cancelled_run(store, maker.key), cancelled_run(store, other.key)
        maker.open("runs", f"run={theirs}")
        maker.run(delete=True)
        assert store.run(theirs).deleted
        other.open("runs")
        undo = f"undo_{theirs}"
        assert undo not in other.words()
        with pytest.raises(StopIteration):
            other.widget("purge")  # nothing of theirs is offered
        other.elements |= maker.elements  # the widget of another's page, sent from one's own
        other.run(**{undo: True})
        other.elements |= maker.elements
        other.run(purge=True)
        assert store.run(theirs).deleted
        other.open("runs", f"run={own}")
        other.run(delete=True)
        other.run(purge=True)
        assert store.run(theirs).deleted and not [run for run in store.runs(deleted=True) if run.id == own]
        maker.open("runs")
        maker.run(**{undo: True})
        assert store.run(theirs).deleted is None
    store.close()


def test_a_reload_and_a_new_server_know_a_visitor_again(owned):
    store = Store(owned.store)
    with Visitor(owned) as first:
        run = cancelled_run(store, first.key)
        with Visitor(owned, cookie=first.cookie) as again:
            again.open("runs", f"run={run}")
            assert not again.widget("delete").disabled
    with Visitor(owned, cookie="short") as nobody:  # no cookie of ours: it is a tab and nothing more
        nobody.open("runs", f"run={run}")
        assert nobody.widget("delete").disabled
    store.close()


def test_on_a_server_for_this_machine_everybody_may_change_everything(tmp_path):
    with Server(tmp_path) as server, Visitor(server) as visitor:
        store = Store(server.store)
        run = cancelled_run(store, "somebody else")
        visitor.open("runs", f"run={run}")
        visitor.run(delete=True)
        visitor.run(purge=True)
        assert not store.runs() and not store.runs(deleted=True)
        store.close()


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_whoever_came_through_a_proxy_changes_only_its_own_runs_also_where_that_says_localhost(local, header):
    store = Store(local.store)
    run = cancelled_run(store, "somebody else")
    with Visitor(local, **{header: "203.0.113.7"}) as visitor:
        visitor.open("runs", f"run={run}")
        assert visitor.widget("delete").disabled and access.NOT_YOURS in visitor.words()
        mine = cancelled_run(store, visitor.key)
        visitor.open("runs", f"run={mine}")
        assert not visitor.widget("delete").disabled
    store.close()


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A server for this machine alone."""
    with Server(tmp_path_factory.mktemp("local")) as server:
        yield server


def test_a_read_only_server_starts_changes_and_deletes_nothing(tmp_path):
    with Server(tmp_path, PGCN_READ_ONLY="1") as server, Visitor(server) as visitor:
        store = Store(server.store)
        run = cancelled_run(store, visitor.key)
        before = state(store, run)
        clicks = {
            "": ["grow"],
            f"?run={run}": ["step", "resume_stored"],
            f"runs?run={run}": ["delete"],
            f"embedding?run={run}": ["embedding_resume"],
            "arena?dataset=karate": ["arena_compute"],
            "arena?dataset=karate&view=train": ["arena_train_start"],
            "difficulty": ["study_run"],
            "difficulty?at=cora:20:50": ["study_run_place"],
            "race": ["race_start"],
            "landscape": ["study_run", "study_run_place"],
            "learn": [],
            "data": ["example_papers"],
            "data?dataset=karate": ["data_grow"],
            f"predictions?run={run}": ["predictions_compute"],
        }
        for address, keys in clicks.items():
            page, _, query = address.partition("?")
            visitor.open(page, query)
            assert access.READ_ONLY in visitor.words(), address
            for key in keys:
                visitor.open(page, query)
                assert visitor.widget(key).disabled, key
                visitor.run(**{key: True})
                assert "Read-only" in visitor.words()
        visitor.open("runs", f"run={run}")
        visitor.run(**{f"name_{run}": "changed", "Save name and note": True})
        assert [stored.id for stored in store.runs()] == [run] and state(store, run) == before
        store.close()


def test_where_a_proxy_says_who_is_there_a_run_is_that_person_s_in_every_browser(tmp_path):
    with Server(tmp_path, STREAMLIT_SERVER_TRUSTED_USER_HEADERS='{"Remote-User": "sub"}') as server:
        store = Store(server.store)
        with Visitor(server, **{"Remote-User": "ann"}) as ann, Visitor(server) as nobody:
            ann.open("", "dataset=karate&epochs=5&max_layers=1")
            ann.run(grow=True)
            wait_until(lambda: any(run.status == "finished" and run.method == "pgcn" for run in store.runs()))
            run = next(run.id for run in store.runs() if run.method == "pgcn")
            nobody.open("", "dataset=karate")
            assert nobody.widget("grow").disabled and access.LOG_IN in nobody.words()
        for name, may in (("ann", True), ("bob", False)):
            with Visitor(server, **{"Remote-User": name}) as visitor:
                visitor.open("runs", f"run={run}")
                assert visitor.widget("delete").disabled != may
        store.close()


def test_another_visitor_may_watch_a_job_by_its_link_but_not_stop_it(owned):
    with Visitor(owned) as maker, Visitor(owned) as other:
        maker.open("", "dataset=synthetic&epochs=100000")
        maker.run(grow=True)
        link = maker.address
        assert "job=" in link
        other.open("", link)
        for key in ("pause", "step", "stop"):
            assert other.widget(key).disabled
            other.run(**{key: True})
            assert access.NOT_YOURS in other.words()
        maker.open("", link)
        assert not maker.widget("stop").disabled
        maker.run(stop=True)


@pytest.mark.parametrize(("host", "known"), [("localhost", True), ("127.0.0.1", True), ("evil.example", False)])
def test_only_its_own_names_reach_the_server(owned, host, known):
    name = f"{host}:{owned.port}"
    request = urllib.request.Request(owned.url, headers={"Host": name, "Origin": f"http://{name}"})
    if known:
        with urllib.request.urlopen(request) as answer, Visitor(owned, host=name):
            assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
            assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
            cookie = answer.headers["Set-Cookie"]
            assert cookie.startswith("pgcn_visitor=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie
        return
    with pytest.raises(urllib.error.HTTPError, match="421"):
        urllib.request.urlopen(request)
    with pytest.raises(InvalidStatus):
        Visitor(owned, host=name)
    assert callable(is_host_allowed)


def test_another_site_s_script_reaches_nothing(owned):
    with pytest.raises(InvalidStatus):
        Visitor(owned, origin="http://evil.example")


@pytest.mark.parametrize(
    ("options", "environment", "owned", "warned"),
    [
        ({}, {}, False, False),
        ({}, {"PGCN_OWNERSHIP": "1"}, True, False),
        ({"server.address": "0.0.0.0"}, {}, True, True),
        ({"server.address": None}, {}, True, True),
        ({"server.address": "0.0.0.0"}, {"PGCN_OWNERSHIP": "1"}, True, False),
        ({"server.address": "0.0.0.0"}, {"PGCN_OWNERSHIP": "0"}, False, True),
        ({"server.address": "0.0.0.0"}, {"PGCN_READ_ONLY": "1"}, True, False),
        ({"server.allowedHosts": ["localhost", "class.example"]}, {}, True, True),
        ({"server.corsAllowedOrigins": ["https://class.example"]}, {}, True, True),
        ({"server.trustedUserHeaders": {"X-User": "sub"}}, {}, True, False),
        ({}, {"PGCN_OWNERSHIP": "nonsense"}, True, False),
    ],
)
def test_runs_have_owners_where_others_reach_the_server(monkeypatch, caplog, options, environment, owned, warned):
    local = {"server.address": "localhost", "server.allowedHosts": ["localhost", "127.0.0.1", "::1"]}
    monkeypatch.setattr(st, "get_option", {**local, **options}.get)
    for name in ("PGCN_OWNERSHIP", "PGCN_READ_ONLY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert access.has_ownership() == owned
    with caplog.at_level(logging.WARNING):
        access.warn_if_open()
    assert ("can be reached from other machines" in caplog.text) == warned


def test_a_server_that_others_reach_says_so_when_it_starts(tmp_path):
    server = Server(tmp_path, STREAMLIT_SERVER_ADDRESS="127.0.0.2")  # not a name of this machine alone
    try:
        wait_until(lambda: "can be reached from other machines" in server.log.read_text(), 60)
    finally:
        server.kill()


def test_every_page_says_what_may_be_done():
    assert set(PAGES) == {  # those tried above
        "grow",
        "embedding",
        "arena",
        "difficulty",
        "race",
        "landscape",
        "runs",
        "data",
        "predictions",
        "learn",
    }
