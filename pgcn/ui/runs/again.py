"""A stored run to be had again: as Python, as a command, and as a citation. No streamlit here, no torch."""

import datetime
import json
from collections.abc import Mapping
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from pgcn.data.catalogue import dataset_title
from pgcn.errors import PgcnError
from pgcn.events import RunStarted
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn.lineage import branch_points, changes_between, lineage
from pgcn.methods.registry import method_named, method_title
from pgcn.ui.links import as_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun

PAPERS = {
    "pgcn": (
        "heidari2020progressive",
        "Heidari, Negar and Iosifidis, Alexandros",
        "Progressive Graph Convolutional Networks for Semi-Supervised Node Classification",
        "2003.12277",
    ),
    "gcn": (
        "kipf2016semi",
        "Kipf, Thomas N. and Welling, Max",
        "Semi-Supervised Classification with Graph Convolutional Networks",
        "1609.02907",
    ),
    "sgc": (
        "wu2019simplifying",
        "Wu, Felix and Zhang, Tianyi and de Souza Jr., Amauri Holanda and Fifty, Christopher and Yu, Tao and "
        "Weinberger, Kilian Q.",
        "Simplifying Graph Convolutional Networks",
        "1902.07153",
    ),
    "gat": (
        "velickovic2017graph",
        "Veli{\\v{c}}kovi{\\'c}, Petar and Cucurull, Guillem and Casanova, Arantxa and Romero, Adriana and "
        "Li{\\`o}, Pietro and Bengio, Yoshua",
        "Graph Attention Networks",
        "1710.10903",
    ),
    "ngcn": (
        "abuelhaija2018ngcn",
        "Abu-El-Haija, Sami and Kapoor, Amol and Perozzi, Bryan and Lee, Joonseok",
        "{N-GCN}: Multi-scale Graph Convolution for Semi-supervised Node Classification",
        "1802.08888",
    ),
    "appnp": (
        "klicpera2018predict",
        'Klicpera, Johannes and Bojchevski, Aleksandar and G{\\"u}nnemann, Stephan',
        "Predict then Propagate: Graph Neural Networks meet Personalized {PageRank}",
        "1810.05997",
    ),
    "graphnas": (
        "gao2019graphnas",
        "Gao, Yang and Yang, Hong and Zhang, Peng and Zhou, Chuan and Hu, Yue",
        "{GraphNAS}: Graph Neural Architecture Search with Reinforcement Learning",
        "1904.09981",
    ),
    "autognn": (
        "zhou2019autognn",
        "Zhou, Kaixiong and Song, Qingquan and Huang, Xiao and Hu, Xia",
        "{Auto-GNN}: Neural Architecture Search of Graph Neural Networks",
        "1909.03184",
    ),
}
"""Key, authors, title and arXiv number of the paper that a method comes from."""
SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


Parent = Mapping[str, Any]
"""Of a branch: its parent, as its opening event says."""


def as_python(spec: RunSpec, parent: Parent | None = None) -> str:
    """Return a script that trains the same network; a branch needs its parent in the store."""
    preset, changes = method_named(spec.method).nearest(spec.config)
    recipe = spec.source.to_recipe()
    recipe.pop("content", None)
    usual = {"split": "public", "seed": 0}
    name = recipe.pop("name")
    graph = [code(name), *(f"{key}={code(value)}" for key, value in recipe.items() if usual.get(key, "") != value)]
    how = ({"preset": preset} if preset else {}) | {"seed": spec.config.seed} | changes
    how |= {"reproducible": True} if spec.reproducible else {}
    imports, lines = ["from pgcn import load_graph, train"], [f"graph = load_graph({', '.join(graph)})"]
    if parent is None:
        lines.append(f"result = train({arguments(code(spec.method), 'graph', **how)}).finish()")
    else:
        imports = [
            "from pgcn import Store, branch, load_graph",
            "from pgcn.execution.recorder import stored_record",
        ]
        changes = changes_between(parent["config"], spec.config.to_dict())
        made = arguments("graph", "parent", str(parent["step"]), parent=parent["run"], **changes)
        lines.append(f"parent = stored_record(Store(), {code(parent['run'])})")
        lines.append(f"result = branch({made}).finish()")
    lines.append("print(result.topology, result.scores.test_accuracy)")
    if spec.reproducible:  # it runs in a process of its own
        lines = ['if __name__ == "__main__":', *(f"    {line}" for line in lines)]
    return "\n".join([*imports, "", *lines])


