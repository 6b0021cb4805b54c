"""The data sets that come with the program, and what is known of a graph without loading it. No torch."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from pgcn.data.split_names import parse_split
from pgcn.source import GraphSource


@dataclass(frozen=True, kw_only=True)
class GraphFacts:
    """What is known of a graph: ``edges`` without duplicates and self-loops, ``labelled`` nodes, a sentence."""

    title: str
    nodes: int
    edges: int
    features: int
    classes: int
    labelled: int
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def of(self, source: GraphSource) -> "GraphFacts":
        """Return the facts of a graph after the split and the projection of a source."""
        split, features = parse_split(source.split), source.dims or self.features
        labelled = self.labelled
        if split.kind == "random":
            labelled = int(split.amount) * self.classes
        elif split.kind == "fraction":
            labelled = round(split.amount * self.nodes)
        return dataclasses.replace(self, features=features, labelled=labelled)


def facts(title: str, nodes: int, edges: int, features: int, classes: int, labelled: int, note: str) -> GraphFacts:
    sizes = {"nodes": nodes, "edges": edges, "features": features, "classes": classes, "labelled": labelled}
    return GraphFacts(title=title, note=note, **sizes)


CATALOGUE = {
    "cora": facts("Cora", 2708, 5278, 1433, 7, 140, "Machine learning papers and their citations."),
    "citeseer": facts("CiteSeer", 3327, 4552, 3703, 6, 120, "Computer science papers and their citations."),
    "pubmed": facts("PubMed", 19717, 44324, 500, 3, 60, "Diabetes papers and their citations."),
    "karate": facts("Karate club", 34, 78, 34, 4, 4, "Zachary's karate club: who was friends with whom."),
    "synthetic": facts(
        "Synthetic", 2000, 4000, 500, 7, 140, "Citation-like; size, homophily and more can be chosen."
    ),
}


def dataset_title(name: str) -> str:
    """Return what a graph is called in a heading; the name itself where it is not of the catalogue."""
    return CATALOGUE[name].title if name in CATALOGUE else name


def catalogue_facts(source: GraphSource) -> GraphFacts:
    """Return what is known of a data set of the catalogue as a source asks for it."""
    known = CATALOGUE[source.name]
    options = source.synthetic_options
    if options:
        from pgcn.data.synthetic_config import SyntheticConfig

        config = SyntheticConfig.of(**options)
        known = dataclasses.replace(
            known,
            nodes=config.nodes,
            edges=round(config.nodes * config.average_degree / 2),
            features=config.features,
            classes=config.classes,
            labelled=known.labelled // known.classes * config.classes,
        )
    return known.of(source)
