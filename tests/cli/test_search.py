"""``pgcn search``: every architecture is a line, the budget is said beside the paper's, and it resumes."""

import json

import pytest
from tools import start_pgcn, wait_until

from pgcn.store import Store

GRAPH = ("--dataset", "synthetic", "--with", "nodes=120", "classes=3", "features=40")
QUICK = ("--set", "child_epochs=3", "final_runs=2", "max_width=16")


@pytest.mark.parametrize("name", ["graphnas", "autognn", "random"])
def test_a_search_shows_every_architecture_and_what_it_reports(pgcn, name):
    code, out, _ = pgcn("search", name, *GRAPH, *QUICK, "--budget", "3")
    assert code == 0 and "1 of 3" in out and "3 of 3" in out and "retrained 2 of 2" in out
    assert "mean ± sd of 2 networks retrained; 3 architectures tried; the papers try 1,000" in out


def test_events_come_as_json_one_per_line(pgcn):
    code, out, _ = pgcn("search", "random", *GRAPH, *QUICK, "--budget", "2", "--json")
    kinds = [json.loads(line)["event"] for line in out.splitlines()]
    assert code == 0 and kinds.count("ArchitectureJudged") == 2 and kinds.count("FinalTrained") == 2


def test_kill_9_loses_only_the_architecture_in_training(pgcn, tmp_path):
    how = ("search", "graphnas", *GRAPH, "--set", "child_epochs=30", "final_runs=2", "--budget", "6")
    process = start_pgcn(None, *how, "--store", "--json")
    judged = 0
    while judged < 2:
        judged += json.loads(process.stdout.readline())["event"] == "ArchitectureJudged"
    process.kill()
    process.communicate()
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    (run,) = store.runs()
    wait_until(lambda: store.run(run.id).status == "interrupted")
    assert pgcn("resume", run.id, "--json")[0] == 0
    assert store.run(run.id).status == "finished"
    after = decided([event.to_dict() for event in store.events(run.id)])
    store.close()
    code, out, _ = pgcn(*how, "--json")
    assert code == 0 and after == decided([json.loads(line) for line in out.splitlines()])


def decided(events):
    """Return what does not depend on the clock."""
    kept = [event for event in events if event["event"] != "EpochsTrained"]
    return [{name: value for name, value in event.items() if name != "seconds"} for event in kept]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gat",), "No search named 'gat'. Choose one of: graphnas, autognn, random."),
        (("random", "--budget", "0"), "architectures must be at least 1, got 0"),
        (("random", "--seconds", "0"), "max_seconds must be at least 1, got 0"),
        (("graphnas", "--preset", "huge"), "No preset of GraphNAS named 'huge'"),
        (("random", "--set", "heads=3"), "No setting named 'heads'"),
        (("random", "--set", "max_parameters=5"), "None of 1,000 proposed architectures"),
    ],
)
def test_bad_input_gets_one_clear_line(pgcn, arguments, message):
    code, _, err = pgcn("search", *arguments[:1], *GRAPH, *arguments[1:])
    assert code == 2 and message in err
