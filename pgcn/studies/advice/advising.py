"""An advice, and the choice of a preset, within a budget of seconds: what is tried when. Imports torch."""

import dataclasses
import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from pgcn.errors import ConfigError
from pgcn.execution.graphs import facts_of, load_source
from pgcn.graph import Graph
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS
from pgcn.numbers import counted
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.studies.advice.evidence import NARROW, WIDE, Advice, Choice, Measured, Tried, choose
from pgcn.studies.advice.facts import Facts, count_facts
from pgcn.studies.advice.gains import Gain, gain
from pgcn.studies.advice.plan import (
    FIRST_SHARE,
    GCN_SEEDS,
    GCN_SHARE,
    GCNS,
    ROUNDS,
    SEEDS,
    Contender,
    check_room,
    seeds_for,
)
from pgcn.studies.advice.probe import HALVES, Probe
from pgcn.studies.advice.words import why_not

BY_VALIDATION = ("val_accuracy", "val_loss")
"""What decides in the presets that an advice tries; by others growth is not driven to what is measured."""
Found = TypeVar("Found")
Progress = Callable[[str], None]


class Asked(Iterator[None], Generic[Found]):
    """The work of a job: ``next`` computes a little, ``found`` is the answer once it has ended."""

    def __init__(self, steps: Generator[None, None, Found]) -> None:
        self._steps = steps
        self.found: Found | None = None

    def __next__(self) -> None:
        try:
            next(self._steps)
        except StopIteration as end:
            self.found = end.value if self.found is None else self.found
            raise

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list:
        """Stop; nothing is saved."""
        self._steps.close()
        return []

    def finish(self) -> Found:
        """Work to the end and return the answer."""
        for _ in self:
            pass
        assert self.found is not None
        return self.found


def advice_on(
    source: GraphSource,
    store: Store,
    seconds: float,
    *,
    reproducible: bool | None = None,
    progress: Progress = lambda text: None,
    data_dir: str | None = None,
) -> Asked[Advice]:
    """Return the work of an advice on a graph by its source; the graph is loaded at once."""
    check_room(facts_of(source, store), dense=source.dims is not None)
    progress(f"Loading {source.name}…")
    graph = load_source(source, store, data_dir=data_dir, progress=progress)
    before = None if source.dims is None else facts_of(source.change(dims=None), store).features
    return advising(graph, seconds, reproducible=reproducible, progress=progress, features_before=before)


def advising(
    graph: Graph,
    seconds: float,
    *,
    reproducible: bool | None = None,
    progress: Progress = lambda text: None,
    features_before: int | None = None,
) -> Asked[Advice]:
    """Return the work of an advice on a graph."""
    return Asked(_advise(graph, seconds, reproducible, progress, features_before))


def choosing(
    graph: Graph,
    seconds: float,
    *,
    reproducible: bool | None = None,
    progress: Progress = lambda text: None,
    changes: Mapping[str, Any],
) -> Asked[Choice]:
    """Return the work of choosing a preset, all of them with the same changes."""
    presets, refused = changed_presets(changes)
    return Asked(_choose(graph, seconds, reproducible, progress, presets, refused))


def changed_presets(changes: Mapping[str, Any]) -> tuple[list[Contender], list[str]]:
    """Return all presets with some settings changed, the newest first, and why some cannot be changed so.

    The rule decides in all of them: nobody is asked while presets are tried.
    """
    presets, refused = [], []
    for name, config in reversed(PRESETS.items()):
        try:
            presets.append(
                Contender(name=name, method="pgcn", config=config.change(**{**changes, "decider": "rule"}))
            )
        except ConfigError as error:
            if not hasattr(config, next(iter(changes), "")):
                raise
            refused.append(f"{name}: {error}")
    if not presets:
        raise ConfigError(f"No preset accepts these changes. {refused[0]}")
    return presets, refused


def _advise(
    graph: Graph, seconds: float, reproducible: bool | None, progress: Progress, features_before: int | None
) -> Generator[None, None, Advice]:
    facts = count_facts(graph, features_before=features_before)
    if why_not(Advice(facts=facts)):
        return Advice(facts=facts)
    gcns = [Contender(name=name, method="gcn", config=GCNConfig(hidden=hidden)) for name, hidden in GCNS.items()]
    presets = [preset for preset in changed_presets({})[0] if preset.config.metric in BY_VALIDATION]
    probe = Probe(graph, [*gcns, *presets], reproducible=reproducible)
    for name, half in itertools.product(GCNS, HALVES):
        progress(f"A GCN of {GCNS[name][0]} neurons, half {half + 1} of the validation nodes…{probe.so_far()}")
        yield from probe.train(name, half, range(seeds_for(graph.num_nodes, GCN_SEEDS)), GCN_SHARE * seconds)
    names = [preset.name for preset in presets]
    left_out = yield from grow_all(probe, names, seconds, progress, first_share=FIRST_SHARE)
    left_out += [f"{counted(probe.failed, 'run')} diverged."] * bool(probe.failed)
    return advice_of(probe, facts=facts, names=names, left_out=left_out)


