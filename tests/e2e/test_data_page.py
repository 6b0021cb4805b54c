"""A graph of one's own in a real browser: from a file to a grown network, and nothing in it is more than text."""

import csv
import re

import pytest
from hostile import NAMES
from playwright.sync_api import expect
from tools import address, press
from written import write_sparse_npz

from pgcn import load_graph
from pgcn.store import Store

UPLOAD = ".st-key-add input[type=file]"


@pytest.fixture
def opened(server, tabs):
    page = tabs(f"{server.url}/data")
    page.locator(".pgcn.data .card .nodes").first.wait_for(state="attached")
    return page


def test_a_community_file_is_added_and_grown_in_two_clicks_and_its_run_is_listed(server, opened, tmp_path):
    graph = load_graph("synthetic", nodes=300, classes=3, features=40, average_degree=4.0)
    opened.locator(UPLOAD).set_input_files([str(file) for file in write_sparse_npz(graph, tmp_path)])
    press(opened, "add_save_button")
    expect(opened).to_have_url(re.compile("dataset=graph"), timeout=30_000)
    press(opened, "data_grow")
    opened.locator(".pgcn .network").first.wait_for(state="attached")
    expect(opened).to_have_url(re.compile("run="), timeout=30_000)
    run = re.search(r"run=(\w+)", address(opened))[1]
    expect(opened.get_by_text("Grow again").first).to_be_visible(timeout=60_000)
    store = Store(server.store)
    assert (store.run(run).dataset, store.run(run).status) == ("graph", "finished")
    assert store.stored_graphs()["graph"].origin == "graph.npz"
    store.close()
    opened.goto(f"{server.url}/data?dataset=graph")
    press(opened, "data_delete")
    press(opened, "data_undo")
    expect(opened.get_by_text("graph", exact=True).first).to_be_visible()


def test_a_bad_file_is_told_by_its_line_and_a_hostile_one_is_shown_as_text(opened, tmp_path):
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text("id,label,size\na,x,1\nb,y,2,3\n", encoding="utf-8")
    edges.write_text("source,target\na,b\n", encoding="utf-8")
    opened.locator(UPLOAD).set_input_files([str(nodes), str(edges)])
    opened.get_by_text("nodes.csv, line 3").first.wait_for()
    press(opened, "add_discard")
    expect(opened.locator(".st-key-add_discard")).to_have_count(0)
    with nodes.open("w", newline="", encoding="utf-8") as file:
        rows = [[f"{name} {number}", name, number] for number in range(6) for name in NAMES[6:9]]
        csv.writer(file).writerows([["id", "label", NAMES[6]], *rows])
    with edges.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["source", "target"], [rows[0][0], rows[1][0]], [rows[2][0], rows[0][0]]])
    opened.locator(UPLOAD).set_input_files([str(nodes), str(edges)])
    opened.locator(".st-key-add_drawn .rows .name").first.wait_for()
    assert set(opened.locator(".st-key-add_drawn .rows .name").all_inner_texts()) >= set(NAMES[6:9])
    press(opened, "add_save_button")
    expect(opened).to_have_url(re.compile("dataset=nodes"), timeout=30_000)
    opened.locator(".pgcn.data .detail .nodes").first.wait_for(state="attached")
    assert opened.evaluate("window.hostile") is None
