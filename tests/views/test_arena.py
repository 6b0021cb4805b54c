"""The arena's tables and figures say what the results say, in every format."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from small_arena import outcomes

from pgcn.errors import ConfigError
from pgcn.studies.arena import ArenaPlace, arenas_of, named_contenders
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.results import ArenaResults
from pgcn.studies.arena.tables import Table, closing_notes, paper_tables
from pgcn.views.arena.accuracy import accuracy_figure
from pgcn.views.arena.contenders import best_of_figure, paired_figure, result_rows
from pgcn.views.arena.styles import STYLES
from pgcn.views.tables import FORMATS, tables_text

CORA = ArenaPlace(dataset="cora")
PGCN = {"contender": "pgcn-tuned-ce", "title": "PGCN (CE), tuned", "method": "pgcn", "topology": (10, 20)}
RESULTS = ArenaResults(
    [
        *outcomes([80.0, 81.0, 82.0], [79, 78, 80]),
        *outcomes([81.0, 81.0, 84.0], [80, 79, 78], **PGCN, parameters=14_000, seconds=9.0, recorded=True),
    ]
)
ARENAS = arenas_of(["citeseer", "cora"], named_contenders("gcn,pgcn-tuned-ce"), runs=3)


def row_of(table, method):
    return dict(zip(table.columns, next(row for row in table.rows if row[0] == method), strict=True))


def test_the_tables_hold_published_and_measured_side_by_side():
    accuracy, parameters, architectures = paper_tables(RESULTS, ARENAS)
    gcn, pgcn = row_of(accuracy, "GCN"), row_of(accuracy, "PGCN (CE), tuned")
    assert gcn["Cora: published"] == "81.5" and gcn["Cora: mean ± sd"] == "81.0 ± 1.0 (n = 3)"
    assert gcn["Cora: best by validation"] == "82.0 (of 3)"
    assert pgcn["Cora: published"] == "83.1" and pgcn["Cora: mean ± sd"] == "82.0 ± 1.7 (n = 3)†"
    assert gcn["CiteSeer: published"] == "70.3" and gcn["CiteSeer: mean ± sd"] == "–"
    assert row_of(accuracy, "GAT")["Cora: published"] == "83.0 ± 0.7"  # nobody answers to it here
    counts = row_of(parameters, "PGCN (CE), tuned")
    assert counts["Cora: published"] == "14.7k" and counts["Cora: parameters"] == "14,000†"
    assert counts["Cora: training (s)"] == "–" and counts["Cora: search (s)"].startswith("9.0")
    assert row_of(parameters, "GCN")["Cora: training (s)"].startswith("1.0")
    found = row_of(architectures, "PGCN (CE), tuned")
    assert found["Cora: published"] == "10-20" and found["Cora: most frequent"] == "10-20 (3 of 3)†"


def test_what_is_missing_is_said_with_the_command_that_computes_it():
    from pgcn.cli import parser

    notes = closing_notes(RESULTS, ARENAS)
    assert notes[0].startswith("† recorded")
    (note,) = (note for note in notes if note.startswith("Missing"))
    assert "Missing on CiteSeer: GCN (0 of 3 runs), PGCN (CE), tuned (0 of 3 runs)" in note
    command = note.partition("To compute them: pgcn ")[2]
    chosen = parser().parse_args(command.split())
    assert (chosen.datasets, chosen.methods, chosen.runs) == ("citeseer", "gcn,pgcn-tuned-ce", 3)


def test_every_row_says_its_protocol():
    text = " ".join(paper_tables(RESULTS, ARENAS)[0].notes)
    for protocol in ("mean ± sd of 100 runs", "best of 900 runs", "top 5 of 1000", "best of 20 runs"):
        assert protocol in text


@pytest.mark.parametrize("form", FORMATS)
def test_tables_render_in_every_format(form):
    text = tables_text(paper_tables(RESULTS, ARENAS), closing_notes(RESULTS, ARENAS), form)
    assert "81.5" in text and "Table IV" in text and "Missing on CiteSeer" in text


NASTY = "a|b_c & 5 % {x} $y$ \\z <b>#~^\nnext ±"


def test_markdown_shows_any_text_in_its_cell():
    text = tables_text([Table(title="T", columns=("m", "n"), rows=((NASTY, "1"),))], [], "markdown")
    row = text.splitlines()[4]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3 and r"\<b\>" in row and r"a\|b\_c" in row


def test_latex_typesets_any_text_in_its_cell():
    text = tables_text([Table(title="T", columns=("m", "n"), rows=((NASTY, "1"),))], [], "latex")
    row = next(line for line in text.splitlines() if line.endswith(r"& 1 \\"))
    bare = re.sub(r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater)\{\}", "", row)
    assert re.findall(r"(?<!\\)[&%#_{}]", bare) == ["&"] and r"$\pm$" in row and "next" in row


def test_csv_is_read_back_to_the_letter():
    text = tables_text([Table(title="T", columns=("m", "n"), rows=((NASTY, '"1"'),))], ["a, note"], "csv")
    lines = list(csv.reader(io.StringIO(text, newline="")))
    assert lines == [["T"], ["m", "n"], [NASTY, '"1"'], [], ["a, note"]]


def test_an_unknown_format_is_refused():
    with pytest.raises(ConfigError, match=r"No format named 'word'\. Choose one of: markdown, csv, latex"):
        tables_text([], [], "word")


def test_every_contender_looks_like_itself_everywhere():
    assert set(STYLES) >= set(ALL) and len(set(STYLES.values())) == len(STYLES)
    for figure in (
        accuracy_figure(RESULTS, CORA),
        paired_figure(RESULTS, CORA, "gcn"),
        best_of_figure(RESULTS, CORA),
    ):
        for trace in figure["data"]:
            if trace.get("customdata"):
                assert trace["marker"]["color"] == STYLES[trace["customdata"][0][2]][0]


def test_accuracy_against_parameters_has_whiskers_the_front_and_hollow_published_points():
    figure = accuracy_figure(RESULTS, CORA)
    traces = {trace["name"]: trace for trace in figure["data"]}
    assert figure["layout"]["xaxis"]["type"] == "log"
    gcn = traces["GCN"]
    assert (gcn["x"], gcn["y"]) == ([23_040], [pytest.approx(81)]) and gcn["error_y"]["array"] == [pytest.approx(1)]
    assert traces["Pareto front"]["x"] == [14_000]  # smaller and better than GCN
    hollow = traces["GAT, published"]
    assert hollow["marker"]["symbol"].endswith("-open") and hollow["x"] == [92_300]
    assert "mean ± sd of 100 runs" in hollow["text"][0]
    assert "recorded" in traces["PGCN (CE), tuned"]["text"][0]


def test_the_paper_prints_no_seconds_and_no_other_split():
    assert not any("published" in trace["name"] for trace in accuracy_figure(RESULTS, CORA, "seconds")["data"])
    drawn = ArenaResults(replace(one, split="random:20") for one in RESULTS.outcomes)
    figure = accuracy_figure(drawn, ArenaPlace(dataset="cora", split="random:20"))
    assert not any("published" in trace["name"] for trace in figure["data"])


def test_whiskers_never_reach_zero_on_a_logarithmic_axis():
    wide = [replace(one, parameters=size) for one, size in zip(outcomes([80, 80]), (10, 10_000), strict=True)]
    trace = accuracy_figure(ArenaResults(wide), CORA)["data"][1]
    assert trace["x"][0] - trace["error_x"]["arrayminus"][0] > 0


def test_pairs_and_best_of_many_are_drawn_as_computed():
    own = ArenaResults([*outcomes([80.0, 81.0, 82.0]), *outcomes([81.0, 83.0, 85.0], **PGCN)])
    (trace,) = paired_figure(own, CORA, "gcn")["data"]
    assert trace["x"] == [pytest.approx(2)] and trace["error_x"]["array"] == [pytest.approx(4.303 / 3**0.5)]
    assert "3 won, 0 tied, 0 lost; exact sign-flip test p = 0.250" in trace["text"][0]
    gcn = best_of_figure(own, CORA)["data"][0]
    assert gcn["x"] == [pytest.approx(81), pytest.approx(82)]
    one = best_of_figure(own, CORA, 1)["data"][0]
    assert one["x"][0] == pytest.approx(one["x"][1])


def test_nothing_recorded_is_compared_with_what_was_computed_here():
    assert paired_figure(RESULTS, CORA, "gcn")["data"] == []


def test_figures_are_plain_values_and_titles_are_no_markup():
    nasty = ArenaResults(outcomes([80, 81], contender="mine", title="<b>x</b>"))
    for figure in (accuracy_figure(nasty, CORA), best_of_figure(nasty, CORA), paired_figure(nasty, CORA, "gcn")):
        assert "<b>x" not in json.dumps(figure, allow_nan=False)


def test_rows_name_what_the_paper_prints():
    gcn, pgcn = result_rows(RESULTS, CORA)
    assert (gcn["method"], gcn["published"], gcn["mean ± sd"], gcn["n"]) == ("GCN", "81.5", "81.0 ± 1.0", "3")
    assert pgcn["computed"] == "recorded" and "best of 900" in pgcn["protocol"]
