"""The tables of the Arena page: every cell says where its number comes from, nothing from outside is markup."""

import json
from dataclasses import replace

import pytest
from small_arena import outcome, outcomes

from pgcn.studies.arena import Arena, named_contenders
from pgcn.studies.arena.disagreements import Disagreements
from pgcn.studies.arena.results import ArenaResults
from pgcn.studies.arena.tables import paper_tables
from pgcn.views.arena.pairs import disagreement_figure, pairs_figure
from pgcn.views.arena.table import KINDS, run_values, table_values

ARENA = Arena(dataset="cora", contenders=named_contenders("gcn,gat,mlp"), runs=3)
MLP = {"contender": "mlp", "title": "MLP", "method": "mlp"}
RESULTS = ArenaResults([*outcomes([80.0, 81.0, 82.0], [79, 78, 80]), *outcomes([55.0, 57.0], **MLP, recorded=True)])


def row_of(kind, name, **how):
    return next(row for row in table_values(RESULTS, ARENA, kind, **how)["rows"] if row["name"] == name)


def test_published_and_measured_stand_side_by_side_with_n_seeds_and_protocol():
    gcn = row_of("accuracy", "GCN", chosen="gcn")
    assert [cell["text"] for cell in gcn["cells"]] == ["81.5", "81.0 ± 1.0", "82.0"]
    assert "does not say over how many runs" in gcn["cells"][0]["about"]
    assert "3 runs on the public split, seeds 0 to 2, computed here" in gcn["cells"][1]["about"]
    assert gcn["chosen"] and gcn["key"] == "gcn" and not gcn["symbol"].endswith("-open")


def test_what_is_recorded_is_marked_and_what_is_missing_is_said():
    mlp, gat = row_of("accuracy", "MLP"), row_of("accuracy", "GAT")
    assert mlp["cells"][1]["text"].endswith("†") and "recorded" in mlp["cells"][1]["about"]
    assert mlp["cells"][0]["text"] == "–" and mlp["cells"][0]["about"] == "Not in the paper."
    assert gat["key"] == "" and gat["symbol"].endswith("-open") and gat["cells"][1]["about"].startswith("No run")


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_has_a_cell_for_every_column(kind):
    table = table_values(RESULTS, ARENA, kind)
    assert all(len(row["cells"]) == len(table["columns"]) - 1 for row in table["rows"])
    assert all(cell["about"] for row in table["rows"] for cell in row["cells"])
    json.dumps(table, allow_nan=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", [{"split": "random:20"}, {"dataset": "mine", "content": "0" * 64}])
def test_where_the_paper_prints_nothing_there_is_no_column_for_it(kind, where):
    drawn = replace(ARENA, **where)
    table = table_values(ArenaResults(()), drawn, kind)
    assert "Published" not in table["columns"] and {row["name"] for row in table["rows"]} == {"GCN", "GAT", "MLP"}
    assert all(len(row["cells"]) == len(table["columns"]) - 1 == 2 for row in table["rows"])
    [own, *_] = paper_tables(ArenaResults(()), [drawn])
    assert len(own.rows) == (8 if drawn.dataset == "cora" else 3)  # with the paper's other rows, or without


def test_runs_are_listed_with_their_ids():
    table = run_values(RESULTS.cell(ARENA.place, "mlp").outcomes, splits=1)
    assert [row["name"] for row in table["rows"]] == ["seed 0", "seed 1"]
    assert all(row["key"].startswith("mlp-") for row in table["rows"])


def test_the_networks_behind_the_mean_of_a_search_are_listed():
    searched = outcome(contender="graphnas", method="graphnas", test_accuracy=0.9, reported=(0.7, 0.8))
    first, *others = run_values([searched], splits=1)["rows"]
    assert first["cells"][0]["text"] == "75.0 %" and "2 networks" in first["cells"][0]["about"]
    assert [row["cells"][0]["text"] for row in others] == ["70.0 %", "80.0 %"]


def test_pairs_are_drawn_by_who_won_and_the_chosen_one_is_ringed():
    better = {"contender": "sgc", "title": "SGC", "method": "sgc"}
    own = ArenaResults([*outcomes([80.0, 81.0, 82.0]), *outcomes([81.0, 81.0, 80.0], **better)])
    figure = pairs_figure(own.paired(ARENA.place, "sgc", "gcn"), "sgc", "gcn", 1)
    marks = figure["data"][1]
    assert marks["y"] == [1.0, 0.0, -2.0]
    assert marks["marker"]["symbol"] == ["triangle-up", "circle-open", "triangle-down"]
    assert marks["marker"]["line"]["width"] == [0, 3, 0]


def test_disagreements_are_counted_by_kind():
    about = {"one": "a", "other": "b", "nodes": "test"}
    found = Disagreements(only_one=(1, 2), only_other=(3,), both_right=5, both_wrong=4, **about)
    figure = disagreement_figure(found, "gcn", "gat", ("<b>GCN", "GAT"))
    assert [trace["x"][0] for trace in figure["data"]] == [5, 2, 1, 4]
    assert figure["layout"]["xaxis"]["range"] == [0, 12] and "<b>" not in json.dumps(figure)
