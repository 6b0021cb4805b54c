"""Data sets as the Data page shows them. No torch."""

from typing import Any

from pgcn.data.catalogue import GraphFacts
from pgcn.data.importers.options import names_in
from pgcn.execution.limits import bytes_text
from pgcn.execution.memory import RunMemory
from pgcn.methods.pgcn import growth_preset

SENT = ("sample", "degrees", "sizes", "trained", "class_names")
USES = {"id": "id", "label": "class", "split_column": "split", "source": "from", "target": "to", "weight": "weight"}
KINDS = {"text": "text", "categories": "category", "ignore": "left out"}
START, ENTRY, EDGE = 2.0, 1 / 150_000, 1 / 5_000
"""Seconds of a growth run: to begin with, for each feature that is not 0, for each edge. Measured on one core: Cora
2.7 s, PubMed 6.5 s, a co-purchase graph of 119,000 edges and 2 million features 48 s."""
SHORTER, LONGER = 3.0, 2.0
"""How far off such an estimate may be."""


def card_of(name: str, facts: GraphFacts, portrait: dict[str, Any] | None, about: str) -> dict[str, Any]:
    """Return the card of a data set."""
    counted = (
        f"{facts.nodes:,} nodes · {facts.edges:,} edges · {facts.features:,} features · {facts.classes} classes"
    )
    rate = f"{100 * facts.labelled / max(1, facts.nodes):.1f} % labelled"
    same = portrait and portrait["homophily"]
    words = f"{counted} · {rate}" + (f" · homophily {same:.2f}" if same is not None else "")
    return {"name": name, "title": facts.title, "facts": words, "about": about, "portrait": drawn(portrait)}


def drawn(portrait: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the part of a portrait that is drawn."""
    return None if portrait is None else {name: portrait[name] for name in SENT}


def preview_table(preview: dict[str, Any], options: dict[str, str]) -> dict[str, Any]:
    """Return the first rows of a table, with what its columns are: as was chosen, else as guessed."""
    kinds = dict(preview["kinds"])
    for kind, word in KINDS.items():
        if kind in options:
            named = names_in(options[kind])
            kinds = {column: "" if found == word else found for column, found in kinds.items()}
            kinds |= dict.fromkeys(named, word)
    used = {column: USES[name] for name, column in (preview["guess"] | options).items() if name in USES}
    badges = [used.get(name) or kinds.get(name, "") for name in preview["columns"]]
    caption = f"The first rows of {preview['file']}"
    return {
        "kind": "table",
        **{key: preview[key] for key in ("columns", "rows")},
        "badges": badges,
        "caption": caption,
    }


def growth_cost(portrait: dict[str, Any]) -> str:
    """Say what one growth run on a graph will roughly take."""
    counts = {name: portrait[name] for name in ("nodes", "edges", "features", "classes", "labelled")}
    facts = GraphFacts(title="", **counts)
    entries = portrait["density"] * facts.nodes * facts.features
    seconds = START + ENTRY * entries + EDGE * facts.edges
    memory = RunMemory(facts, [growth_preset()]).now
    low, high = (f"{max(1, round(value))}" for value in (seconds / SHORTER, LONGER * seconds))
    return f"A growth run takes roughly {low} to {high} s and {bytes_text(memory)} of memory."
