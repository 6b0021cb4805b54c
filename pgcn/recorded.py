"""What was recorded beforehand and comes with the program.

All of it was made in the reproducible mode by ``pgcn record`` (files of :data:`ASSETS`):

cora-first.jsonl.gz   the events of the run that greets a visitor: few features, half of the nodes labelled
cora-first-gcn.json   the GCN beside it, ten seeds
cora-first-gcn-run.jsonl.gz  the events of the first of these seeds, which races with that run
cora-first-graph.json.gz  a sample of its graph, with what each of its networks predicts
cora-first-inside.json.gz  what the neurons of each of its networks have learned, by step
cora-pgcn.jsonl.gz    the events of a run on the public split
cora-gcn.json         the GCN beside it, ten seeds
cora-maps.json.gz     its 2-D embeddings, step by step (their libraries promise no bits; they are not verified)
cora-graph.json.gz    a sample of its graph, with what each of its networks predicts; made of these embeddings
difficulty.jsonl.gz   the outcomes of the difficulty study; on Cora with the presets reproduction and pagerank
arena.jsonl.gz        the outcomes of the arena
search-cora.jsonl.gz  the events of its search by GraphNAS on Cora; beside it those of random search over the same
                      space and of a PGCN that grows (search-cora-random, search-cora-pgcn)
portraits.json.gz     the data sets that come with the program at a glance (pgcn.embeddings.portrait), by name
sweep-cora.jsonl.gz   the paper's grid of settings on Cora, 900 runs
landscape-cora.jsonl.gz  fixed topologies of Cora over widths and depths, and the paths of growth among them: on the
                      public split, (landscape-cora-pagerank) there with the preset pagerank, and
                      (landscape-cora-30) with 30 features and half of the nodes labelled

:mod:`pgcn.verification` computes runs, studies and the arena again and says what differs. No torch here.
"""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pgcn.events import EpochsTrained, Event, event_from_dict
from pgcn.places import dashboard_folder
from pgcn.studies.baseline import Baseline

if TYPE_CHECKING:  # a page shows the recorded run before anything of the study is imported
    from pgcn.studies.arena.results import ArenaOutcome
    from pgcn.studies.difficulty.results import Outcome
    from pgcn.studies.landscape import Landscape
    from pgcn.studies.landscape.outcomes import LandscapeOutcome
    from pgcn.studies.landscape.results import LandscapeResults
    from pgcn.studies.sweep.results import SweepResults

ASSETS = dashboard_folder() / "assets"
RUN, GCN, EMBEDDINGS, STUDY = "cora-pgcn.jsonl.gz", "cora-gcn.json", "cora-maps.json.gz", "difficulty.jsonl.gz"
ARENA, SWEEP = "arena.jsonl.gz", "sweep-cora.jsonl.gz"
SEARCH = "search-cora.jsonl.gz"
GRAPH, PORTRAITS = "cora-graph.json.gz", "portraits.json.gz"
RIVALS = {"random": "search-cora-random.jsonl.gz", "pgcn": "search-cora-pgcn.jsonl.gz"}
"""What the recorded search is measured against, by method."""
FIRST, FIRST_GCN, FIRST_SAMPLE = "cora-first.jsonl.gz", "cora-first-gcn.json", "cora-first-graph.json.gz"
FIRST_INSIDE = "cora-first-inside.json.gz"
FIRST_GCN_RUN = "cora-first-gcn-run.jsonl.gz"
LANDSCAPES = {
    "landscape-cora.jsonl.gz": ({"name": "cora"}, "reproduction", {}),
    "landscape-cora-pagerank.jsonl.gz": ({"name": "cora"}, "pagerank", {}),
    "landscape-cora-30.jsonl.gz": (
        {"name": "cora", "split": "fraction:0.5", "dims": 30},
        "reproduction",
        {"dropout": 0.1},
    ),
}
"""By file: the graph, the preset, and what of it is changed: where few features are left, fewer are dropped."""
RUN_SEED = 3
"""Of both recorded runs."""
FIRST_GRAPH = {"name": "cora", "split": "fraction:0.5", "dims": 30}
FIRST_PRESET, FIRST_CHANGES = "tuned", {"block_width": 10, "epochs": 60}
"""What greets a visitor is what growth is for: few features and many labels, so that several layers pay."""


def first_events() -> list[Event]:
    """Return the events of the run that greets a visitor."""
    return read_events(ASSETS / FIRST)


def first_gcn_events() -> list[Event]:
    """Return the events of a GCN on the graph of the run that greets a visitor, with seed 0."""
    return read_events(ASSETS / FIRST_GCN_RUN)


def recorded_events() -> list[Event]:
    """Return the events of the run on the public split, whose 2-D embeddings are recorded too."""
    return read_events(ASSETS / RUN)


def recorded_search(name: str = SEARCH) -> list[Event]:
    """Return the events of the search of architectures that comes with the program, without losses in training."""
    return read_events(ASSETS / name) if (ASSETS / name).is_file() else []


