"""``pgcn explain``: why a stored network gives a node its class."""

import argparse

from pgcn.cli.options import Commands, add_data_dir, add_json, add_stored_run

SHOWN = 10


def add_parser(commands: Commands) -> None:
    command = commands.add_parser(
        "explain", help="show which neighbours and features contributed most to a node's prediction"
    )
    add_stored_run(command)
    command.add_argument("node", help="id of the node, or its number if no node has that id")
    add_json(command, "the explanation")
    add_data_dir(command)
    command.set_defaults(action=explain)


def explain(arguments: argparse.Namespace) -> None:
    """Print what carried the prediction."""
    import json

    from pgcn.cli.progress import transfer_progress
    from pgcn.cli.terminal import terminal
    from pgcn.predictions.work import explain_stored, explanation_facts
    from pgcn.store import Store

    with transfer_progress(terminal(stderr=True)) as fetching:
        how = {"data_dir": arguments.data_dir, "fetching": fetching}
        explanation, graph = explain_stored(Store(), arguments.run, arguments.node, **how)
    facts = explanation_facts(explanation, graph)
    if arguments.json:
        print(json.dumps(facts, indent=2))
        return
    console = terminal()

    def say(text: str) -> None:
        console.print(text, soft_wrap=True, markup=False, highlight=False)

    say(
        f"Node {facts['node']}: {facts['class']}, probability {facts['probability']:.3f}; next would be "
        f"{facts['second']} ({facts['lead']:.2f} behind in logits)."
    )
    say("\nNeighbours: share of that lead (gradient × input)")
    for node in facts["nodes"][: SHOWN + 1]:
        say(f"  {node['share']:+8.3f}  {node['node']} ({node['hops']} hops, {node['class']})")
    say("\nEdges: drop in probability when the edge is removed")
    for edge in facts["edges"][:SHOWN]:
        say(f"  {edge['change']:+8.4f}  {edge['one']} – {edge['other']}")
    say("\nFeatures: drop in probability when the feature is set to 0 (and share of the lead)")
    for feature in facts["features"][:SHOWN]:
        say(f"  {feature['change']:+8.4f}  {feature['feature']} ({feature['share']:+.3f})")
