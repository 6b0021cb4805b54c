"""What was recorded beforehand and comes with the program.

All of it was made in the reproducible mode by ``pgcn record`` (files of :data:`ASSETS`):

cora-pgcn.jsonl.gz    the events of the run that greets a visitor
cora-gcn.json         the GCN beside it, ten seeds
cora-maps.json.gz     its 2-D embeddings, step by step (their libraries promise no bits; they are not verified)
difficulty.jsonl.gz   the outcomes of the difficulty study

:mod:`pgcn.verification` computes it again and says what differs. No torch here.
"""

import gzip
import json
from typing import TYPE_CHECKING, Any

from pgcn.events import Event, event_from_dict
from pgcn.places import dashboard_folder
from pgcn.studies.baseline import Baseline

if TYPE_CHECKING:  # a page shows the recorded run before anything of the study is imported
    from pgcn.studies.results import Outcome

ASSETS = dashboard_folder() / "assets"
RUN, GCN, MAPS, STUDY = "cora-pgcn.jsonl.gz", "cora-gcn.json", "cora-maps.json.gz", "difficulty.jsonl.gz"
RUN_SEED = 3
"""Of the run that greets a visitor."""


def recorded_events() -> list[Event]:
    """Return the events of the run that greets a visitor."""
    with gzip.open(ASSETS / RUN, "rt", encoding="utf-8") as file:
        return [event_from_dict(json.loads(line)) for line in file]


def recorded_gcn() -> Baseline:
    """Return what the GCN on the same graph reached."""
    gcn = json.loads((ASSETS / GCN).read_text(encoding="utf-8"))
    return Baseline(
        seeds=gcn["runs"],
        parameters=round(gcn["parameters"]["mean"]),
        val=gcn["val_accuracy"]["mean"],
        val_sd=gcn["val_accuracy"]["sd"],
        test=gcn["test_accuracy"]["mean"],
        test_sd=gcn["test_accuracy"]["sd"],
    )


def recorded_maps() -> dict[str, Any]:
    """Return the 2-D embeddings of the recorded run as the browser takes them."""
    with gzip.open(ASSETS / MAPS, "rt", encoding="utf-8") as file:
        return json.load(file)


def recorded_outcomes() -> "dict[str, Outcome]":
    """Return what was recorded of the difficulty study, by the id of the question."""
    from pgcn.studies.results import outcome_from_dict

    with gzip.open(ASSETS / STUDY, "rt", encoding="utf-8") as lines:
        # How long they took on another machine says nothing about this one.
        known = [{**json.loads(line), "seconds": None, "recorded": True} for line in lines]
    return {values["run"]: outcome_from_dict(values) for values in known}
