"""Every method by its name. A list of methods costs no torch: a trainer is imported when it is asked for.

A trainer is a module with two functions, and a third where its runs can be resumed:

steps(graph, configs, report_every, records=None)   yields (run, event, accepted network where that changed)
build(description, config)                          returns the module of a network's description, untrained
accepted(graph, config, record)                     returns the network a run had accepted when it was interrupted

A search of architectures fits too (:mod:`pgcn.methods.search`): each that is the best so far is an accepted
network, whose description says which architecture it is. What its controller has learned follows from the events,
so it resumes at its next architecture.

To add a method: a folder with its config (no torch) and its trainer, and an entry here. See CONTRIBUTING.md.
"""

import dataclasses
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from pgcn.config import RunConfig
from pgcn.errors import ConfigError, no_such
from pgcn.events import Event
from pgcn.methods.appnp import APPNPConfig
from pgcn.methods.autognn import PRESETS as AUTOGNN_PRESETS
from pgcn.methods.autognn import AutoGNNConfig
from pgcn.methods.gat import PRESETS as GAT_PRESETS
from pgcn.methods.gat import GATConfig
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.graphnas import PRESETS as GRAPHNAS_PRESETS
from pgcn.methods.graphnas import GraphNASConfig
from pgcn.methods.mlp import MLPConfig
from pgcn.methods.ngcn import NGCNConfig
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS, GrowthConfig
from pgcn.methods.pgcn.steps import accepted_blocks, decided
from pgcn.methods.random import PRESETS as RANDOM_PRESETS
from pgcn.methods.random import RandomConfig
from pgcn.methods.search.steps import best_so_far, judged
from pgcn.methods.sgc import PRESETS as SGC_PRESETS
from pgcn.methods.sgc import SGCConfig
from pgcn.methods.steps import Step, final_step


@dataclass(frozen=True, kw_only=True)
class Method:
    """What is known of a method without training anything.

    ``preset`` names the preset that is its default, "" where that is the config as it is; ``published`` names, by
    data set, the one of its paper where that is another. ``grows`` says that its topology changes during a run,
    ``searches`` that it tries many architectures, ``baseline`` that others are compared with it, ``command`` names
    the command that trains it where it has one of its own (else it is ``pgcn train``). ``steps`` finds
    the accepted networks in the events of a run. ``standing`` says how many of its events stand when it is resumed,
    None where it cannot be resumed.
    """

    name: str
    title: str
    about: str
    config: type[RunConfig]
    trainer: str
    presets: Mapping[str, RunConfig] = field(default_factory=dict)
    preset: str = ""
    published: Mapping[str, str] = field(default_factory=dict)
    grows: bool = False
    searches: bool = False
    baseline: bool = False
    command: str = ""
    steps: Callable[[Sequence[Event]], list[Step]] = final_step
    standing: Callable[[Sequence[Event]], int] | None = None

    @property
    def resumable(self) -> bool:
        return self.standing is not None

    def preset_for(self, dataset: str) -> str:
        """Return the preset of the published settings for a data set, "" where that is the config as it is."""
        return self.published.get(dataset, self.preset)

    def settings(self, preset: str | None = None, **changes: Any) -> RunConfig:
        """Return the settings of a preset, or the method's default, with some of them changed."""
        name = preset or self.preset
        if name and name not in self.presets:
            has_none = f"{self.title} has no presets, got {name!r}."
            raise ConfigError(no_such(f"preset of {self.title}", name, self.presets) if self.presets else has_none)
        return (self.presets[name] if name else self.config()).change(**changes)

    def nearest(self, config: RunConfig) -> tuple[str, dict[str, Any]]:
        """Return the preset that needs the fewest changes to become these settings, and the changes; not the seed.

        The preset is "" for the config as it is.
        """
        values = dataclasses.asdict(config)
        bases = self.presets or {"": self.config()}
        changes = {
            name: {key: value for key, value in values.items() if key != "seed" and getattr(base, key) != value}
            for name, base in bases.items()
        }
        preset = min(changes, key=lambda name: (len(changes[name]), name != self.preset))
        return preset, changes[preset]

    def load(self) -> ModuleType:
        """Import and return the trainer, and torch with it."""
        return importlib.import_module(self.trainer)


