"""Whatever is typed after pgcn: an answer or one clear sentence, exit code 0 or 2, at once and without a traceback.

Everything runs in this process. What would take long (much training, processes, downloads) is where it would begin
replaced by a sentence; what is small is really done, on the karate club.
"""

import subprocess

import pytest
from hypothesis import strategies as st
from nasty import CASES, TEXTS, attack

from pgcn import data
from pgcn.cli import COMMANDS as commands_of_pgcn
from pgcn.cli import app, main, record, running, study_progress, verify
from pgcn.errors import PgcnError
from pgcn.execution import execute as executing
from pgcn.execution import start as starting
from pgcn.methods.registry import METHODS
from pgcn.store import Store
from pgcn.studies.ablation import ablation
from pgcn.studies.difficulty import CONTENDERS

TOO_LONG = "This would take too long for a test."
TINY = ["--dataset", "karate", "--set", "epochs=1"]


def refuse(*_, **__):
    raise PgcnError(TOO_LONG)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a store that holds a run, a folder and a file, where all commands are tried."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "folder").mkdir()
    (folder / "file").write_text("text")
    rows = "".join(f"{number},{'ab'[number % 2]},{number},some kind words\n" for number in range(9))
    (folder / "nodes.csv").write_text(f"id,label,age,note\n{rows}")
    (folder / "edges.csv").write_text("source,target,weight\n0,1,2\n1,2,1\n3,4,1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGCN_STORE", f"sqlite:///{folder / 'runs.db'}")
        patch.setenv("PGCN_REPRODUCIBLE", "0")
        patch.chdir(folder)
        patch.setattr(running, "execute", small_only)
        patch.setattr(starting, "grow_many", refuse)
        for module, name in ((study_progress, "StudyRun"), (record, "record_run"), (data, "fetch")):
            patch.setattr(module, name, refuse)
        patch.setattr(verify.reproducible, "switch_on", lambda: None)
        patch.setattr(app.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0))
        patch.setattr("pgcn.data.obtain", refuse)
        patch.setattr("pgcn.data.importers.saved_pyg.pyg_dataset", refuse)
        patch.setattr("pgcn.verification.verifications", lambda **_: iter(()))
        patch.setattr("pgcn.bench.bench_epochs", refuse)
        patch.setattr("pgcn.bench.bench_scale", refuse)
        patch.setattr("pgcn.bench.bench_study", refuse)
        patch.setattr("pgcn.embeddings.embed.Embedding.__next__", refuse)
        patch.setattr("pgcn.studies.ablation.ablation", small_ablation)
        assert main(["grow", *TINY, "max_width=5", "max_layers=1", "--store"]) == 0
        store = Store()
        (stored,) = store.runs()
        store.close()
        yield stored.id


def small_only(specs, *given, **how):
    """Carry out what takes a moment."""
    config, source = specs[0].config, specs[0].source
    options = source.synthetic_options
    graph = source.name == "karate" or (source.name == "synthetic" and options.get("nodes", 10**6) <= 200)
    width = max(getattr(config, "max_width", 0), getattr(config, "block_width", 0), 1)
    wide = width <= 10 and getattr(config, "max_layers", 1) <= 2
    epochs = getattr(config, "epochs", 0) or config.child_epochs * (config.architectures + config.final_runs)
    small = epochs <= 3 and len(specs) <= 2 and how.get("workers", 1) <= 64 and wide
    if not (graph and small and options.get("words_per_node", 1) < 100):
        refuse()
    return executing.execute(specs, *given, **{**how, "workers": 1})


def small_ablation(graph, chosen, seeds, **how):
    """Carry out what takes a moment; a large graph may be there, loaded by another test."""
    epochs = max(contender.config.epochs for contender in chosen)
    if graph.num_nodes > 200 or epochs > 3 or len(chosen) * len(seeds) > 40:
        refuse()
    return ablation(graph, chosen, seeds, **how)


