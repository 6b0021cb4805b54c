"""The reproducible mode: the same bits however a CPU would like to compute.

Other CPUs are stood in for by the variables with which torch and its BLAS can be told to compute as they would.
"""

import hashlib
import os
import subprocess
import sys

import pytest
import torch
from small_study import small
from tools import reproducible_environment, skip_unless_reproducible

from pgcn import recorded, reproducible, verification
from pgcn.errors import PgcnError
from pgcn.execution.complete import complete_run
from pgcn.execution.start import grow, grow_many, resume
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.run import RunRecord
from pgcn.studies.study import StudyRun

PROBE = """
import hashlib, sys
from pgcn import grow_many, growth_preset, load_graph, train_gcn

def digest(result):
    parts = (part.numpy().tobytes() for _, part in sorted(result.model.state_dict().items()))
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16] + str(result.topology)

graphs = [
    load_graph("synthetic", nodes=90, classes=3, features=90, seed=1),
    load_graph("synthetic", nodes=300, features=60, seed=1),
    load_graph("synthetic", nodes=900, features=60, seed=1, split="fraction:0.7", dims=20),
]
for graph in graphs:
    for preset in sys.argv[1:]:
        configs = [growth_preset(preset, seed=seed, epochs=15, max_layers=3) for seed in range(2)]
        print(*map(digest, grow_many(graph, configs).finish()))
    result = train_gcn(graph).finish()
    print(digest(result), result.events[0].reproducible)
"""
OTHERS = [
    {},
    {"MKL_CBWR": "AVX2", "OMP_NUM_THREADS": "1"},
    {"MKL_ENABLE_INSTRUCTIONS": "SSE4_2", "ATEN_CPU_CAPABILITY": "default", "OMP_NUM_THREADS": "2"},
]


def digest(result):
    parts = (part.numpy().tobytes() for _, part in sorted(result.model.state_dict().items()))
    return hashlib.sha256(b"".join(parts)).hexdigest()


@pytest.mark.parametrize(
    "presets", [("reference", "tuned"), pytest.param(("paper", "reproduction"), marks=pytest.mark.slow)]
)
def test_the_same_bits_come_out_however_the_cpu_would_like_to_compute(presets):
    skip_unless_reproducible()
    command = [sys.executable, "-c", PROBE, *presets]
    probes = [
        subprocess.Popen(command, env=reproducible_environment(**other), stdout=subprocess.PIPE, text=True)
        for other in OTHERS
    ]
    answers = [probe.communicate()[0] for probe in probes]
    assert all(probe.returncode == 0 for probe in probes)
    assert len(answers[0].splitlines()) == 9 and answers[0].count("True") == 3
    assert answers[1] == answers[0] and answers[2] == answers[0]


def test_a_process_that_is_not_reproducible_has_another_one_do_it(small_graph):
    if reproducible.is_on():
        pytest.skip("this process is reproducible itself")
    skip_unless_reproducible()
    config = growth_preset(epochs=30, max_layers=2)
    ours = {name: os.environ.get(name) for name in (reproducible.SETTING, *reproducible.ARITHMETIC)}
    run = grow(small_graph, config, reproducible=True).finish()
    assert run.events[0].reproducible and not grow(small_graph, config).finish().events[0].reproducible
    assert {name: os.environ.get(name) for name in ours} == ours
    many = grow_many(small_graph, [config, config.change(seed=1)], workers=2, reproducible=True).finish()
    assert digest(many[0]) == digest(run) and many[1].events[0].reproducible


def test_a_reproducible_run_is_resumed_reproducibly(small_graph):
    skip_unless_reproducible()
    config = growth_preset(epochs=30, max_layers=2)
    whole = grow(small_graph, config, reproducible=True)
    accepted = {}
    whole.runs.listen(lambda _, network: network and accepted.update({network.step: network.weights}))
    result = whole.finish()
    half = next(i for i, event in enumerate(result.events) if type(event).__name__ == "BlockAccepted") + 1
    again = resume(small_graph, RunRecord(events=result.events[:half], weights=accepted)).finish()
    assert digest(again) == digest(result) and again.topology == result.topology


def test_asking_for_it_too_late_is_said_and_not_passed_over():
    late = "import torch\nfrom pgcn import grow, load_graph\n"
    late += "grow(load_graph('synthetic', nodes=90, classes=3)).finish()"
    done = subprocess.run(
        [sys.executable, "-c", late], env=reproducible_environment(), capture_output=True, text=True
    )
    assert "The reproducible mode came too late: torch had been imported" in done.stderr
    assert done.returncode == 1


def test_a_machine_that_cannot_promise_says_so_in_the_run(small_graph, monkeypatch):
    monkeypatch.setattr(reproducible, "is_on", lambda: True)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "DEFAULT")
    started = next(grow(small_graph, growth_preset(epochs=1)))
    assert not started.reproducible
    assert "no guarantee on this machine: this CPU has no AVX2 (torch uses DEFAULT)" in started.notes[-1]
    monkeypatch.setattr(torch.backends.mkl, "is_available", lambda: False)
    assert "no MKL" in reproducible.obstacle()


def test_a_reproducible_study_is_another_question_and_is_refused_by_workers_that_are_not(tmp_path):
    if reproducible.is_on():
        pytest.skip("this process is reproducible itself")
    plain, mode = small(), small(reproducible=True)
    ids = [{task.id for task in study.tasks()} for study in (plain, mode)]
    assert not ids[0] & ids[1]
    with pytest.raises(PgcnError, match=r"does not compute reproducibly.*PGCN_REPRODUCIBLE=1"):
        complete_run(mode.tasks()[0].spec())


def test_the_processes_of_a_reproducible_study_are_reproducible(tmp_path):
    from pgcn.store import Store

    skip_unless_reproducible()
    store = Store(f"sqlite:///{tmp_path}/runs.db")
    study = small(reproducible=True, dims=(4,), experiments=1, methods=("gcn",))
    run = StudyRun([study], store)
    assert [said for said in run if said is not None]
    assert store.events(study.tasks()[0].id)[0].reproducible
    store.close()


@pytest.mark.parametrize(
    "events", ["recorded_events", "first_gcn_events", pytest.param("first_events", marks=pytest.mark.slow)]
)
def test_a_recorded_run_is_what_this_machine_computes(data_dir, events):
    skip_unless_reproducible()
    here, there = str(torch.__version__).partition("+")[0], verification.torch_recorded_with().partition("+")[0]
    if here != there:
        pytest.skip(f"recorded with torch {there}, this is torch {here}")
    probe = (
        f"from pgcn import recorded, verification; "
        f"d = verification.verify_run(None, recorded.{events}()).differences; print(d); assert not d"
    )
    env = reproducible_environment() | ({"PGCN_DATA_DIR": str(data_dir)} if data_dir else {})
    done = subprocess.run([sys.executable, "-c", probe], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_differs_from_the_record_is_told():
    events = recorded.recorded_events()
    assert list(verification.event_differences(events, events)) == []
    other = [*events[:-1], type(events[-1])(**{**vars(events[-1]), "topology": (1,)})]
    assert "topology was [20, 15], here it is [1]" in next(verification.event_differences(events, other))
    assert "events recorded" in next(verification.event_differences(events, events[:-1]))


def test_every_recorded_outcome_answers_a_question_of_the_recorded_study():
    asked = {task.id for study in verification.STUDIES for task in study.tasks()}
    outcomes = recorded.recorded_outcomes()
    assert outcomes.keys() == asked and all(outcome.recorded for outcome in outcomes.values())
