"""Hostile names and links in a real browser: nothing is fetched, nothing runs, nothing can be clicked."""

import dataclasses
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hostile import NAMES
from tools import Server, at_rest, press, unexpected, wait_until, watched_tab

from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store
from pgcn.ui.access import NOT_YOURS
from pgcn.ui.arena.question import JOBS
from pgcn.ui.arena.question import NAMES as ARENA
from pgcn.ui.difficulty.question import READERS
from pgcn.ui.embedding.session import IN_THE_BROWSER, SETTINGS
from pgcn.ui.grow.settings import Settings
from pgcn.ui.landscape.question import READERS as LANDSCAPE

PLAIN = """
import sys
import streamlit as st
sys.path.insert(0, {tests!r})
from hostile import NAMES
from pgcn.ui.text import plain
for i, name in enumerate(NAMES):
    with st.container(key=f"as_{{i}}"):
        st.markdown(plain(name))
        st.error(plain(name))
        st.button(plain(name), key=f"button_{{i}}")
        st.markdown(f"**{{plain(name)}}**: in a sentence")
        st.progress(0.5, text=plain(name))
        st.segmented_control("x", [name], format_func=plain, key=f"control_{{i}}")
        st.select_slider(plain(name), [1, 2], key=f"slider_{{i}}")
        st.multiselect("x", [name], default=[name], key=f"several_{{i}}")
        st.markdown("| a | b |\\n|---|---|\\n| " + plain(name) + " | 2 |")
st.text("All are shown.")
"""
FORMATTED = (
    "a[href]:not([href^='#']), img, .katex, code, em, del, blockquote, li, hr, h1, h2, [data-testid=stIconMaterial]"
)


def shown(part):
    """Return the words of a part of a page, without what has no width."""
    return " ".join(part.inner_text().replace("\u2060", "").split())


@pytest.fixture
def nothing_lives(tabs):
    """Return a check of a page: nothing came from elsewhere, no script ran, no name is a link or an image."""

    def check(page):
        assert unexpected(tabs.errors) == []
        assert page.evaluate("window.hostile") is None
        assert page.locator("a[href*='invalid'], img[src*='invalid'], .katex-error").count() == 0

    return check


def test_text_is_shown_to_the_letter_wherever_streamlit_reads_markdown(tmp_path, tabs, nothing_lives):
    script = tmp_path / "plain.py"
    script.write_text(PLAIN.format(tests=str(Path(__file__).parents[1])))
    with Server(tmp_path, script=script) as server:
        page = tabs(server.url)
        page.get_by_text("All are shown.").wait_for()
        for number, name in enumerate(NAMES):
            part = page.locator(f".st-key-as_{number}")
            wait_until(lambda part=part, name=name: shown(part).count(" ".join(name.split())) == 9)
            assert part.locator(FORMATTED).count() == 0
        nothing_lives(page)
        tabs.close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, small_graph):
    """A server with runs on graphs whose names, classes and notes are of the kind."""
    with Server(tmp_path_factory.mktemp("hostile")) as server:
        store = Store(server.store)
        config = growth_preset(epochs=3, max_layers=1, max_width=5)
        classes = tuple(NAMES[number] for number in (0, 6, 7))
        server.runs = []
        for number in (6, 9, 24):
            graph = dataclasses.replace(small_graph, class_names=classes)
            source = store.add_graph(graph, name=NAMES[number])
            work = execute([RunSpec(method="pgcn", config=config, source=source)], store)
            work.finish()
            server.runs.append(work.recorders[0].run)
            store.change(server.runs[-1], name=NAMES[number], note=NAMES[number])
            if number != 24:
                store.remove_graph(NAMES[number])
        store.close()
        yield server


def test_links_full_of_such_names_open_ordinary_pages(hostile, tabs, nothing_lives):
    parameters = {
        "": (*Settings.OWN, *Settings.GROWTH, "run", "at", "<b>x"),
        "embedding": (*SETTINGS, *IN_THE_BROWSER, "run", "![x](http://pgcn.invalid/q.png)"),
        "arena": (*ARENA, *JOBS, "$x$"),
        "difficulty": (*READERS, "$x$", "dropout"),
        "landscape": (*LANDSCAPE, "$x$", "dropout"),
        "runs": ("run",),
        "learn": ("stop", "at", "node"),
    }
    for page_name, names in parameters.items():
        for turn in range(0, len(NAMES), 14):
            query = {name: NAMES[(turn + number) % len(NAMES)] for number, name in enumerate(names)}
            page = tabs(f"{hostile.url}/{page_name}?{urlencode(query)}")
            page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
            page.locator(".stAlert, .pgcn, [data-testid=stDataFrame]").first.wait_for()
            nothing_lives(page)
            tabs.close()