FLAGS = {
    "--dataset": ["karate", "synthetic", "cora"],
    "--split": ["public", "random:2", "fraction:0.5", "random:0", "fraction:nan"],
    "--split-seed": ["3"],
    "--dims": ["5"],
    "--seed": ["7"],
    "--runs": ["2", "100000000"],
    "--workers": ["1"],
    "--save": ["model.safetensors", "folder", "file/x", "no/such", "a" * 300],
    "--data-dir": ["folder", "file"],
    "--preset": ["tuned"],
    "--set": ["epochs=1", "max_width=10", "block_width=", "hidden=3,3", "device=cuda:99", "=", "a=b=c", "bias=yes"],
    "--with": [
        "nodes=60",
        "classes=2",
        "seed=3",
        "name=x",
        "split=x",
        "dims=3",
        "content=x",
        "store=x",
        "features=9",
    ],
    "--times": ["2"],
    "--widths": ["5,10", "0", "5,5"],
    "--depths": ["1,2", "100000000"],
    "--paths": ["2", "100000000"],
    "--with-setting": ["starts=2", "metric=val_loss,margin=0", "seed=1", ",", "epochs=1,=", "starts=100000000"],
    "--against": ["tuned", "gcn-16", "gcn-17", "pagerank"],
    "--datasets": ["karate", "cora,pubmed", "synthetic", "cora,cora", ","],
    "--search-runs": ["1", "100000000"],
    "--budget": ["1", "0", "100000000"],
    "--seconds": ["1", "nan", "1e9"],
    "--sessions": ["0", "100000000"],
    "--splits": ["2", "100000000"],
    "--format": ["latex", "csv", "markdown", "pdf"],
    "--size": ["1e-7"],
    "--perplexity": ["5"],
    "--nodes": ["20", "all"],
    "--step": ["last", "1"],
    "--out": ["out.csv", "folder", "folder.csv"],
    "--html": ["page.html", "folder"],
    "--events": ["events.csv", "events.jsonl", "folder"],
    "--model": ["model", "folder"],
    "--script": ["use.py", "folder", "use.txt"],
    "--csv": ["-", "folder", "runs.csv"],
    "--rates": ["50", "5,50"],
    "--experiments": ["1", "100000000"],
    "--methods": ["all", "gcn", *CONTENDERS],
    "--cluster": ["tcp://localhost:1"],
    "--port": ["8501"],
    "--grid": ["block_width=1,2", "dropout=0.1", "seed=1,2", "block_width=", "lambda1=1,1.0", "loss=ce,mse", "=1"],
    "--protocol": ["paper", "mine"],
    "--loss": ["ce", "mse"],
    "--record": ["sweep.jsonl.gz", "folder", "sweep.txt"],
    "--method": ["pca", "umap"],
    "--graph": ["karate", "mine", "cora"],
    "--label": ["label", "age"],
    "--text": ["note", "label,note"],
    "--ignore": ["age", "age,note"],
    "--weights": ["use", "ignore"],
    "--missing": ["median", "zero", "refuse"],
    "--scale": ["auto", "rows", "standard"],
    "--vocabulary": ["1", "100000000"],
    "--pyg": ["Amazon:Photo"],
    "--encoding": ["utf-16", "latin-1", "rot13"],
}
RUNS = ("--split", "--split-seed", "--dims", "--seed", "--runs", "--workers", "--save", "--set", "--with")
OWN = ("--label", "--text", "--ignore", "--weights", "--missing", "--scale", "--vocabulary", "--pyg", "--encoding")
COMMANDS = {
    "grow": (*RUNS, "--dataset", "--preset", "--budget"),
    "ablation": (*RUNS[:3], "--runs", "--set", "--with", "--dataset", "--preset", "--with-setting", "--against"),
    "advise": ("--dataset", "--split", "--split-seed", "--dims", "--with", "--seconds"),
    "gcn": (*RUNS, "--dataset"),
    "train": (*RUNS, "--dataset", "--preset"),
    "sensitivity": (*RUNS[:4], "--workers", "--set", "--with", "--times", "--size", "--preset"),
    "difficulty": ("--dims", "--rates", "--experiments", "--methods", "--preset", "--set", "--csv", "--cluster"),
    "search": (*RUNS, "--dataset", "--preset", "--budget", "--seconds"),
    "arena": ("--datasets", "--methods", "--runs", "--search-runs", "--budget", "--split", "--splits", "--csv"),
    "tables": ("--format", "--datasets", "--methods", "--runs", "--budget"),
    "store": (),
    "sweep": ("--grid", "--protocol", "--loss", "--runs", "--preset", "--set", "--csv", "--html", "--record"),
    "embed": ("--method", "--step", "--out", "--html", "--nodes", "--perplexity", "--seed", "--data-dir"),
    "export": ("--events", "--html", "--model", "--script", "--graph"),
    "resume": ("--data-dir",),
    "branch": ("--step", "--set", "--data-dir"),
    "data": ("--data-dir", *OWN),
    "predict": ("--out", "--graph", "--data-dir"),
    "explain": ("--data-dir",),
    "app": ("--port",),
    "landscape": (*RUNS[:3], "--widths", "--depths", "--runs", "--paths", "--preset", "--set", "--with", "--html"),
    "bench": ("--dataset", "--data-dir", "--sessions", "--seconds"),
    "record": (),
    "settings": (),
    "runs": (),
    "verify": ("--data-dir",),
}
OWN_GRAPHS = [
    ["add", "mine", "nodes.csv", "edges.csv"],
    ["add", "mine", "--nodes", "nodes.csv"],
    ["add", "other", "edges.csv"],
    ["add", "other", "file", "folder"],
    ["show", "mine"],
    ["show", "karate"],
    ["rm", "mine"],
    ["rm", "karate"],
]
SWITCHES = [
    "--json",
    "--store",
    "--calibrate",
    "--unknown",
    "--gcn",
    "--check",
    "--no-browser",
    "--help",
    "--version",
    "--all",
]


