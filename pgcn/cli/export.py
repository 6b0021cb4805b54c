"""``pgcn export``: a stored run as files."""

import argparse

from pgcn.cli.options import Commands, add_data_dir, add_stored_run, output_file, write_file
from pgcn.errors import ConfigError


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("export", help="export a stored run to files")
    add_stored_run(command)
    command.add_argument("--events", metavar="FILE", help="its events, as .jsonl or .csv")
    command.add_argument("--html", metavar="FILE", help="a replay for any browser, offline")
    command.add_argument("--model", metavar="FILE", help="its network, as safetensors")
    about = "a script that uses it with torch and PyG alone (PGCN and GCN), as .py"
    command.add_argument("--script", metavar="FILE", help=about)
    command.add_argument("--graph", metavar="FILE", help="the graph it was trained on, for that script, as .pt")
    add_data_dir(command)
    command.set_defaults(action=export)


def export(arguments: argparse.Namespace) -> None:
    """Write a run's events, its replay and its network to files."""
    from pgcn.cli.terminal import terminal
    from pgcn.execution.export import network_file
    from pgcn.execution.script import network_script
    from pgcn.inside.stored import read_profiles, steps_of
    from pgcn.store import Store
    from pgcn.views.exports import events_as_csv, events_as_jsonl
    from pgcn.views.replay import write_replay

    writers = {".jsonl": events_as_jsonl, ".csv": events_as_csv}
    events_file = output_file(arguments, "events", tuple(writers))
    html, model = output_file(arguments, "html"), output_file(arguments, "model")
    script, graph = output_file(arguments, "script", (".py",)), output_file(arguments, "graph", (".pt",))
    if not (events_file or html or model or script or graph):
        raise ConfigError("Nothing to export: name a file with --events, --html, --model, --script or --graph.")
    store, console = Store(), terminal()
    if events_file:
        write_file(events_file, writers[events_file.suffix](store.events(arguments.run)).encode())
        console.print(f"Wrote {events_file}.")
    if html:
        events = store.events(arguments.run)
        write_replay(events, html, inside=read_profiles(store, store.run(arguments.run).id, steps_of(events)))
        console.print(f"Wrote {html}.")
    if model:
        write_file(model, network_file(store, arguments.run))
        console.print(f"Wrote {model}.")
    if script:
        write_file(script, network_script(store, arguments.run).encode())
        console.print(f"Wrote {script}.")
    if graph:
        from pgcn.predictions.work import graph_file

        write_file(graph, graph_file(store, arguments.run, data_dir=arguments.data_dir))
        console.print(f"Wrote {graph}.")
