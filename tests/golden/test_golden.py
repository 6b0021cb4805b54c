"""What was made before opens now: a store, links, and the very numbers.

This folder holds a store written by version 0.2.0 (runs that finished, were interrupted, cancelled and deleted, a
reproducible one, a GCN's, a batch, a study, embeddings, a name and a note), what was in it, links, and digests.
"""

import gzip
import json
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
import sqlalchemy as sa
import torch
from golden import ids
from tools import reproducible_environment, skip_unless_reproducible

from pgcn.config import IDENTITY
from pgcn.events import event_from_dict
from pgcn.execution.recorder import resume_stored, stored_model, stored_models
from pgcn.store import Store
from pgcn.store.embeddings import EmbeddingCache
from pgcn.store.schema import EMBEDDINGS
from pgcn.studies.difficulty import Study, study_growth
from pgcn.studies.difficulty.results import stored_outcomes
from pgcn.ui.difficulty.question import question_from_query
from pgcn.ui.embedding.session import config_from_query, view_from_query
from pgcn.ui.grow.session import SHOWN
from pgcn.ui.grow.settings import settings_from_query
from pgcn.ui.learn.stops import STOPS

GOLDEN = Path(__file__).parent
KNOWN = json.loads((GOLDEN / "store.json").read_text())
LINKS = (GOLDEN / "links.txt").read_text().split()
DIGESTS = (GOLDEN / "digests.txt").read_text().splitlines()
IDS = (GOLDEN / "ids.txt").read_text().splitlines()
INTEL = (GOLDEN / "intel.txt").read_text().splitlines()


@pytest.fixture
def store(tmp_path):
    """The old store, its interrupted run as left behind by a process of this machine that is gone."""
    file = tmp_path / "runs.db"
    file.write_bytes(gzip.decompress((GOLDEN / "store.db.gz").read_bytes()))
    with sqlite3.connect(file) as old:
        old.execute("UPDATE runs SET owner = ?", (f"{socket.gethostname()}/1/0.0",))
    old.close()
    store = Store(f"sqlite:///{file}")
    yield store
    store.close()


@pytest.mark.parametrize("run", KNOWN["runs"], ids=lambda run: run[:8])
def test_every_run_of_an_old_store_is_there_with_its_events_and_networks(store, run):
    was, stored = KNOWN["runs"][run], store.run(run)
    for name in ("status", "method", "name", "note", "batch", "parameters"):
        assert getattr(stored, name) == was[name], name
    assert list(stored.topology) == was["topology"]
    assert len(store.events(run)) == was["events"] and len(stored_models(store, run)) == was["networks"]
    model = stored_model(store, run)
    assert model.num_parameters == was["parameters"]
    features = torch.rand(7, model.architecture.num_features)
    assert model(features, torch.tensor([[0, 1], [1, 0]])).shape == (7, model.architecture.num_classes)


def test_old_runs_are_listed_and_deleted_ones_can_be_restored(store):
    assert {run.id for run in store.runs()} | {"d" * 32} == KNOWN["runs"].keys()
    store.restore("d" * 32)
    assert {run.id for run in store.runs()} == KNOWN["runs"].keys()
    assert len(store.runs(batch="b" * 32)) == 3


@pytest.mark.parametrize("run", ["a" * 32, "c" * 32], ids=["interrupted", "cancelled"])
def test_an_old_run_goes_on_to_its_end(store, run):
    going_on, _ = resume_stored(store, run)
    result = going_on.finish()
    assert result.finished.status == "finished" and store.run(run).status == "finished"
    assert store.run(run).topology == result.topology


def test_an_old_study_is_found_by_the_same_question(store):
    growth = study_growth(epochs=4, max_layers=1, max_width=10)
    methods = ("pgcn-ce", "gcn", "matched-gcn", "same-topology")
    study = Study(dataset="synthetic", dims=(5, 20), experiments=1, growth=growth, methods=methods)
    assert [task.id for task in study.tasks()] == KNOWN["study"]
    assert len(stored_outcomes(study, store)) == len(KNOWN["study"]) == 8


