"""``pgcn advise``: will growing pay on a graph?"""

import argparse
import json

from pgcn.cli.options import Commands, add_budget, add_graph, add_json, add_reproducible


def add_parser(commands: Commands) -> None:
    command = commands.add_parser(
        "advise",
        help="will growing pay on a graph?",
        description="Will growing pay on a graph? GCNs of 16 and 64 neurons and growth with every preset: half of "
        "the validation nodes guide them, the other half is held out and measures; then they swap. Test nodes are "
        "not used.",
    )
    add_graph(command)
    add_budget(command, "--seconds", "time limit (default: 120)")
    add_reproducible(command)
    add_json(command, "the advice and its evidence")
    command.set_defaults(action=give_advice)


def give_advice(arguments: argparse.Namespace) -> None:
    """Count, measure, and print what follows."""
    from pgcn import reproducible
    from pgcn.cli.advice_text import facts_table, measured_table, presets_table
    from pgcn.cli.running import chosen_source
    from pgcn.cli.terminal import terminal
    from pgcn.store import Store
    from pgcn.studies.advice import SECONDS, checked_seconds

    seconds = checked_seconds(SECONDS if arguments.seconds is None else arguments.seconds)
    store, messages = Store(), terminal(stderr=True)
    source = chosen_source(arguments, store)

    from pgcn.studies.advice.advising import advice_on

    with messages.status("") as status:
        how = {"data_dir": arguments.data_dir, "reproducible": reproducible.is_on() or None}
        advice = advice_on(source, store, seconds, progress=lambda text: status.update(text), **how).finish()
    if arguments.json:
        print(json.dumps(advice.to_dict(), allow_nan=False))
        return
    console, facts = terminal(), advice.facts
    console.print(f"{facts.dataset}, {facts.split}: {facts.nodes:,} nodes, {facts.edges:,} edges")
    console.print(facts_table(facts))
    if advice.measured:
        console.print(measured_table(advice))
    if advice.choice is not None and advice.choice.tried:
        console.print(presets_table(advice.choice))
    console.print(advice.sentence, soft_wrap=True)
    for sentence in advice.left_out:
        console.print(f"  note: {sentence}", soft_wrap=True)
