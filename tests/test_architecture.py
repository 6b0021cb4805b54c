"""The house stays in order: who imports whom, what starts quickly, what the README promises."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pgcn"

# From the ground up: a module may import what stands on its own floor or below, never above.
FLOORS = [
    {"errors", "places", "web"},
    {"config", "events", "reproducible"},
    {"graph"},
    {"data", "engine"},
    {"methods"},
    {"store"},
    {"execution"},
    {"studies", "embeddings", "lessons", "recorded"},
    {"bench", "views", "verification"},
    {"cli", "ui"},
]


def floor_of(module: str) -> int | None:
    return next((number for number, floor in enumerate(FLOORS) if module in floor), None)


def imports_of(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts != ("__init__.py",))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_never_point_upward(path):
    home = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if home == "__main__":
        return
    assert floor_of(home) is not None, f"{home} has no floor: give it one"
    for name in imports_of(path):
        if name.startswith("pgcn."):
            target = name.split(".")[1]
            assert floor_of(target) <= floor_of(home), f"{path.name} imports {name}, which stands above it"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_imports_neither_streamlit_nor_plotly(path):
    allowed = {"views": {"plotly"}, "ui": {"plotly", "streamlit"}}.get(path.relative_to(PACKAGE).parts[0], set())
    assert not {name.split(".")[0] for name in imports_of(path)} & ({"streamlit", "plotly"} - allowed)


HEAVY = ("torch", "torch_geometric", "sklearn", "umap", "numba", "openTSNE")
FIRST = ["pgcn", "pgcn.cli", *(f"pgcn.ui.{path.stem}" for path in sorted((PACKAGE / "ui").glob("*.py")))]
"""What 'pgcn --help' and the first paint of every page import, and with these all that they import."""


@pytest.mark.parametrize("modules", [FIRST[:2], FIRST], ids=["pgcn --help", "every page"])
def test_what_is_imported_first_imports_nothing_heavy(modules):
    probe = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", probe, *modules], text=True).split()
    assert not set(HEAVY) & set(loaded)
    assert set(modules) - {"pgcn.ui.__init__"} <= set(loaded)


def test_the_readme_example_runs(cora, capsys, monkeypatch, data_dir, tmp_path):
    if data_dir is not None:
        monkeypatch.setenv("PGCN_DATA_DIR", str(data_dir))
    monkeypatch.chdir(tmp_path)
    example = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    exec(compile(example, "README.md", "exec"), {})
    assert "1433" in capsys.readouterr().out


def test_ci_runs_exactly_the_test_command_of_the_readme():
    command = "pip install -e '.[test]' && pytest"
    assert command in (ROOT / "README.md").read_text()
    assert command in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_readme_shows_the_folders_there_are():
    readme = (ROOT / "README.md").read_text()
    for entry in (*PACKAGE.iterdir(), ROOT / "app.py"):
        if (entry.suffix == ".py" and entry.stem.startswith("__")) or entry.name == "__pycache__":
            continue
        assert entry.name in readme, f"{entry.name} is not in the README's folder map"


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]], ids=" ".join)
def test_the_code_is_clean(arguments):
    ruff = shutil.which("ruff") or pytest.skip("ruff is not installed")
    done = subprocess.run([ruff, *arguments, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