SEARCH: dict[str, Any] = {"searches": True, "steps": best_so_far, "standing": judged}

METHODS = {
    method.name: method
    for method in (
        Method(
            name="pgcn",
            title="PGCN",
            about="grows its topology, block by block and layer by layer",
            config=GrowthConfig,
            presets=PRESETS,
            preset=DEFAULT_PRESET,
            trainer="pgcn.methods.pgcn.grow",
            command="grow",
            grows=True,
            steps=accepted_blocks,
            standing=decided,
        ),
        Method(
            name="gcn",
            title="GCN",
            about="the graph convolutional network of Kipf & Welling, of fixed topology",
            config=GCNConfig,
            trainer="pgcn.methods.gcn.train",
            baseline=True,
        ),
        Method(
            name="sgc",
            title="SGC",
            about="the simplified graph convolution of Wu et al., linear in propagated features",
            config=SGCConfig,
            presets=SGC_PRESETS,
            preset="citation",
            published={"citeseer": "citeseer"},
            trainer="pgcn.methods.sgc.train",
        ),
        Method(
            name="gat",
            title="GAT",
            about="the graph attention network of Veličković et al., of fixed topology",
            config=GATConfig,
            presets=GAT_PRESETS,
            preset="citation",
            published={"pubmed": "pubmed"},
            trainer="pgcn.methods.gat.train",
        ),
        Method(
            name="ngcn",
            title="N-GCN",
            about="the network of GCNs of Abu-El-Haija et al., on powers of the propagation",
            config=NGCNConfig,
            trainer="pgcn.methods.ngcn.train",
        ),
        Method(
            name="appnp",
            title="APPNP",
            about="predict then propagate by personalised PageRank, of Klicpera et al.",
            config=APPNPConfig,
            trainer="pgcn.methods.appnp.train",
        ),
        Method(
            name="mlp",
            title="MLP",
            about="the multi-layer perceptron of Kipf & Welling, which ignores the edges",
            config=MLPConfig,
            trainer="pgcn.methods.mlp.train",
        ),
        Method(
            name="graphnas",
            title="GraphNAS",
            about="the architecture search of Gao et al.: a controller learns which architectures do well",
            config=GraphNASConfig,
            presets=GRAPHNAS_PRESETS,
            preset="laptop",
            trainer="pgcn.methods.graphnas.train",
            **SEARCH,
        ),
        Method(
            name="autognn",
            title="Auto-GNN",
            about="the architecture search of Zhou et al.: the best architecture is changed one class at a time",
            config=AutoGNNConfig,
            presets=AUTOGNN_PRESETS,
            preset="laptop",
            trainer="pgcn.methods.autognn.train",
            **SEARCH,
        ),
        Method(
            name="random",
            title="Random search",
            about="architectures drawn at random, the baseline of both searches",
            config=RandomConfig,
            presets=RANDOM_PRESETS,
            preset="laptop",
            trainer="pgcn.methods.random.train",
            **SEARCH,
        ),
    )
}


BASELINES = {name for name, method in METHODS.items() if method.baseline}


def grows(name: str) -> bool:
    """Return whether the topology of a method changes during a run; a method that is not known here does not."""
    return name in METHODS and METHODS[name].grows


def resumable(name: str) -> bool:
    """Return whether an interrupted run of a method can be resumed; that of a method not known here cannot."""
    return name in METHODS and METHODS[name].resumable


def method_title(name: str) -> str:
    """Return what a method is called; the name itself where it is not known here."""
    return METHODS[name].title if name in METHODS else name


def method_named(name: str) -> Method:
    """Return a method, or say which there are."""
    if name not in METHODS:
        raise ConfigError(no_such("method", name, METHODS))
    return METHODS[name]
