"""The Embedding page in a real browser: maps that play, a lasso, a matrix, and one number for each node in all."""

import csv
import io
import re

import numpy as np
import pytest
from tools import Server, address, press, wait_until

from pgcn.data import load_graph
from pgcn.embeddings.embed import embed
from pgcn.embeddings.plan import EmbeddingConfig, plan_embedding
from pgcn.execution.recorder import record_runs
from pgcn.execution.start import grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store
from pgcn.store.embeddings import EmbeddingCache


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
        "() => { const e = document.querySelector('.pgcn.embedding'); if (!e) return false; const m = e.dataset;"
        f" return {fact}; }}",
        timeout=1000 * seconds,
    )


# Count the pictures without a point between here and the end.
BLANK = """window.blank = 0; (function look() {
  const view = document.querySelector('.pgcn.embedding')?.player.views.step;
  window.blank += !view?.points || view.missing.textContent !== "";
  requestAnimationFrame(look);
})()"""


# Note every place at which a button that appears is seen between here and the end.
PLACES = """key => { window.places = new Set(); (function look() {
  const box = document.querySelector(`.st-key-${key} button`)?.getBoundingClientRect();
  if (box) window.places.add(`${Math.round(box.x)} ${Math.round(box.width)}`);
  requestAnimationFrame(look);
})() }"""


def exported(page):
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text())))


def test_a_link_shows_what_is_stored_and_offers_the_rest(server, tabs, run, made):
    store, config = Store(server.store), EmbeddingConfig(nodes=350, seed=7)
    page = tabs(f"{server.url}/embedding?run={run}&nodes=350&seed=7")
    page.get_by_text(re.compile("embeddings are ready; the rest takes .* of computing")).wait_for()
    page.wait_for_timeout(2500)
    assert page.locator(".st-key-embedding_stop").count() == 0 and "job=" not in address(page)
    plan = plan_embedding(store, run, config)
    assert not EmbeddingCache(store).known([plan.nodes_key, *(frame.key for frame in plan.frames)])
    page.goto(f"{server.url}/runs?run={run}")
    press(page, "embedding")  # a click of one's own starts it
    page.locator(".st-key-embedding_stop").wait_for()
    press(page, "embedding_stop")
    page.locator(".st-key-embedding_resume").wait_for()


def test_the_maps_of_a_run_are_made_in_the_background_and_appear_as_they_come(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run[:8]}&seed=5")
    page.locator(".st-key-embedding_resume").wait_for()
    page.evaluate(PLACES, "embedding_stop")
    press(page, "embedding_resume")
    page.locator(".st-key-embedding_stop").wait_for()
    press(page, "embedding_stop")
    page.locator(".st-key-embedding_resume").wait_for()
    page.get_by_text("embeddings are ready").wait_for()
    assert page.evaluate("places.size") == 1  # a button that moves away from under the pointer loses a click
    stopped = address(page)
    press(page, "embedding_resume")
    page.locator(".st-key-embedding_stop").wait_for()
    wait_until(lambda: "job=" in address(page) and address(page) != stopped)
    maps(page, "m.preview === 'pca' || m.preview === 'iterate'", 60)  # never blank: PCA before t-SNE is there
    assert "t-SNE" in page.locator(".embedding .view.step .facts").inner_text()
    box = page.locator(".embedding .view.step canvas").bounding_box()
    maps(page, "Number(m.iterates) > 1", 60)
    maps(page, "Number(m.reached) >= 0", 150)
    assert page.locator(".embedding .view.step canvas").bounding_box() == box
    page.reload()
    maps(page, "m.reached === m.steps", 120)
    page.locator(".st-key-embedding_status").wait_for(state="detached")
    page.get_by_text("t-SNE, seed 5, all 2,708 nodes").wait_for()
    maps(page, "m.preview === ''")
    assert f"run={run}" in address(page)
    there = embed(Store(server.store), run, EmbeddingConfig(seed=5))
    assert all(run_event.event.cached for run_event in there)


