"""A person decides at the terminal."""

import json
import os
import pty
import select
import subprocess
import sys
import time

from tools import wait_until

from pgcn.cli.text import RunView
from pgcn.data import load_graph
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockProposed
from pgcn.store import Store
from pgcn.studies.beside import stored_rule_run

KARATE = ("grow", "--dataset", "karate", "--set", "epochs=10", "max_layers=2", "max_width=15")


def test_decisions_given_beforehand_are_stored_and_the_run_of_the_rule_stands_beside(pgcn, tmp_path):
    code, out, err = pgcn(*KARATE, "--decisions", "aans", "--store", "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and events[-1]["ending"] == "stopped_by_hand" and events[-1]["topology"] == [15, 5]
    assert [event["decision"] for event in events if "decision" in event][:2] == ["accept", "accept"]
    assert " ".join(err.split()).count("; the rule: validation") == 1 and "Stored as" in err
    rule, steered = Store().runs()
    deciders = {run.id: Store().openings([run.id])[run.id].config.get("decider") for run in (rule, steered)}
    assert deciders == {rule.id: None, steered.id: "person"}
    started = Store().openings([steered.id])[steered.id]
    assert stored_rule_run(started, Store())[0] == rule.id  # the page finds it, and so does the next run here
    _, _, err = pgcn(*KARATE, "--decisions", "as", "--json")
    assert "the rule: validation" in " ".join(err.split()) and "Growing the rule's own run" not in err


def test_without_a_terminal_it_says_what_to_do_before_anything_is_computed(pgcn):
    code, out, err = pgcn(*KARATE, "--steer")
    assert code == 2 and out == "" and "the input is not a terminal" in err and "--decisions aarns" in err
    code, _, err = pgcn(*KARATE, "--decisions", "ax")
    assert code == 2 and "a (accept), r (reject), n (new layer), s (stop here), u (undo); got 'x'" in err
    code, _, err = pgcn(*KARATE, "--decisions", "a", "--runs", "2")
    assert code == 2 and "one run at a time" in err


def test_in_a_terminal_every_candidate_is_asked_about():
    asks, answers = pty.openpty()
    command = [sys.executable, "-m", "pgcn", *KARATE, "--steer"]
    how = {"stdin": answers, "stdout": answers, "stderr": subprocess.STDOUT}
    running = subprocess.Popen(command, env={**os.environ, "COLUMNS": "300"}, **how)
    os.close(answers)
    said, left, until = "", ["q\n", "a\n", "\n", "s\n"], time.monotonic() + 120
    asked = 0
    while time.monotonic() < until:
        if not select.select([asks], [], [], 1)[0]:
            continue
        try:
            said += os.read(asks, 65536).decode(errors="replace")
        except OSError:  # it has ended
            break
        if left and said.count("as the rule (") > asked:
            asked += 1
            os.write(asks, left.pop(0).encode())
    os.close(asks)
    assert running.wait(30) == 0, said
    assert not left and "The rule: The first block" in said.replace("\r\n", " ")
    assert "You: validation" in said


def test_a_stored_run_is_branched_from_a_step_with_other_settings(pgcn):
    pgcn(*KARATE, "--decisions", "aas", "--store", "--json")
    steered = next(run for run in Store().runs() if run.topology == (15,))
    code, out, err = pgcn("branch", steered.id, "--step", "2", "--set", "decider=rule", "seed=5", "--json")
    assert code == 0 and f"Branch of {steered.id[:8]} from step 2" in " ".join(err.split())
    assert json.loads(out.splitlines()[-1])["status"] == "finished"
    [child] = [run for run in Store().runs() if run.parent]
    assert (child.parent, child.parent_step, child.seed) == (steered.id, 2, 5)
    code, _, err = pgcn("branch", steered.id, "--step", "2", "--set", "bias=true")
    assert code == 2 and "A branch keeps the graph" in err


def test_a_run_that_ran_out_of_decisions_is_resumed_and_branched_with_more(pgcn):
    command = [sys.executable, "-m", "pgcn", *KARATE, "--decisions", "a", "--store", "--json"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ended.returncode == 2 and "waits for a decision" in ended.stderr
    [waiting] = Store().runs()
    wait_until(lambda: Store().run(waiting.id).status == "interrupted")
    assert pgcn("resume", waiting.id, "--decisions", "x")[0] == 2
    code, out, _ = pgcn("resume", waiting.id, "--decisions", "as", "--json")
    decided = [event["decision"] for event in map(json.loads, out.splitlines()) if "decision" in event]
    assert code == 0 and decided[:2] == ["accept", "stop"] and Store().run(waiting.id).topology == (15,)
    code, out, _ = pgcn("branch", waiting.id, "--step", "1", "--decisions", "s", "--json")
    assert code == 0 and json.loads(out.splitlines()[-1])["topology"] == [10]


def test_the_network_of_a_branch_is_drawn_with_the_widths_it_has():
    started = grow(
        load_graph("karate"), growth_preset(epochs=1, max_layers=1, block_width=10, max_width=10)
    ).finish()
    view = RunView(started.events[0])
    view.update(BlockProposed(layer=2, block=1, width=10, topology=(15, 10), parameters=1))
    assert str(view.network()) == "34 → [15] → ?10? → 4"
    view.update(BlockProposed(layer=2, block=2, width=10, topology=(15, 20), parameters=1))
    assert str(view.network()) == "34 → [15] → [10]?10? → 4"
