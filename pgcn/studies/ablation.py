"""What each setting of a preset brings: one at a time is reset to the paper's value, measured on held-out nodes.

So a preset is compared with others, too, and with a GCN. Each half of the validation nodes decides once and
measures once (:mod:`pgcn.studies.advice.probe`); test nodes are not used.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pgcn.errors import ConfigError, no_such
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import PAPER, PRESETS, GrowthConfig
from pgcn.studies.advice.evidence import Measured
from pgcn.studies.advice.gains import gain
from pgcn.studies.advice.plan import GCNS, Contender

if TYPE_CHECKING:
    from pgcn.graph import Graph

UNCHANGED = "unchanged"


def variants(
    config: GrowthConfig, more: Sequence[str] = (), *, against: Sequence[str] = (), resets: bool = True
) -> list[Contender]:
    """Return the settings as they are, with one at a time reset to the paper's value, and with each of ``more``.

    ``more`` are changes such as 'starts=4' or 'metric=val_loss,margin=0', each made alone. ``against`` names other
    presets, and gcn-16 or gcn-64. A setting that cannot be reset alone, such as the readout without what it is
    solved for, takes along the first other one with which it can.
    """
    found = [Contender(name=UNCHANGED, method="pgcn", config=config)]
    found += [_named_contender(name) for name in against]
    if resets:
        found += _resets(config)
    for text in more:
        found.append(Contender(name=text, method="pgcn", config=config.set(*text.split(","))))
    return found


def _named_contender(name: str) -> Contender:
    if name in GCNS:
        return Contender(name=name, method="gcn", config=GCNConfig(hidden=GCNS[name]))
    if name not in PRESETS:
        raise ConfigError(no_such("preset or GCN", name, (*PRESETS, *GCNS)))
    return Contender(name=name, method="pgcn", config=PRESETS[name])


def _resets(config: GrowthConfig) -> list[Contender]:
    names = [field.name for field in fields(config) if field.name != "seed"]
    paper = {name: getattr(PAPER, name) for name in names if getattr(PAPER, name) != getattr(config, name)}
    found = []
    for name in paper:
        put_back = _first_valid(config, [{name}, *({name, other} for other in paper if other != name)], paper)
        found.append(Contender(name=_named(put_back), method="pgcn", config=config.change(**put_back)))
    return found


def _first_valid(config: GrowthConfig, choices: Sequence[set[str]], paper: dict[str, Any]) -> dict[str, Any]:
    """Return the first changes that make settings which agree with each other."""
    for names in choices:
        changes = {name: paper[name] for name in paper if name in names}
        try:
            config.change(**changes)
        except ConfigError:
            continue
        return changes
    raise ConfigError(f"{next(iter(choices[0]))} cannot be reset to the paper's value.")


def _named(changes: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in changes.items())


@dataclass(frozen=True, kw_only=True)
class Ablated:
    """A variant's runs on both halves, and how far ahead it is of the unchanged settings; seconds of one run."""

    measured: Measured
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        behind = self.measured.behind
        return {
            "change": self.measured.name,
            "accuracy": self.measured.mean,
            "sd": self.measured.sd,
            "runs": self.measured.runs,
            "nodes": self.measured.nodes,
            "difference": behind and {"mean": behind.mean, "low": behind.low, "high": behind.high},
            "parameters": self.measured.parameters,
            "seconds": self.seconds,
        }


def ablation(
    graph: "Graph", chosen: Sequence[Contender], seeds: Sequence[int], *, reproducible: bool | None = None
) -> Iterator[Ablated | None]:
    """Train every variant on both halves, the unchanged first; yield None meanwhile, and then its result."""
    from pgcn.studies.advice.probe import HALVES, Probe

    probe = Probe(graph, chosen, reproducible=reproducible)
    first = None
    for contender in chosen:
        before = probe.clock.seconds
        for half in HALVES:
            yield from probe.train(contender.name, half, seeds, math.inf)
        tried = probe.tried(dict.fromkeys(HALVES, contender.name))
        if tried is None:
            raise ConfigError(
                f"No run with {contender.name} accepted any network; a smaller learning_rate may help."
            )
        first = first or tried
        difference = None if tried is first else gain(tried.right, first.right)
        measured = Measured.of(contender.name, tried, difference)
        yield Ablated(measured=measured, seconds=(probe.clock.seconds - before) / (len(HALVES) * len(seeds)))
