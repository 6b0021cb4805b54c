"""The house stays in order: who imports whom, what starts quickly, what the README promises."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pgcn import _HOMES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pgcn"

# From the ground up: a module may import what stands on its own floor or below, never above.
FLOORS = [
    {"errors", "generators", "limits", "numbers", "places", "tables", "temporary", "web"},
    {"config", "events", "reproducible", "source"},
    {"store"},
    {"graph"},
    {"data", "engine"},
    {"methods"},
    {"execution"},
    {"studies", "embeddings", "inside", "lessons", "predictions", "recorded"},
    {"bench", "views", "verification"},
    {"cli", "ui"},
]


def floor_of(module: str) -> int | None:
    return next((number for number, floor in enumerate(FLOORS) if module in floor), None)


def imports_of(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "pgcn":  # a module, or a name from one
            yield from (_HOMES.get(alias.name, f"pgcn.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts != ("__init__.py",))


def home_of(path: Path) -> str:
    """Return the folder or module of pgcn that a source belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_imports_never_point_upward():
    homes = {home_of(path) for path in SOURCES} - {"__main__"}
    homeless = sorted(home for home in homes if floor_of(home) is None)
    assert not homeless, f"give these a floor: {', '.join(homeless)}"
    upward = [
        f"{path.relative_to(ROOT)} imports {name}, which stands above it"
        for path in SOURCES
        for name in imports_of(path)
        if name.startswith("pgcn.") and home_of(path) in homes
        if floor_of(name.split(".")[1]) > floor_of(home_of(path))
    ]
    assert not upward, "\n".join(upward)


@pytest.mark.parametrize(
    ("line", "imported"),
    [
        ("from pgcn import cli", "pgcn.cli"),
        ("from pgcn import grow", "pgcn.execution.start"),
        ("from pgcn.cli import main", "pgcn.cli"),
        ("import pgcn.cli.text", "pgcn.cli.text"),
    ],
)
def test_every_way_to_import_a_module_is_seen(tmp_path, line, imported):
    (tmp_path / "module.py").write_text(line)
    assert list(imports_of(tmp_path / "module.py")) == [imported]


def test_no_part_of_a_page_refreshes_itself_before_the_page_is_sent():
    """What refreshes itself by other means than ``refreshed`` may leave the tab blank (tests/e2e/test_shell.py)."""
    by = [path.relative_to(ROOT).as_posix() for path in SOURCES if "run_every" in path.read_text()]
    assert by == ["pgcn/ui/refreshing.py"]
    pages = list(PACKAGE.glob("ui/*/page.py"))
    assert len(pages) == 10 and all("@whole_page\n@timed" in page.read_text() for page in pages)


def test_the_core_imports_neither_streamlit_nor_plotly():
    allowed = {"views": {"plotly"}, "ui": {"plotly", "streamlit"}}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in SOURCES
        for name in imports_of(path)
        if name.split(".")[0] in {"streamlit", "plotly"} - allowed.get(home_of(path), set())
    ]
    assert not wrong, "\n".join(wrong)


HEAVY = ("torch", "torch_geometric", "sklearn", "umap", "numba", "openTSNE")
UI = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted((PACKAGE / "ui").rglob("*.py"))]
FIRST = ["pgcn", "pgcn.cli", *(name.removesuffix(".__init__") for name in UI)]
"""What 'pgcn --help' and the first paint of every page import, and with these all that they import."""


@pytest.mark.parametrize("modules", [FIRST[:2], FIRST], ids=["pgcn --help", "every page"])
def test_what_is_imported_first_imports_nothing_heavy(modules):
    probe = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", probe, *modules], text=True).split()
    assert not set(HEAVY) & set(loaded)
    assert set(modules) <= set(loaded)


def test_the_first_page_waits_neither_for_a_database_nor_for_tables():
    probe = "import sys, pgcn.ui.grow.page, pgcn.ui.shell\nprint(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", probe], text=True, stderr=subprocess.DEVNULL).split()
    assert not {"sqlalchemy", "pandas", "numpy", "scipy"} & set(loaded)


def test_the_readme_example_runs(cora, capsys, monkeypatch, data_dir, tmp_path):
    if data_dir is not None:
        monkeypatch.setenv("PGCN_DATA_DIR", str(data_dir))
    monkeypatch.chdir(tmp_path)
    example = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    exec(compile(example, "README.md", "exec"), {})
    assert "1433" in capsys.readouterr().out


def test_the_top_level_holds_what_belongs_there_and_nothing_else():
    """Data sets that a test fetched into the folder it ran in were once committed with everything else."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    top = {file.split("/")[0] for file in files if not file.startswith(".")}
    known = {"app.py", "pages", "pgcn", "tests", "assets", "pyproject.toml"}
    assert top == known | {"README.md", "LICENSE", "CONTRIBUTING.md", "RESULTS.md"}


def test_the_tests_mirror_the_package():
    """The tests of a folder are in the folder of its name; those of web/ are the tests in a browser."""
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert folders - {"web"} <= {path.name for path in (ROOT / "tests").iterdir()}


def test_ci_runs_exactly_the_test_command_of_the_readme():
    command = "pip install -e '.[test]' && pytest"
    assert command in (ROOT / "README.md").read_text()
    assert command in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_readme_shows_the_folders_there_are():
    lines = (ROOT / "README.md").read_text().split("## The folders")[1].split("```")[1].splitlines()
    first = lines.index("pgcn/") + 1
    inside = [line for line in lines[first:] if line.startswith("  ")]
    named = {name for line in inside for name in line[:20].split()}  # the left column
    named |= set(re.findall(r"\b\w+\.py\b", "\n".join(inside))) - {"app.py"}  # more files on the same line
    entries = [entry for entry in PACKAGE.iterdir() if not entry.name.startswith("__")]
    assert named == {f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries}
    for line in lines[:first] + [line for line in lines[first:] if line not in inside]:
        assert all((ROOT / name).exists() for name in line[:20].split())


@pytest.mark.slow
def test_the_types_of_the_core_are_sound():
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]], ids=" ".join)
def test_the_code_is_clean(arguments):
    ruff = shutil.which("ruff") or pytest.skip("ruff is not installed")
    done = subprocess.run([ruff, *arguments, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
