"""What was recorded beforehand: the run that greets a visitor, and the outcomes of the difficulty study.

The run is that of ``pgcn grow --dataset cora --seed 3 --json``, with its yardstick.
"""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.events import event_from_dict
from pgcn.figures.film import film
from pgcn.yardstick import Yardstick

if TYPE_CHECKING:
    from pgcn.studies.difficulty import Task
    from pgcn.studies.results import Outcome

ASSETS = Path(__file__).parents[2] / "assets"


@st.cache_data(show_spinner=False)
def recorded_film() -> dict[str, Any]:
    """Return the recorded run as a film; nothing is computed but its pictures."""
    with gzip.open(ASSETS / "cora-pgcn.jsonl.gz", "rt", encoding="utf-8") as file:
        events = [event_from_dict(json.loads(line)) for line in file]
    gcn = json.loads((ASSETS / "cora-gcn.json").read_text(encoding="utf-8"))
    yardstick = Yardstick(
        seeds=gcn["runs"],
        parameters=round(gcn["parameters"]["mean"]),
        val=gcn["val_accuracy"]["mean"],
        val_sd=gcn["val_accuracy"]["sd"],
        test=gcn["test_accuracy"]["mean"],
        test_sd=gcn["test_accuracy"]["sd"],
    )
    return film(events, name="recorded", badge="recorded run", baseline=yardstick)


@st.cache_resource(show_spinner=False)
def recorded_outcomes() -> "dict[str, Outcome]":
    """Return what was recorded of the difficulty study by ``pgcn difficulty --json``, by the id of the question."""
    from pgcn.studies.results import outcome_from_dict

    file = ASSETS / "difficulty.jsonl.gz"
    if not file.is_file():
        return {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        # How long they took on another machine says nothing about this one.
        outcomes = [outcome_from_dict({**json.loads(line), "seconds": None}) for line in lines]
    return {outcome.run: outcome for outcome in outcomes}


def with_recorded(tasks: "Sequence[Task]", own: "Sequence[Outcome]") -> "list[Outcome]":
    """Return what was computed here, and for the same questions what comes with the program."""
    known, recorded = {outcome.run: outcome for outcome in own}, recorded_outcomes()
    found = (known.get(task.id) or recorded.get(task.id) for task in tasks)
    return [outcome for outcome in found if outcome is not None]