def test_old_embeddings_can_be_read(store):
    with store.database.reading() as connection:
        keys = list(connection.scalars(sa.select(EMBEDDINGS.c.key)))
    cache = EmbeddingCache(store)
    maps = [kept.arrays["map"] for key in keys if "map" in (kept := cache.get(key)).arrays]
    assert len(maps) > 10 and all(map.shape == (120, 2) for map in maps)


@pytest.mark.parametrize("link", LINKS)
def test_an_old_link_is_understood_whole(store, link):
    page, query = urlsplit(link).path, dict(parse_qsl(urlsplit(link).query))
    complaints = []
    if page == "/":
        own = {name: value for name, value in query.items() if name not in (*SHOWN, "at")}
        settings, complaints = settings_from_query(own)
        assert settings.to_query() == own
    elif page == "/difficulty":
        question, complaints = question_from_query(query)
        assert question.to_query() == query
    elif page == "/embedding":
        complaints = config_from_query(query)[1] + view_from_query(query)[1]
    elif page == "/learn":
        assert query["stop"] in STOPS
    assert complaints == []
    if "run" in query:
        assert store.run(query["run"])
    if "batch" in query:
        assert store.runs(batch=query["batch"])


SLOW = (("tall", 2), ("cora", 5), ("citeseer", 5), ("pubmed", 5))
PRESETS_AND_SEEDS = [("karate", 5), ("synthetic", 5), *(pytest.param(*one, marks=pytest.mark.slow) for one in SLOW)]


@pytest.mark.parametrize(("graph", "seeds"), PRESETS_AND_SEEDS)
def test_every_preset_gives_the_runs_it_gave(graph, seeds, request):
    """Events and weights of seeds 0 to 4, to the last bit; written on an AMD Zen 4."""
    skip_unless_reproducible()
    if not str(torch.__version__).startswith("2.13."):
        pytest.skip(f"the digests are those of torch 2.13, this is torch {torch.__version__}")
    env = reproducible_environment()
    if graph in ("cora", "citeseer", "pubmed") and (folder := request.getfixturevalue("data_dir")):
        env["PGCN_DATA_DIR"] = str(folder)
    command = [sys.executable, GOLDEN / "digests.py", graph, str(seeds)]
    found = subprocess.check_output(command, env=env, text=True).splitlines()
    known = [line.split() for line in DIGESTS if line.startswith(f"{graph} ")]
    assert [line.split() for line in found] == [line for line in known if int(line[2]) < seeds]


def test_an_event_of_a_later_version_is_read_without_what_is_not_known_yet(store):
    started = store.events("f" * 32)[0]
    assert event_from_dict({**started.to_dict(), "invented_later": [1, 2]}) == started


def test_ids_of_stored_questions_do_not_depend_on_the_version_of_the_program():
    """The old study was stored under version 0.2.0; IDENTITY keeps its ids whatever the version is now."""
    assert IDENTITY == "0.2.0"


def test_every_question_has_the_id_it_had():
    """A changed id orphans what is stored under it: a setting that comes later is declared with ``later=True``."""
    found = [line.split() for line in ids.lines()]
    written = [line.split() for line in IDS]
    changed = [(line, known) for line in found for known in written if line[:2] == known[:2] and line != known]
    assert changed == []
    assert sorted(found) == sorted(written)  # a new method or preset adds its lines to ids.txt


@pytest.mark.parametrize("line", INTEL)
def test_another_cpu_found_the_same_networks(line):
    """The weights of seeds 0 and 1, found on an Intel Emerald Rapids, are among those written on an AMD Zen 4."""
    graph, preset, seed, weights, *rest = line.split()
    (found,) = [known.split() for known in DIGESTS if known.startswith(f"{graph} {preset} {seed} ")]
    assert found[4:] == [weights, *rest]