@st.composite
def command_lines(draw):
    command = draw(st.sampled_from(sorted(COMMANDS)))
    flags = COMMANDS[command]
    line = [command]
    if command in ("embed", "export", "resume", "branch", "predict", "explain"):
        line.append(draw(st.just("RUN") | TEXTS))
    if command == "explain":
        line.append(draw(st.sampled_from(["0", "33", "34", "-1", "9" * 30]) | TEXTS))
    if command == "train":
        line.append(draw(st.sampled_from(sorted(METHODS)) | TEXTS))
    if command == "search":
        line.append(draw(st.sampled_from(sorted(METHODS)) | TEXTS))
    if command == "store":
        line.append(draw(st.sampled_from(["check", "repair"]) | TEXTS))
    if command == "record":
        line.append(draw(st.sampled_from(["folder", "file"]) | TEXTS))
    if command == "data":
        line += draw(st.sampled_from([[], ["get", "karate"], ["get", "cora"], ["get", ""], *OWN_GRAPHS]))
    if command == "search":
        line += ["--dataset", "karate", "--budget", "1", "--set", "child_epochs=1", "final_runs=1", "max_width=10"]
    if command == "advise":
        line += ["--dataset", "karate", "--seconds", "1"]
    if command in ("grow", "gcn", "train", "ablation"):
        line += TINY
        line += ["max_width=5", "max_layers=1"] if command in ("grow", "ablation") else []
    for flag in draw(st.lists(st.sampled_from(flags), max_size=3)) if flags else ():
        value = draw(st.sampled_from(FLAGS[flag]) | TEXTS)
        if flag in ("--set", "--with") and draw(st.booleans()):
            value = f"{draw(st.sampled_from(FLAGS[flag])).partition('=')[0]}={value}"
        line += draw(st.sampled_from([[flag, value], [f"{flag}={value}"], [flag]]))
    return line + draw(st.lists(st.sampled_from(SWITCHES) | TEXTS, max_size=1))


def run(line, capsys) -> tuple[int, str]:
    try:
        code = main(line)
    except SystemExit as ended:  # argparse's own
        code = ended.code or 0
    return code, capsys.readouterr().err


