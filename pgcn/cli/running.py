"""What the commands that run have in common: run a config with one or many seeds, show, store, save."""

import argparse
import contextlib

from rich.console import Console

from pgcn import reproducible
from pgcn.cli.options import check_counts, output_file
from pgcn.cli.progress import transfer_progress
from pgcn.cli.showing import show_runs
from pgcn.cli.summary import best_run
from pgcn.cli.terminal import terminal
from pgcn.config import Config, assignments
from pgcn.data import check_options
from pgcn.data.synthetic_config import SyntheticConfig
from pgcn.errors import ConfigError, StoreError
from pgcn.execution.execute import execute
from pgcn.execution.graphs import facts_of, load_source, named_source
from pgcn.execution.memory import check_memory
from pgcn.execution.recorder import Recorder
from pgcn.execution.spec import RunSpec
from pgcn.graph import Graph
from pgcn.limits import MOST_RUNS, MOST_SEED, MOST_WORKERS, checked_number
from pgcn.methods.pgcn.beside import beside_sentence
from pgcn.methods.run import Runs
from pgcn.source import GraphSource
from pgcn.store import Store, new_id
from pgcn.store.store import LONGEST_NOTE
from pgcn.studies.beside import start_rule_run, stored_rule_run


def check_runs(arguments: argparse.Namespace) -> None:
    """Refuse flags of :func:`pgcn.cli.options.add_runs` that cannot be followed, before any work."""
    check_counts(arguments, runs=MOST_RUNS, workers=MOST_WORKERS)
    if any(text.split("=")[0].strip() == "seed" for text in arguments.settings):
        raise ConfigError("The seed is set with --seed, not with --set seed=...")
    output_file(arguments, "save")


def run_seeds(
    arguments: argparse.Namespace, method: str, config: Config, *, letters: str = "", note: str = ""
) -> None:
    """Run a method with consecutive seeds and show the runs.

    ``letters`` are a person's decisions, ``note`` is stored beside each run.
    """
    check_runs(arguments)
    messages, store = terminal(stderr=True), Store()
    source, mode = chosen_source(arguments, store), reproducible.is_on()
    specs = [
        RunSpec(method=method, config=config.change(seed=arguments.seed + run), source=source, reproducible=mode)
        for run in range(arguments.runs)
    ]
    configs = [spec.config for spec in specs]
    check_memory(facts_of(source, store), configs, arguments.workers, dense=source.dims is not None)
    with transfer_progress(messages) as fetching:
        how = {"workers": arguments.workers, "record": arguments.store, "data_dir": arguments.data_dir}
        how["batch"] = new_id() if arguments.runs > 1 else None
        work = execute(specs, store, fetching=fetching, **how)
    try:
        show_runs(work.runs, as_json=arguments.json, letters=letters)
    finally:
        for recorder in work.recorders if note else ():
            with contextlib.suppress(StoreError):  # a run that had not begun
                store.change(recorder.run, note=note[:LONGEST_NOTE])
    how = {"record": arguments.store, "data_dir": arguments.data_dir}
    recorders = [*work.recorders, *show_beside(work.runs, store, messages, **how)]
    if recorders:
        messages.print(f"Stored as {', '.join(recorder.run[:8] for recorder in recorders)}.")
    if arguments.save:
        best = best_run(work.finish())
        if best is None:
            raise ConfigError("All runs failed, so there is no network to save.")
        best.model.save(arguments.save)
        messages.print(f"Saved the network of seed {best.config.seed} to {arguments.save}.")


def show_beside(runs: Runs, store: Store, messages: Console, *, record: bool, data_dir=None) -> list[Recorder]:
    """Where a person has decided, say what that and the rule's own run with the same seed reached.

    The rule's run is grown unless it is stored. Return who has stored it.
    """
    if getattr(runs.configs[0], "decider", "rule") != "person":
        return []
    [person], started = runs.finish(), runs.started()
    found, recorders = stored_rule_run(started, store), []
    if found is None:
        messages.print("Growing the rule's own run…")
        rule = start_rule_run(started, store, data_dir=data_dir, record=record)
        [alone] = rule.finish()
        ended, recorders = alone.finished, rule.recorders
    else:
        ended = found[1]
    messages.print(beside_sentence(person.finished, ended))
    return recorders


def chosen_source(arguments: argparse.Namespace, store: Store) -> GraphSource:
    """Return the graph that the flags of :func:`pgcn.cli.options.add_graph` name."""
    options = assignments(SyntheticConfig, arguments.options)
    if "seed" in options:
        raise ConfigError("The seed of the graph is set with --split-seed, not with --with seed=...")
    check_options(arguments.dataset, options)
    checked_number("--split-seed", arguments.split_seed, at_least=0, at_most=MOST_SEED)
    how = {"split": arguments.split, "seed": arguments.split_seed, "dims": arguments.dims}
    return named_source(store, arguments.dataset, **how, **options)


def load(arguments: argparse.Namespace) -> Graph:
    """Return the graph that the flags of :func:`pgcn.cli.options.add_graph` name, fetched if need be."""
    store = Store()
    with transfer_progress(terminal(stderr=True)) as fetching:
        return load_source(chosen_source(arguments, store), store, data_dir=arguments.data_dir, fetching=fetching)