def arguments(*first: str, **named: Any) -> str:
    return ", ".join([*first, *(f"{key}={code(value)}" for key, value in named.items())])


def code(value: Any) -> str:
    """Return a value as Python, text in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def as_command(spec: RunSpec, parent: Parent | None = None, *, runs: int = 1) -> str:
    """Return the command that trains the same network; with ``runs`` so many seeds from the run's own upwards."""
    if parent is not None:
        changes = changes_between(parent["config"], spec.config.to_dict())
        settings = [f"--set {assigned(changes)}"] * bool(changes)
        return " ".join([f"pgcn branch {parent['run']} --step {parent['step']}", *settings])
    method, source = method_named(spec.method), spec.source
    preset, changes = method.nearest(spec.config)
    parts = [
        f"pgcn {method.command or f'train {method.name}'}",
        f"--dataset {quote(source.name)}",
    ]
    parts += [f"--split {quote(source.split)}"] * (source.split != "public")
    parts += [f"--split-seed {source.seed}"] * (source.seed != 0)
    parts += [f"--dims {source.dims}"] * (source.dims is not None)
    parts += [f"--with {assigned(source.synthetic_options)}"] * bool(source.synthetic_options)
    parts += [f"--preset {preset}"] * bool(preset)
    parts += [f"--seed {spec.config.seed}"]
    parts += [f"--runs {runs}"] * (runs > 1)
    parts += [f"--set {assigned(changes)}"] * bool(changes)
    return " ".join([*parts, *["--reproducible"] * spec.reproducible])


def assigned(values: dict) -> str:
    return " ".join(f"{name}={quote(as_text(value))}" for name, value in values.items())


def as_bibtex(run: "StoredRun", started: RunStarted) -> str:
    """Return the paper of a run's method and the run itself as entries of BibTeX."""
    return "\n\n".join(filter(None, [paper_entry(run.method), run_entry(run, started)]))


def paper_entry(method: str) -> str:
    if method not in PAPERS:
        return ""
    key, authors, title, number = PAPERS[method]
    fields = {"author": authors, "title": title, "year": f"20{number[:2]}", "eprint": number}
    return entry("misc", key, {**fields, "archivePrefix": "arXiv"})


def run_entry(run: "StoredRun", started: RunStarted) -> str:
    versions = dict(started.versions)
    facts = [f"{method_title(run.method)} on {dataset_title(run.dataset)}"]
    try:
        first, _ = lineage(started)
        facts.append(as_command(RunSpec.of(replace(started, config=first))))
        for point, changes in branch_points(started):
            facts.append(f"branched at {point} with {assigned(changes) or 'the same settings'}")
        facts += [f"parent: run {started.parent['run']}"] if started.parent else []
    except PgcnError:  # on a graph that was only in memory, or of a later version
        facts += [", ".join(f"{name}={as_text(value)}" for name, value in started.config.items())]
    facts += [f"torch {versions['torch']}"] if "torch" in versions else []
    fields = {
        "author": "{PGCN explorer}",
        "title": f"{{PGCN explorer}}, run {run.id[:8]}",
        "version": latex(versions.get("pgcn", "")),
        "year": f"{datetime.datetime.fromtimestamp(run.created):%Y}",
        "note": latex("; ".join(facts)),
    }
    return entry("software", f"pgcn_run_{run.id[:8]}", fields)


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = [f"  {name:<13} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def latex(text: str) -> str:
    """Return text that LaTeX shows as it is."""
    return "".join(SPECIAL.get(character, character) for character in text)