def test_runs_of_such_names_are_shown_compared_embedded_and_exported(hostile, tabs, nothing_lives, tmp_path):
    for run in hostile.runs:
        page = tabs(f"{hostile.url}/runs?run={run}")
        page.locator(".st-key-one_run").wait_for()
        nothing_lives(page)
        press(page, "export")
        with page.expect_download() as download:
            page.get_by_text("Replay as a web page").click()
        file = tmp_path / "replay.html"
        download.value.save_as(file)
        alone = tabs(file.as_uri())
        alone.locator(".pgcn .network").wait_for()  # not blank
        nothing_lives(alone)
        tabs.close()
        page = tabs(f"{hostile.url}/?run={run}")
        page.locator(".st-key-summary").wait_for()
        nothing_lives(page)
        page = tabs(f"{hostile.url}/embedding?run={run}&method=pca")
        page.locator(".pgcn canvas, .st-key-embedding_resume").first.wait_for()
        if page.locator(".st-key-embedding_resume").count():
            press(page, "embedding_resume")
        page.locator(".pgcn canvas").first.wait_for()
        nothing_lives(page)
        tabs.close()
    page = tabs(f"{hostile.url}/runs")
    page.get_by_label("Select all").check()
    page.locator(".pgcn-table").first.wait_for()
    assert page.locator(".pgcn-table a, .pgcn.runs a").count() == 0
    assert "http://pgcn.invalid" in page.locator(".pgcn.runs").text_content()
    nothing_lives(page)


def test_no_other_site_can_frame_a_page(hostile, chromium, tmp_path):
    frame = tmp_path / "frame.html"
    frame.write_text(f'<iframe src="{hostile.url}"></iframe>')
    errors = []
    page = watched_tab(chromium, errors)
    page.goto(frame.as_uri())
    page.wait_for_timeout(1000)
    assert any("frame-ancestors" in error or "X-Frame-Options" in error for error in errors)
    page.close()


def test_two_visitors_of_one_server_change_only_their_own_runs(tmp_path, chromium):
    errors = []
    with Server(tmp_path, PGCN_OWNERSHIP="1") as server:
        store = Store(server.store)
        one, two = (watched_tab(chromium.new_context(), errors) for _ in range(2))
        one.goto(f"{server.url}/?dataset=karate&epochs=20&max_layers=1&max_width=5")
        press(one, "grow")
        one.locator(".st-key-summary").wait_for(timeout=60_000)
        run = next(run.id for run in store.runs() if run.method == "pgcn")
        assert store.run(run).creator
        two.goto(f"{server.url}/runs?run={run}")
        two.locator(".st-key-one_run").wait_for()
        assert two.locator(".st-key-delete button").first.is_disabled()
        assert NOT_YOURS in two.locator(".st-key-one_run").inner_text()
        assert two.locator(f".st-key-name_{run} input").is_disabled()
        for script in (  # as one would with the tools of a browser
            "document.querySelector('.st-key-delete button').disabled = false",
            "document.querySelector('.st-key-delete button').click()",
        ):
            two.evaluate(script)
        two.wait_for_timeout(500)
        assert store.run(run).deleted is None
        one.goto(f"{server.url}/runs?run={run}")
        one.reload()
        one.locator(f".st-key-name_{run} input").fill("mine")
        one.get_by_text("Save name and note").click()
        wait_until(lambda: store.run(run).name == "mine")
        press(one, "delete")
        wait_until(lambda: store.run(run).deleted)
        two.reload()
        two.locator("[data-testid=stMain]").get_by_text("Runs", exact=True).first.wait_for()
        two.wait_for_timeout(500)
        assert two.locator(".st-key-deleted").count() == 0
        one.locator(".st-key-one_run").wait_for(state="detached")  # what is below it has moved up
        at_rest(one)
        one.locator(".st-key-deleted summary").click()
        press(one, "purge")
        one.locator(".st-key-deleted").wait_for(state="detached")
        assert not store.runs(deleted=True)
        store.close()
        assert unexpected(errors) == []
        for page in (one, two):
            page.context.close()