@CASES
def test_any_command_line_is_answered(cases, place, capsys):
    def check(line):
        line = [place if part == "RUN" else part for part in line]
        code, err = run(line, capsys)
        assert code in (0, 2), (line, code)
        assert "Traceback" not in err
        assert len(err) < 20_000 and (code == 0 or "pgcn" in err), err[:500]

    attack(command_lines(), check, cases)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["grow", "--seed", "9" * 5000], "must be a whole number, got '9999"),
        (["grow", "--seed", str(10**30)], "seed must be at most"),
        (["grow", "--seed", "-1"], "seed must be at least 0"),
        (["grow", "--seed", str(2**63 - 1), "--runs", "2"], "seed must be at most"),
        (["grow", "--dataset", "a\0b"], "An argument is not text"),
        (["export", "\udcff", "--model", "x"], "An argument is not text"),
        (["grow", "--dataset", "synthetic", "--with", "seed=3", "--split-seed", "4"], "set with --split-seed"),
        (["grow", "--dataset", "synthetic", "--with", "name=x"], "No setting named 'name'"),
        (["grow", "--dataset", "synthetic", "--with", "store=x"], "No setting named 'store'"),
        (["grow", "--dataset", "synthetic", "--with", "nodes=1000000000"], "nodes must be at most 20,000,000"),
        (["grow", "--split-seed", str(10**30)], "--split-seed must be at most"),
        (["grow", "--runs", "100000000"], "--runs must be at most 10,000, got 100000000"),
        (["grow", "--workers", "100000000"], "--workers must be at most 1,000"),
        (["grow", "--save", "folder"], "this is a folder"),
        (["grow", "--save", ""], "takes a file, got an empty name"),
        (["grow", "--save", "a" * 300], "takes a file"),
        (["grow", "--set", "epochs=" + "9" * 5000], "epochs must be a whole number, got '9999"),
        (["grow", "--set", "epochs=1000000000"], "epochs must be at most 1,000,000"),
        (["difficulty", "--experiments", "100000000"], "experiments must be at most 1,000"),
        (["sweep", "--runs", "100000000"], "runs must be at most 1,000"),
        (["sweep", "--grid", "block_width=" + "9" * 5000], "block_width must be a whole number, got '9999"),
        (["difficulty", "--dims", "9" * 5000], "--dims must be whole numbers"),
        (["difficulty", "--experiments", "1000", "--rates", "50,60,70,80"], "at most 30,000 runs"),
        (["landscape", "--widths", "9" * 5000], "--widths must be whole numbers"),
        (["landscape", "--runs", "1000", "--paths", "1000"], "at most 10,000 runs"),
        (["sensitivity", "--times", "100000"], "times must be a whole number from 2 to 1,000"),
        (["sensitivity", "--size", "nan"], "size must be a finite number"),
        (["embed", "RUN", "--step", "9" * 5000], "No accepted step"),
        (["embed", "RUN", "--nodes", "9" * 5000], "nodes must be auto, all or a number"),
        (["embed", "RUN", "--perplexity", "1e308"], "perplexity must be at most"),
        (["embed", "", "--step", "1"], "must not be empty"),
        (["export", "RUN", "--events", "folder.csv/x.csv"], "the folder does not exist"),
        (["app", "--port", "9" * 5000], "must be a whole number"),
        (["record", ""], "must not be empty"),
        (["predict", "RUN", "--out", "x.txt"], "takes a file that ends in .csv or .parquet"),
        (["data", "add", "mine", "folder"], "folder is a folder. Name a file"),
        (["data", "add", "mine", "nodes.csv", "--vocabulary", "9" * 30], "vocabulary must be at most 1,000,000"),
        (["data", "add", "mine", "nodes.csv", "--encoding", "klingon"], "No encoding is named 'klingon'"),
        (["data", "add", "cora", "nodes.csv"], "cora is the name of a data set that comes with the program"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(line, message, place, capsys):
    code, err = run([place if part == "RUN" else part for part in line], capsys)
    assert code == 2 and message in err and len(err) < 3000, err[:1000]


def test_every_command_is_attacked():
    assert COMMANDS.keys() == {module.__name__.rpartition(".")[2] for module in commands_of_pgcn}


@pytest.mark.parametrize(
    "url", ["x", "sqlite", "://", "nosuch://x", "sqlite:///b.db?vfs=memdb&uri=true", "postgresql://"]
)
@pytest.mark.parametrize("action", ["check", "repair"])
def test_a_store_that_is_none_is_said_in_a_sentence(url, action, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGCN_STORE", url)
    code, err = run(["store", action], capsys)
    assert code == 2 and "Traceback" not in err and err.count("\n") == 1, err
    assert list(tmp_path.iterdir()) == []