def read_events(path: Path) -> list[Event]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [event_from_dict(json.loads(line)) for line in file]


def write_search(path: Path, events: "Sequence[Event]") -> None:
    """Write the events of a search as :func:`recorded_search` reads them."""
    kept = (event for event in events if not isinstance(event, EpochsTrained))
    lines = "".join(f"{json.dumps(event.to_dict())}\n" for event in kept)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def first_gcn() -> Baseline:
    """Return what the GCN reached on the graph of the run that greets a visitor."""
    return recorded_gcn(FIRST_GCN)


def recorded_gcn(file: str = GCN) -> Baseline:
    """Return what the GCN reached on the graph of a recorded run."""
    gcn = json.loads((ASSETS / file).read_text(encoding="utf-8"))
    return Baseline(
        seeds=gcn["runs"],
        parameters=round(gcn["parameters"]["mean"]),
        val=gcn["val_accuracy"]["mean"],
        val_sd=gcn["val_accuracy"]["sd"],
        test=gcn["test_accuracy"]["mean"],
        test_sd=gcn["test_accuracy"]["sd"],
    )


def recorded_embeddings() -> dict[str, Any]:
    """Return the 2-D embeddings of the recorded run as the browser takes them."""
    return read_json(ASSETS / EMBEDDINGS)


def recorded_graph() -> dict[str, Any]:
    """Return the sample of the recorded run's graph, with what each of its networks predicts."""
    return read_json(ASSETS / GRAPH)


def first_graph() -> dict[str, Any]:
    """Return the same of the run that greets a visitor."""
    return read_json(ASSETS / FIRST_SAMPLE)


def first_inside() -> dict[str, Any]:
    """Return the class profiles of its networks, by step (:func:`pgcn.inside.stored.profile_values`)."""
    return read_json(ASSETS / FIRST_INSIDE)


def recorded_portraits() -> dict[str, dict[str, Any]]:
    """Return the data sets that come with the program at a glance, by name."""
    return read_json(ASSETS / PORTRAITS)


def read_json(path: Path) -> dict[str, Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def recorded_outcomes() -> "dict[str, Outcome]":
    """Return what was recorded of the difficulty study, by the id of the question."""
    from pgcn.studies.difficulty.results import outcome_from_dict

    with gzip.open(ASSETS / STUDY, "rt", encoding="utf-8") as lines:
        # How long they took on another machine says nothing about this one.
        known = [{**json.loads(line), "seconds": None, "recorded": True} for line in lines]
    return {values["run"]: outcome_from_dict(values) for values in known}


def recorded_arena(path: Path = ASSETS / ARENA) -> "dict[str, ArenaOutcome]":
    """Return what was recorded of the arena, by the id of the question; nothing where it has not been recorded.

    Seconds are of the machine that recorded it, all of it the same one; while it recorded PubMed and the searches,
    others computed on it too.
    """
    from pgcn.studies.arena.results import outcome_from_dict

    if not path.is_file():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        known = [{**json.loads(line), "recorded": True} for line in lines]
    return {values["run"]: outcome_from_dict(values) for values in known}


def write_arena(path: Path, outcomes: "Sequence[ArenaOutcome]") -> None:
    """Write outcomes of the arena as :func:`recorded_arena` reads them."""
    lines = "".join(f"{json.dumps(vars(outcome))}\n" for outcome in outcomes)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def recorded_sweep(path: Path = ASSETS / SWEEP) -> "SweepResults | None":
    """Return what was recorded of the paper's grid of settings; None where it has not been recorded."""
    from pgcn.studies.sweep.outcomes import read_lines
    from pgcn.studies.sweep.results import SweepResults

    if not path.is_file():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return SweepResults(*read_lines(lines), recorded=True)


def write_sweep(path: Path, results: "SweepResults") -> None:
    """Write a sweep as :func:`recorded_sweep` reads it."""
    from pgcn.studies.sweep.outcomes import written_lines

    lines = "".join(f"{line}\n" for line in written_lines(results.sweep, results.outcomes))
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def recorded_landscapes(folder: Path = ASSETS) -> "list[tuple[Landscape, list[LandscapeOutcome]]]":
    """Return the landscapes that come with the program, with their outcomes; those that have been recorded."""
    from pgcn.studies.landscape.outcomes import read_lines

    found = []
    for name in LANDSCAPES:
        if (folder / name).is_file():
            with gzip.open(folder / name, "rt", encoding="utf-8") as lines:
                found.append(read_lines(lines))
    return found


def write_landscape(path: Path, results: "LandscapeResults") -> None:
    """Write a landscape as :func:`recorded_landscapes` reads it."""
    from pgcn.studies.landscape.outcomes import written_lines

    lines = "".join(f"{line}\n" for line in written_lines(results.landscape, results.outcomes))
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))
