"""``--preset auto``: the preset that validation nodes favour, within a budget, and what was tried for it."""

import argparse
import json

from pgcn import reproducible
from pgcn.cli.advice_text import presets_table
from pgcn.cli.running import chosen_source
from pgcn.cli.terminal import terminal
from pgcn.config import assignments
from pgcn.execution.graphs import facts_of, load_source
from pgcn.methods.pgcn import GrowthConfig
from pgcn.numbers import counted
from pgcn.store import Store
from pgcn.studies.advice import SECONDS, checked_seconds, choose_preset
from pgcn.studies.advice.evidence import Choice
from pgcn.studies.advice.plan import check_room


def picked_preset(arguments: argparse.Namespace) -> tuple[str, str]:
    """Try all presets with the settings that were asked for, and print how they did.

    Return the one that was picked, and a note of what it was picked among.
    """
    seconds = checked_seconds(SECONDS if arguments.budget is None else arguments.budget)
    changes, store, messages = assignments(GrowthConfig, arguments.settings), Store(), terminal(stderr=True)
    source = chosen_source(arguments, store)
    check_room(facts_of(source, store), dense=source.dims is not None)
    with messages.status(f"Loading {source.name}…") as status:
        graph = load_source(source, store, data_dir=arguments.data_dir, progress=status.update)
        how = {"seconds": seconds, "reproducible": reproducible.is_on() or None, "progress": status.update}
        choice = choose_preset(graph, **how, **changes)
    show_choice(choice, as_json=arguments.json)
    return choice.preset, note_of(choice)


def show_choice(choice: Choice, *, as_json: bool) -> None:
    """Print what was tried and what was picked: as a table and a sentence, or as a line of JSON."""
    if as_json:
        print(json.dumps({"event": "PresetPicked", **choice.to_dict()}, allow_nan=False), flush=True)
        return
    console = terminal()
    if choice.tried:
        console.print(presets_table(choice))
    console.print(f"Preset {choice.preset}. {choice.why}", soft_wrap=True)
    for sentence in choice.left_out:
        console.print(f"  note: {sentence}", soft_wrap=True)
    if choice.tried:
        console.print(f"{trust_sentence(choice)} Test nodes were not used.", soft_wrap=True)


def trust_sentence(choice: Choice) -> str:
    """Say how far a choice among so few nodes can be trusted."""
    nodes = counted(choice.tried[0].nodes, "validation node")
    second = next((row.behind for row in choice.tried if row.behind is not None), None)
    if second is None:
        return f"Picked by {nodes}."
    wide = (second.high - second.low) / 2
    return f"Picked by {nodes}, on which chance moves the lead over the second by up to {wide:.1f} points (95 %)."


def note_of(choice: Choice) -> str:
    """Return what is noted beside the stored run."""
    tried = "; ".join(f"{row.name} {row.accuracy_text()} ({row.runs} seeds)" for row in choice.tried)
    among = f" Compared on held-out validation nodes: {tried}." if tried else ""
    return f"Preset {choice.preset}, picked automatically. {choice.why}{among}"
