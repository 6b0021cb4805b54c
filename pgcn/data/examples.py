"""Three small examples of graphs as people have them, to try the import with. Made up here, by chance and a seed.

They come with the program in ``assets/examples``; ``pgcn record`` writes them again.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pgcn.places import dashboard_folder

FOLDER = dashboard_folder() / "assets" / "examples"


@dataclass(frozen=True, kw_only=True)
class Example:
    """``title`` names it on a button, ``about`` says what is special about it."""

    title: str
    about: str
    files: tuple[str, ...]

    @property
    def paths(self) -> list[Path]:
        return [FOLDER / file for file in self.files]


EXAMPLES = {
    "papers": Example(
        title="Papers with titles",
        about="Free text, weighted edges, four in ten classes not known. Made up.",
        files=("papers.csv", "coauthors.csv"),
    ),
    "customers": Example(
        title="Customers with gaps",
        about="Numbers with gaps, categories, edges to missing nodes. Made up.",
        files=("customers.csv", "referrals.csv"),
    ),
    "friends": Example(
        title="Friends, no features",
        about="Who knows whom, and the club of some. Made up.",
        files=("members.csv", "friends.csv"),
    ),
}
WORDS = {
    "vision": "image pixel camera object detection segmentation shape colour depth scene video texture",
    "language": "text word grammar translation corpus dialogue parser sentence meaning summary speech token",
    "robotics": "robot arm motion grasp planning control sensor drone navigation torque gait obstacle",
    "theory": "bound proof convex sample complexity kernel margin risk regret lemma optimum entropy",
    "": "learning deep fast robust towards model network method data using efficient new",
}
"""Of titles, by topic; the last ones are of none."""
TOPICS = {topic: words.split() for topic, words in WORDS.items() if topic}
COMMON = WORDS[""].split()


def joined(groups: np.ndarray, edges: int, same: float, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return so many different edges, a share of them within a group."""
    found: dict[tuple[int, int], None] = {}
    while len(found) < edges:
        one = int(rng.integers(len(groups)))
        others = np.flatnonzero((groups == groups[one]) == (rng.random() < same))
        other = int(rng.choice(others))
        if one != other:
            found[min(one, other), max(one, other)] = None
    return list(found)


def papers(rng: np.random.Generator) -> list[list[list]]:
    names = list(TOPICS)
    groups = rng.integers(len(names), size=320)
    nodes: list[list] = [["id", "title", "topic"]]
    for number, group in enumerate(groups):
        words = [*rng.choice(TOPICS[names[group]], 3, replace=False), *rng.choice(COMMON, 3, replace=False)]
        if rng.random() < 0.4:
            words[0] = str(rng.choice(TOPICS[names[int(rng.integers(len(names)))]]))
        title = " ".join(map(str, rng.permutation(words))).capitalize()
        nodes.append([f"P{number:03d}", title, names[group] if rng.random() < 0.6 else ""])
    edges = [[f"P{a:03d}", f"P{b:03d}", int(rng.integers(1, 5))] for a, b in joined(groups, 700, 0.8, rng)]
    return [nodes, [["source", "target", "weight"], *edges]]


def customers(rng: np.random.Generator) -> list[list[list]]:
    groups = rng.integers(3, size=400)
    nodes: list[list] = [["customer", "age", "orders", "spent", "region", "plan", "class"]]
    for number, group in enumerate(groups):
        age, orders = rng.normal(32 + 7 * group, 9), rng.poisson(2 + 2 * group)
        spent = f"{orders * rng.gamma(4, 9):.2f}" if rng.random() > 0.12 else "NA"
        region = rng.choice(["north", "south", "east", "west"], p=np.roll([0.4, 0.2, 0.2, 0.2], group))
        plan = (
            rng.choice(["free", "basic", "plus"], p=np.roll([0.5, 0.3, 0.2], group)) if rng.random() > 0.05 else ""
        )
        known = ("visitor", "regular", "fan")[group] if rng.random() < 0.5 else ""
        nodes.append(
            [1000 + number, f"{age:.0f}" if rng.random() > 0.08 else "", orders, spent, region, plan, known]
        )
    edges = [[1000 + a, 1000 + b] for a, b in joined(groups, 800, 0.75, rng)]
    edges += [edges[3], [1007, 1007], [1001, 9999], [1002, 9998]]  # as tables are: twice, itself, nobody
    return [nodes, [["from", "to"], *edges]]


def friends(rng: np.random.Generator) -> list[list[list]]:
    groups = rng.integers(4, size=240)
    clubs = ("chess", "choir", "climbing", "cooking")
    nodes = [[f"m{number}", clubs[group] if rng.random() < 0.4 else ""] for number, group in enumerate(groups)]
    edges = [[f"m{a}", f"m{b}"] for a, b in joined(groups, 900, 0.85, rng)]
    return [[["id", "label"], *nodes], edges]


def write_examples(folder: Path) -> None:
    """Write all examples: the same bytes every time."""
    makers = {"papers": papers, "customers": customers, "friends": friends}
    for number, (name, make) in enumerate(makers.items()):
        for file, rows in zip(EXAMPLES[name].files, make(np.random.default_rng(number)), strict=True):
            with (folder / file).open("w", newline="", encoding="utf-8") as out:
                csv.writer(out, lineterminator="\n").writerows(rows)
