"""A graph of one's own in a real browser: from a file to a grown network, and nothing in it is more than text."""

import csv
import re

import networkx as nx
import pytest
from hostile import NAMES
from playwright.sync_api import expect
from studies.test_advice import FACTS, between, runs_right
from tools import address, at_rest, press, wait_until
from written import write_sparse_npz

from pgcn import load_graph
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.studies.advice.cached import BUDGETS, cache_advice
from pgcn.studies.advice.evidence import Advice, Choice, Measured

UPLOAD = ".st-key-add input[type=file]"


@pytest.fixture
def opened(server, tabs):
    page = tabs(f"{server.url}/data")
    page.locator(".pgcn.data .card .nodes").first.wait_for(state="attached")
    return page


def test_a_community_file_is_added_grown_and_predicted_in_three_clicks(server, opened, tmp_path):
    graph = load_graph("synthetic", nodes=4000, classes=3, features=200, average_degree=4.0)
    opened.locator(UPLOAD).set_input_files([str(file) for file in write_sparse_npz(graph, tmp_path)])
    press(opened, "add_save_button")
    expect(opened).to_have_url(re.compile("dataset=graph"), timeout=30_000)
    press(opened, "data_grow")
    opened.locator(".pgcn .network").first.wait_for(state="attached")
    expect(opened).to_have_url(re.compile("run="), timeout=30_000)
    run = re.search(r"run=(\w+)", address(opened))[1]
    opened.locator(".st-key-next_predictions button").wait_for(timeout=120_000)
    press(opened, "next_predictions")
    opened.locator(".st-key-predictions_table td").first.wait_for(timeout=60_000)
    expect(opened.get_by_text("4,000 nodes").first).to_be_visible()
    store = Store(server.store)
    assert (store.run(run).dataset, store.run(run).status) == ("graph", "finished")
    assert store.stored_graphs()["graph"].origin == "graph.npz"
    store.close()
    opened.goto(f"{server.url}/data?dataset=graph")
    press(opened, "data_delete")
    press(opened, "data_undo")
    expect(opened.get_by_text("graph", exact=True).first).to_be_visible()


def test_a_card_opens_its_data_set_and_back_returns_to_all(opened):
    opened.locator(".pgcn.data .card", has_text="Karate club").click()
    opened.locator(".pgcn.data .detail").wait_for()
    assert "dataset=karate" in opened.url
    opened.go_back()
    opened.locator(".pgcn.data .card", has_text="Karate club").wait_for()


def test_the_preset_of_an_advice_is_taken_over_by_the_settings_and_the_first_button(server, tabs):
    row = Measured.of("gcn-16", runs_right(0.8, 0.7, parameters=10), between(-1, 1))
    choice = Choice(preset="tuned", why="It does.", tried=(row,))
    store, advice = Store(server.store), Advice(facts=FACTS, growth=between(1, 2), choice=choice)
    cache_advice(store, GraphSource(name="karate"), BUDGETS[0], advice)
    store.close()
    page = tabs(f"{server.url}/?dataset=karate&run=none")
    press(page, "advice_use")
    expect(page.get_by_role("combobox", name="Preset")).to_have_value("Tuned")
    expect(page.locator(".st-key-advice_use")).to_have_count(0)
    wait_until(lambda: "preset=tuned" in address(page))


def test_the_columns_of_a_document_are_chosen_on_the_page(server, opened, tmp_path):
    graph = nx.gnm_random_graph(40, 90, seed=0)
    for node in graph:
        graph.nodes[node].update(team=("red", "blue")[node % 2], size=node, born="2001-02-03")
    nx.write_graphml_xml(graph, tmp_path / "teams.graphml")
    opened.locator(UPLOAD).set_input_files([str(tmp_path / "teams.graphml")])
    opened.get_by_text("no column is called label").first.wait_for()
    opened.locator(".st-key-map_label_0 input").click()
    opened.get_by_role("option", name="team").click()
    opened.get_by_text("Column 'born' holds dates").first.wait_for()
    expect(opened.locator(".st-key-add_progress")).to_have_count(0)
    at_rest(opened)
    left_out = opened.locator(".st-key-map_ignore_0")
    left_out.locator("input").press_sequentially("born")
    left_out.locator("input").press("Enter")  # by the keyboard: a list that moves while it opens cannot be missed
    expect(left_out.get_by_text("born", exact=True).first).to_be_visible()
    press(opened, "add_save_button")
    expect(opened).to_have_url(re.compile("dataset=teams"), timeout=30_000)
    store = Store(server.store)
    assert store.stored_graphs()["teams"].facts == {
        "nodes": 40,
        "edges": 90,
        "features": 1,
        "classes": 2,
        "labelled": 12,
    }
    store.close()


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
