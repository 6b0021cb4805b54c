"""The Embedding page in a real browser: maps that play, a lasso, a matrix, and one number for each node in all."""

import csv
import io
import os
import subprocess
import sys

import pytest
from tools import Server, address, press, wait_until

from pgcn.data import load_graph
from pgcn.embeddings.embed import EmbeddingConfig, embed
from pgcn.execution.recorder import record_runs
from pgcn.execution.start import grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store


@pytest.fixture(scope="module")
def run(server, cora):
    """A short stored run on Cora."""
    runs = grow_many(cora, [growth_preset(epochs=30, max_layers=2, max_width=10, seed=1)])
    [recorder] = record_runs(runs, Store(server.store))
    runs.finish()
    return recorder.run


@pytest.fixture(scope="module")
def made(server, run):
    """Its maps by PCA, which are there when the page asks."""
    return embed(Store(server.store), run, EmbeddingConfig(method="pca")).finish()


def maps(page, fact, seconds=30):
    """Wait until a fact holds of the maps: a JavaScript expression of ``m``, their root's data."""
    page.wait_for_function(
        "() => { const e = document.querySelector('.pgcn.maps'); if (!e) return false; const m = e.dataset;"
        f" return {fact}; }}",
        timeout=1000 * seconds,
    )


def exported(page):
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text())))


def test_the_maps_of_a_run_are_made_in_the_background_and_appear_as_they_come(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run[:8]}&nodes=400&seed=5")
    page.locator(".st-key-maps_stop").wait_for()
    press(page, "maps_stop")
    page.locator(".st-key-maps_go_on").wait_for()
    page.get_by_text("maps are there").wait_for()
    press(page, "maps_go_on")
    maps(page, "Number(m.reached) >= 0", 150)
    page.reload()
    maps(page, "m.reached === m.steps", 120)
    page.locator(".st-key-maps_status").wait_for(state="detached")
    assert f"run={run}" in address(page)
    there = embed(Store(server.store), run, EmbeddingConfig(nodes=400, seed=5))
    assert all(said.event.kept for said in there)


