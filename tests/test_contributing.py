"""The steps of CONTRIBUTING.md, done: a file format and a page (a method is in methods/throwaway)."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pgcn.data.importers.assemble import assemble
from pgcn.data.importers.options import ImportOptions
from pgcn.data.importers.parts import Parts
from pgcn.errors import DataError, PgcnError
from pgcn.execution.execute import execute
from pgcn.execution.graphs import named_source
from pgcn.execution.spec import RunSpec
from pgcn.methods.gcn import GCNConfig
from pgcn.store import Store

ROOT = Path(__file__).parents[1]


def read_friends(path):
    """Step 1: read 'person,club,friend friend ...' lines; a person's features are the friends."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    for number, row in enumerate(rows, start=1):
        if len(row) != 3:  # step 3
            raise DataError(
                f"{path.name}, line {number}: expected person, club and friends, got {len(row)} columns."
            )
    people = {row[0]: number for number, row in enumerate(rows)}
    edges = [(people[row[0]], people[friend]) for row in rows for friend in row[2].split()]
    part = np.arange(len(rows)) % 3
    return Parts(
        name=path.stem,
        ids=pa.array(people),
        num_nodes=len(people),
        matrix=np.eye(len(rows)),
        edges=np.array(edges).T,
        labels=np.array([row[1] for row in rows]),
        masks={"train": part == 0, "val": part == 1, "test": part == 2},
    )


LINES = ["ann,chess,bob cal", "bob,chess,ann", "cal,chess,ann", "dee,golf,eve fay", "eve,golf,dee", "fay,golf,gus"]


def test_a_file_format_is_added_by_its_five_steps(tmp_path):
    path = tmp_path / "friends.csv"
    path.write_text("\n".join([*LINES, "gus,golf,fay"]), encoding="utf-8")
    graph = assemble(read_friends(path), ImportOptions())
    assert graph.notes and graph.class_names == ("chess", "golf") and graph.node_names[0] == "ann"
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    store.add_graph(graph, name="friends")  # step 4
    spec = RunSpec(method="gcn", config=GCNConfig(epochs=5), source=named_source(store, "friends"))
    assert execute([spec], store).finish()[0].scores is not None
    assert store.runs()[0].dataset == "friends"
    store.close()
    path.write_text("\n".join([*LINES, "gus,golf"]), encoding="utf-8")  # step 5
    with pytest.raises(DataError, match=r"friends\.csv, line 7: expected person, club and friends, got 2 columns"):
        read_friends(path)
    path.write_text("ann,chess,ann\nbob,golf,bob", encoding="utf-8")
    with pytest.raises(PgcnError, match="class"):
        assemble(read_friends(path), ImportOptions())


PAGE = """
import streamlit as st

from pgcn.ui.refreshing import whole_page
from pgcn.ui.timing import timed


@whole_page
@timed("throwaway page")
def show_throwaway_page() -> None:
    st.markdown("#### It works")
"""
ENTRY = '    "throwaway": ("pages/throwaway.py", "Throwaway"),\n'
VISIT = """
from streamlit.testing.v1 import AppTest

for script in ("app.py", "pages/throwaway.py"):
    page = AppTest.from_file(script, default_timeout=60).run()
    assert not page.exception, page.exception
assert page.markdown[0].value == "#### It works"
"""


def test_a_page_is_added_by_its_steps_to_a_copy_of_the_program(tmp_path):
    for name in ("app.py", "pages", "pgcn", "assets"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    (tmp_path / "pgcn" / "ui" / "throwaway").mkdir()  # step 1
    (tmp_path / "pgcn" / "ui" / "throwaway" / "page.py").write_text(PAGE, encoding="utf-8")
    example = (tmp_path / "pages" / "runs.py").read_text(encoding="utf-8")  # step 3
    (tmp_path / "pages" / "throwaway.py").write_text(example.replace("runs", "throwaway"), encoding="utf-8")
    shell = tmp_path / "pgcn" / "ui" / "shell.py"
    listed = shell.read_text(encoding="utf-8").replace("PAGES = {\n", "PAGES = {\n" + ENTRY)
    shell.write_text(listed, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PGCN_STORE": f"sqlite:///{tmp_path / 'runs.db'}"}
    visit = [sys.executable, "-c", VISIT]
    done = subprocess.run(visit, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


RECIPES = ("Add a method", "Add a file format", "Add a page")


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_about_ten_lines(recipe):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"## {recipe}\n")[1].split("\n## ")[0]
    assert len(text.strip().splitlines()) <= 11


def test_what_contributing_names_is_there():
    words = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("`")[1::2]
    files = [word for word in words if word.endswith((".py", "/")) and "NAME" not in word]
    assert len(files) > 8
    assert [file for file in files if not (ROOT / file).exists()] == []