def test_one_plays_through_the_steps_and_a_link_brings_the_same_view(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca&at=1", motion=True)
    maps(page, "m.cursor === '0' && m.playing === 'false'")
    page.locator(".embedding .transport select").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    maps(page, "m.cursor === m.steps && m.playing === 'false'")
    step = made.plan.steps[-1]
    assert step.title in page.locator(".embedding .view.step figcaption").inner_text()
    numbers = made.frames[-1].facts["features"]
    assert f"{100 * numbers['knn']:.1f} %" in page.locator(".embedding .view.step .facts").inner_text()
    page.locator(".embedding .view.step canvas").focus()
    page.keyboard.press("ArrowLeft")
    maps(page, f"m.cursor === '{step.number - 2}'")
    page.get_by_label("Colour by").select_option("confidence")
    assert page.locator(".embedding .legend .ticks").inner_text().split() == ["50", "90", "99", "99.9", "%"]
    colours = page.evaluate("new Set(document.querySelector('.embedding').player.shared.of).size")
    assert colours > 6  # a continuous scale, not six bins: this network is sure of little
    wait_until(lambda: "colour=confidence" in address(page))
    other = tabs(address(page))
    maps(other, f"m.cursor === '{step.number - 2}'")
    assert other.get_by_label("Colour by").input_value() == "confidence"
    other.get_by_label("Colour by").select_option("class")
    other.locator(".embedding .legend button").first.click()
    assert other.locator(".embedding .legend button").first.get_attribute("aria-pressed") == "false"


def test_every_choice_is_one_step_of_the_history_and_back_returns_to_it(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run[:8]}&method=pca")
    maps(page, "m.reached === m.steps")
    before = page.evaluate("history.length")
    page.evaluate(BLANK)
    page.get_by_text("UMAP", exact=True).click()
    page.locator(".st-key-embedding_stop").wait_for()  # it computes: the address has named a job since
    maps(page, "m.replay.includes('umap') && m.preview !== ''")
    assert "UMAP" in page.locator(".embedding .view.step .facts").inner_text()
    press(page, "embedding_stop")
    page.locator(".st-key-embedding_resume").wait_for()
    maps(page, "m.preview !== ''")  # where it was stopped the last picture stays
    page.get_by_text("PCA: UMAP has not been computed").first.wait_for()
    assert page.evaluate("blank") == 0
    assert "method=umap" in address(page) and page.evaluate("history.length") == before + 1
    page.go_back()
    page.wait_for_function("location.search.includes('method=pca')")
    maps(page, "m.reached === m.steps && m.preview === ''")
    assert page.get_by_role("radio", name="PCA").is_checked()


def test_the_step_the_node_and_the_colours_stay_when_the_run_is_embedded_in_another_way(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca")
    maps(page, "m.reached === m.steps")
    page.get_by_label("Find a node").fill("35")
    page.keyboard.press("Enter")
    page.get_by_label("Colour by").select_option("right")
    page.locator(".embedding .view.step canvas").focus()
    page.keyboard.press("Home")
    maps(page, "m.cursor === '0' && m.node === '35'")
    page.get_by_role("radio", name="3-D").click()
    maps(page, "m.replay.includes('dimensions=3') && m.reached === m.steps", 60)
    maps(page, "m.cursor === '0' && m.node === '35'")
    assert page.get_by_label("Colour by").input_value() == "right"
    page.locator(".st-key-embedding_status").wait_for(state="detached")
    wait_until(lambda: "job=" not in address(page))
    assert {"at=1", "node=35", "colour=right", "dimensions=3"} <= set(address(page).split("?")[1].split("&"))
    assert "until PCA" not in page.locator(".embedding").inner_text()


def test_a_node_has_one_number_in_map_matrix_file_and_graph(server, tabs, run, made, cora):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca&at=2")
    maps(page, "m.cursor === '1'")
    predicted = made.frames[2].arrays["predicted"]
    cells = {}
    for node in cora.test_mask.nonzero().ravel().tolist():
        cells.setdefault((int(cora.y[node]), int(predicted[node])), []).append(node)
    (true, guess), nodes = max(cells.items(), key=lambda cell: len(cell[1]) * (cell[0][0] != cell[0][1]))
    cell = page.locator(f".embedding [data-cell='{true}-{guess}']")
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
        """id => { const { player } = document.querySelector('.embedding'); const view = player.views.step;
        const [x, y] = view.at(player.replay.nodes.indexOf(id)); const box = view.canvas.getBoundingClientRect();
        return [box.left + x / view.dots, box.top + y / view.dots]; }""",
        nodes[0],
    )
    page.mouse.move(*place)
    page.locator(".embedding .tip.shown").wait_for()


def test_a_lasso_selects_what_is_inside_and_the_file_says_so(server, tabs, run, made):
    page = tabs(f"{server.url}/embedding?run={run}&method=pca")
    maps(page, "Number(m.cursor) >= 0")
    box = page.locator(".embedding .view.step canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 60, y - 60)
    page.mouse.down()
    for corner in ((60, -60), (60, 60), (-60, 60)):
        page.mouse.move(x + corner[0], y + corner[1], steps=4)
    page.mouse.up()
    maps(page, "Number(m.selected) > 0")
    inside = page.evaluate(
        """([x, y]) => { const { views, replay } = document.querySelector('.embedding').player, view = views.step;
        const box = view.canvas.getBoundingClientRect();
        const near = (_, i) => { const [a, b] = view.at(i);
          return Math.abs(box.left + a / view.dots - x) < 60 && Math.abs(box.top + b / view.dots - y) < 60; };
        return Array.from(replay.nodes).filter(near); }""",
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
    page.get_by_text("all 200 nodes").wait_for()


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
        maps(page, "m.reached === m.steps && m.replay === 'recorded'")
        assert page.locator(".embedding .recorded").inner_text() == "recorded run"
        page.close()


@pytest.fixture(scope="module")
def exported_page(server, run, made, tmp_path_factory):
    """Exported embeddings in three dimensions with a GCN beside them, and what they were made of."""
    from pgcn.views.embedding import embedding_page, embedding_replay

    work = embed(Store(server.store), run, EmbeddingConfig(method="pca", dimensions=3, gcn=True)).finish()
    how = {"method": "pca", "logits": work.logits(), "autoplay": True}
    file = tmp_path_factory.mktemp("exported") / "replay.html"
    replay = embedding_replay(work.plan, work.nodes, work.frames, **how)
    file.write_text(embedding_page(replay), encoding="utf-8")
    return f"file://{file}", work


def test_the_exported_embeddings_play_without_a_server(tabs, exported_page):
    page = tabs(exported_page[0], motion=True)
    page.locator(".embedding .transport select").select_option("8")
    maps(page, "m.cursor === m.steps && m.steps > 0 && m.playing === 'false'")


def test_three_dimensions_are_turned_by_drag_and_keys_and_no_point_is_ever_cut_off(tabs, exported_page):
    page = tabs(exported_page[0])
    maps(page, "m.reached === m.steps")
    seen = """() => { const { views, replay } = document.querySelector('.embedding').player;
      const within = (view) => (_, i) => { const [x, y] = view.at(i), { width, height } = view.canvas;
        return x > 0 && y > 0 && x < width && y < height; };
      return Object.values(views).map((view) => ({
        first: view.at(0), inside: Array.from(replay.nodes).every(within(view)) })); }"""
    box = page.locator(".embedding .view.step canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    places = [page.evaluate(seen)]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y + 70, steps=4)
    page.mouse.up()
    page.wait_for_timeout(100)
    places.append(page.evaluate(seen))
    page.locator(".embedding .view.step canvas").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_timeout(100)
    places.append(page.evaluate(seen))
    assert all(view["inside"] for place in places for view in place)
    assert len({tuple(place[1]["first"]) for place in places}) == 3  # and all plots turn together
    assert len({tuple(place[0]["first"]) for place in places}) == 3
    maps(page, "m.selected === '0'")


@pytest.mark.parametrize("width", [390, 768, 1440, 1920])
def test_nothing_overflows_and_the_gcn_is_level_with_the_network_beside_it(tabs, exported_page, width):
    page = tabs(exported_page[0])
    page.set_viewport_size({"width": width, "height": 900})
    maps(page, "m.reached === m.steps")
    page.get_by_label("Find a node").fill("1")
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = {
        name: page.locator(f".embedding .{name}").bounding_box() for name in ("view.step", "view.gcn", "view.input")
    }
    inspector = page.locator(".embedding .inspector").bounding_box()
    step, gcn = boxes["view.step"], boxes["view.gcn"]
    assert boxes["view.input"]["width"] < step["width"]
    if width > 700:
        assert (step["y"], step["height"]) == (gcn["y"], gcn["height"])
        assert inspector["x"] >= gcn["x"] + gcn["width"] and inspector["y"] + inspector["height"] <= 900
        page.locator(".embedding .matrix").scroll_into_view_if_needed()
        assert page.locator(".embedding .inspector h5").bounding_box()["y"] >= 0  # it stays in view
    else:
        assert inspector["y"] >= gcn["y"] + gcn["height"]


def test_the_inspector_lists_the_nearest_by_logits_and_the_neighbours_in_the_graph(tabs, exported_page, cora):
    address_, work = exported_page
    page = tabs(address_)
    maps(page, "m.reached === m.steps")
    logits = work.logits()[work.plan.frames[len(work.plan.steps)].logits].arrays["logits"]
    page.evaluate("document.querySelector('.embedding').player.goTo(1e9)")
    page.get_by_label("Find a node").fill("35")
    page.keyboard.press("Enter")
    lists = page.locator(".embedding .inspector .rows")
    for metric in ("euclidean", "cosine"):
        page.get_by_label("Distance between logits").select_option(metric)
        listed = [int(text) for text in lists.nth(0).locator("b").all_inner_texts()]
        if metric == "euclidean":
            far = np.linalg.norm(logits - logits[35], axis=1)
        else:
            length = np.linalg.norm(logits, axis=1)
            far = 1 - logits @ logits[35] / (length * length[35])
        far[35] = np.inf
        assert len(set(listed)) == 10 and np.allclose(far[listed], np.sort(far)[:10], atol=2e-3)
    near = sorted(cora.edge_index[1][cora.edge_index[0] == 35].tolist())
    assert [int(text) for text in lists.nth(1).locator("b").all_inner_texts()] == near[:40]
    lists.nth(1).locator("button").first.focus()
    page.keyboard.press("Enter")
    maps(page, f"m.node === '{near[0]}'")


def luminance(colour):
    """Return the relative luminance of '#rrggbb'."""
    shares = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_points_are_bright_enough_in_both_themes(tabs, exported_page):
    page = tabs(exported_page[0])
    used = """() => { const { shared } = document.querySelector('.embedding').player;
      const sheet = document.createElement('canvas').getContext('2d');
      return [shared.paper, ...shared.entries.map(({ colour }) => colour)].map((colour) => {
        sheet.fillStyle = colour; return sheet.fillStyle; }); }"""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for colour in ("class", "right", "confidence", "degree", "part"):
            page.get_by_label("Colour by").select_option(colour)
            maps(page, f"m.theme === '{scheme}'")
            paper, *colours = map(luminance, page.evaluate(used))
            ratios = [(max(paper, other) + 0.05) / (min(paper, other) + 0.05) for other in colours]
            assert min(ratios) >= 3, (scheme, colour)