def test_one_plays_through_the_steps_and_a_link_brings_the_same_view(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca&at=1", motion=True)
    maps(page, "m.cursor === '0' && m.playing === 'false'")
    page.locator(".maps .transport select").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    maps(page, "m.cursor === m.steps && m.playing === 'false'")
    step = made.plan.steps[-1]
    assert step.title in page.locator(".maps .view.step figcaption").inner_text()
    numbers = made.pictures[-1].facts["features"]
    assert f"{100 * numbers['knn']:.1f} %" in page.locator(".maps .view.step .facts").inner_text()
    page.locator(".maps .view.step canvas").focus()
    page.keyboard.press("ArrowLeft")
    maps(page, f"m.cursor === '{step.number - 2}'")
    page.get_by_label("Colour by").select_option("confidence")
    assert "from 97 %" in page.locator(".maps .legend").inner_text()
    page.locator(".maps .legend button").first.click()
    assert page.locator(".maps .legend button").first.get_attribute("aria-pressed") == "false"
    wait_until(lambda: "colour=confidence" in address(page))
    other = tabs(address(page))
    maps(other, f"m.cursor === '{step.number - 2}'")
    assert other.get_by_label("Colour by").input_value() == "confidence"


def test_a_node_has_one_number_in_map_matrix_file_and_graph(server, tabs, run, made, cora):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca&at=2")
    maps(page, "m.cursor === '1'")
    predicted = made.pictures[2].arrays["predicted"]
    cells = {}
    for node in cora.test_mask.nonzero().ravel().tolist():
        cells.setdefault((int(cora.y[node]), int(predicted[node])), []).append(node)
    (true, guess), nodes = max(cells.items(), key=lambda cell: len(cell[1]) * (cell[0][0] != cell[0][1]))
    cell = page.locator(f".maps [data-cell='{true}-{guess}']")
    assert cell.inner_text() == str(len(nodes))
    cell.click()
    maps(page, f"m.selected === '{len(nodes)}'")
    rows = exported(page)
    assert [int(row["node"]) for row in rows] == nodes
    for row in rows:
        node = int(row["node"])
        assert int(row["label"]) == int(cora.y[node]) == true and int(row["predicted"]) == guess
        assert row["class"] == cora.class_names[true] and row["split"] == "test"
        assert int(row["degree"]) == int((cora.edge_index[0] == node).sum())
    page.get_by_label("Find a node").fill(str(nodes[0]))
    page.keyboard.press("Enter")
    maps(page, f"m.node === '{nodes[0]}'")
    near = cora.edge_index[1][cora.edge_index[0] == nodes[0]].tolist()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Find a node").fill(str(nodes[0]))
    page.keyboard.press("Enter")
    assert [int(row["node"]) for row in exported(page)] == [nodes[0], *near]
    page.get_by_label("Find a node").fill("2708")
    page.keyboard.press("Enter")
    assert "0 to 2707" in page.get_by_label("Find a node").evaluate("node => node.validationMessage")
    place = page.evaluate(
        """id => { const m = document.querySelector('.maps'); const view = m.maps.views.step;
        const [x, y] = view.at(m.maps.position.get(id)); const box = view.canvas.getBoundingClientRect();
        return [box.left + x / view.dots, box.top + y / view.dots]; }""",
        nodes[0],
    )
    page.mouse.move(*place)
    page.locator(".maps .tip.shown").wait_for()


def test_a_lasso_selects_what_is_inside_and_the_file_says_so(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca")
    maps(page, "Number(m.cursor) >= 0")
    box = page.locator(".maps .view.step canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 60, y - 60)
    page.mouse.down()
    for corner in ((60, -60), (60, 60), (-60, 60)):
        page.mouse.move(x + corner[0], y + corner[1], steps=4)
    page.mouse.up()
    maps(page, "Number(m.selected) > 0")
    inside = page.evaluate(
        """([x, y]) => { const { views, film } = document.querySelector('.maps').maps, view = views.step;
        const box = view.canvas.getBoundingClientRect();
        const near = (_, i) => { const [a, b] = view.at(i);
          return Math.abs(box.left + a / view.dots - x) < 60 && Math.abs(box.top + b / view.dots - y) < 60; };
        return Array.from(film.nodes).filter(near); }""",
        [x, y],
    )
    assert [int(row["node"]) for row in exported(page)] == inside
    page.keyboard.press("Escape")


def test_the_page_opens_from_a_run_and_from_the_list_of_pages(server, tabs):
    store = Store(server.store)
    runs = grow_many(
        load_graph("synthetic", nodes=200, classes=3), [growth_preset(epochs=5, max_layers=1, max_width=5)]
    )
    [recorder] = record_runs(runs, store)
    runs.finish()
    embed(store, recorder.run).finish()
    page = tabs(f"{server.url}/runs?run={recorder.run}")
    press(page, "embedding")
    maps(page, "m.reached === m.steps", 150)
    assert f"run={recorder.run}" in address(page)
    page.get_by_role("link", name="Grow").click()
    page.locator(".pgcn .network").wait_for()
    page.get_by_role("link", name="Embedding").click()
    maps(page, "m.reached === m.steps")
    assert "all 200 nodes" in page.locator(".maps .sample").inner_text()


def test_what_a_link_asks_for_in_vain_is_said(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run=nothing")
    page.get_by_text("No run has an id that begins with 'nothing'").wait_for()
    page = tabs(f"{server.url}/embedding?run={run}&method=pca&colour=blue&at=99&nodes=3&seed=x")
    page.get_by_text("colour must be one of").wait_for()
    page.get_by_text("nodes must be auto, all or a number of at least 10").wait_for()
    page.get_by_text("seed must be a number, got 'x'").wait_for()
    page.get_by_text("The link asks for step 99, but this run has steps 1 to").wait_for()


def test_a_visitor_without_runs_sees_a_recorded_one_and_needs_no_data(tmp_path, tabs):
    with Server(tmp_path, script="pages/embedding.py", PGCN_DATA_DIR=str(tmp_path / "nothing")) as server:
        page = tabs(server.url)
        maps(page, "m.reached === m.steps && m.film === 'recorded'")
        assert page.locator(".maps .recorded").inner_text() == "recorded run"
        page.close()


def test_the_film_of_maps_plays_without_a_server(tmp_path, tabs, made):
    from pgcn.views.maps import map_film, maps_page

    film = map_film(made.plan, made.nodes, made.pictures, method="pca", autoplay=True)
    (tmp_path / "film.html").write_text(maps_page(film), encoding="utf-8")
    page = tabs(f"file://{tmp_path / 'film.html'}", motion=True)
    page.locator(".maps .transport select").select_option("8")
    maps(page, "m.cursor === m.steps && m.steps > 0")


def test_the_page_imports_nothing_heavy_before_there_is_work(tmp_path):
    probe = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        "assert not AppTest.from_file('pages/embedding.py', default_timeout=30).run().exception; "
        "print(sorted({'torch', 'sklearn', 'umap', 'openTSNE', 'scipy', 'pandas'} & set(sys.modules)))"
    )
    own = os.environ | {"PGCN_STORE": f"sqlite:///{tmp_path / 'runs.db'}"}
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=own)
    assert done.stdout.strip().endswith("[]")