def _choose(
    graph: Graph,
    seconds: float,
    reproducible: bool | None,
    progress: Progress,
    presets: Sequence[Contender],
    refused: list[str],
) -> Generator[None, None, Choice]:
    if int(graph.val_mask.sum()) < 2 * len(HALVES):
        why = f"there are too few validation nodes to compare presets: {DEFAULT_PRESET} is the default"
        return Choice(preset=DEFAULT_PRESET, why=f"{why[0].upper()}{why[1:]}.", tried=())
    probe = Probe(graph, presets, reproducible=reproducible)
    names = [preset.name for preset in presets]
    left_out = yield from grow_all(probe, names, seconds, progress)
    return choice_of(probe, names, [*refused, *left_out])


def grow_all(
    probe: Probe, names: Sequence[str], seconds: float, progress: Progress, *, first_share: float | None = None
) -> Generator[None, None, list[str]]:
    """Grow every preset on both halves with the same seeds; where all came to their end, with others too.

    Return sentences about what the budget had no room for. In the first round every preset has the same share of
    the time, but for a larger ``first_share``; what one leaves is divided among the others. A run that is cut short
    counts with what it had accepted.
    """
    clock, short = probe.clock, []
    count = seeds_for(probe.graphs[0].num_nodes, SEEDS)
    for number in range(ROUNDS):
        seeds, began = range(number * count, (number + 1) * count), clock.seconds
        for place, name in enumerate(names):
            share = 1 / (len(names) - place) if number == 0 else 1.0
            if first_share and place == number == 0:
                share = max(share, first_share)
            until = clock.seconds + share * max(0.0, seconds - clock.seconds)
            in_time = True
            for half in HALVES:
                progress(f"Growing with {name}, half {half + 1} of the validation nodes…{probe.so_far()}")
                ends = clock.seconds + max(0.0, until - clock.seconds) / (len(HALVES) - half)
                in_time &= yield from probe.train(name, half, seeds, ends)
            short += [] if in_time else [name]
        if short or clock.seconds + (clock.seconds - began) > seconds:
            break
    return [f"Time ran out before growth had finished with {', '.join(dict.fromkeys(short))}."] if short else []


def compared(probe: Probe, names: Sequence[str]) -> tuple[tuple[int, ...], list[str]]:
    """Return the halves on which presets can be compared, and which presets: those with runs on all of them."""
    for halves in (HALVES, HALVES[:1]):
        there = [name for name in names if all(probe.seeds(name, half) for half in halves)]
        if there:
            return halves, there
    return (), []


def choice_of(probe: Probe, names: Sequence[str], left_out: Sequence[str]) -> Choice:
    """Return the preset that was picked: all with the same seeds on the same halves."""
    halves, there = compared(probe, names)
    left_out = [
        *left_out,
        *(f"{name} had no network when its time ran out." for name in names if name not in there),
    ]
    tried = {name: probe.tried(dict.fromkeys(halves, name)) for name in there}
    found = {name: one for name, one in tried.items() if one is not None}
    runs = min((len(one.right) for one in found.values()), default=0)
    same = {name: trimmed(one, runs) for name, one in found.items()}
    choice = choose(same, DEFAULT_PRESET, left_out=tuple(left_out))
    return dataclasses.replace(choice, seconds=probe.clock.seconds)


def trimmed(tried: Tried, runs: int) -> Tried:
    """Return so many runs of those that were tried, so that all presets are on equal terms."""
    return dataclasses.replace(tried, right=tried.right[:runs])


def advice_of(probe: Probe, *, facts: Facts, names: Sequence[str], left_out: Sequence[str]) -> Advice:
    """Return what the runs say; presets are compared only where all came to their end."""
    choice = choice_of(probe, names, left_out)
    if any(not row.finished for row in choice.tried):
        choice = dataclasses.replace(choice, tried=(), why="Time ran out before all presets had finished.")
    halves, there = compared(probe, names)
    grown = {half: probe.favoured(there, half, halves) for half in halves}
    of = {name: probe.tried(dict.fromkeys(halves or HALVES, name)) for name in GCNS}
    of["growth"] = probe.tried(grown)
    narrow, wide, growth = of[NARROW], of[WIDE], of["growth"]
    return Advice(
        facts=facts,
        measured=tuple(Measured.of(name, one) for name, one in of.items() if one is not None),
        wide=minus(wide, narrow),
        wide_ratio=ratio(wide, narrow),
        growth=minus(growth, narrow),
        growth_over_wide=minus(growth, wide),
        grown=tuple(dict.fromkeys(grown.values())),
        ratio=ratio(growth, narrow),
        stopped=growth is not None and not growth.finished,
        choice=choice,
        left_out=choice.left_out,
        seconds=probe.clock.seconds,
    )


def minus(one: Tried | None, other: Tried | None) -> Gain | None:
    """Return one minus other, where both were measured."""
    return None if one is None or other is None else gain(one.right, other.right)


def ratio(one: Tried | None, other: Tried | None) -> float | None:
    """Return how many times as many parameters one has."""
    return None if one is None or other is None else one.parameters / other.parameters
