"""Every method by its name. A list of methods costs no torch: a trainer is imported when it is asked for.

A trainer is a module with two functions:

steps(graph, configs, report_every, records=None)   yields (run, event, accepted weights where these changed)
architecture(config, graph, topology)               returns the network that a run has at a topology

To add a method: a folder with its config (no torch) and its trainer, and an entry here. See CONTRIBUTING.md.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType

from pgcn.config import Config
from pgcn.errors import ConfigError, no_such
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import PRESETS, GrowthConfig


@dataclass(frozen=True, kw_only=True)
class Method:
    """What is known of a method without training anything.

    ``grows`` says that its topology changes during a run, ``resumable`` that a run can go on from its last step.
    """

    name: str
    title: str
    about: str
    config: type[Config]
    trainer: str
    presets: Mapping[str, Config] = field(default_factory=dict)
    grows: bool = False
    resumable: bool = False

    def load(self) -> ModuleType:
        """Import and return the trainer, and torch with it."""
        return importlib.import_module(self.trainer)


METHODS = {
    method.name: method
    for method in (
        Method(
            name="pgcn",
            title="PGCN",
            about="grows its topology, block by block and layer by layer",
            config=GrowthConfig,
            presets=PRESETS,
            trainer="pgcn.methods.pgcn.grow",
            grows=True,
            resumable=True,
        ),
        Method(
            name="gcn",
            title="GCN",
            about="the graph convolutional network of Kipf & Welling, of fixed topology",
            config=GCNConfig,
            trainer="pgcn.methods.gcn.train",
        ),
    )
}


def grows(name: str) -> bool:
    """Return whether the topology of a method changes during a run; a method that is not known here does not."""
    return name in METHODS and METHODS[name].grows


def title_of(name: str) -> str:
    """Return what a method is called; the name itself where it is not known here."""
    return METHODS[name].title if name in METHODS else name


def method_named(name: str) -> Method:
    """Return a method, or say which there are."""
    if name not in METHODS:
        raise ConfigError(no_such("method", name, METHODS))
    return METHODS[name]
