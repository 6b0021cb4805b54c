"""``pgcn settings``: list the settings and the presets."""

import argparse
from dataclasses import fields

from pgcn.cli.options import Commands
from pgcn.methods.registry import METHODS


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("settings", help="list the settings that --set takes, and the presets")
    command.set_defaults(action=list_settings)


def list_settings(arguments: argparse.Namespace) -> None:
    """Print every setting of every method with a sentence and its default, and what the presets change."""
    from pgcn.cli.terminal import terminal

    console = terminal()
    for method in METHODS.values():
        console.print(settings_table(f"Settings of {method.title} (pgcn train {method.name})", method.config))
        if method.presets:
            console.print(f"Presets of {method.title}", style="italic")
        base = method.config().to_dict()
        for name, preset in method.presets.items():
            changes = [f"{key}={value}" for key, value in preset.to_dict().items() if value != base.get(key)]
            default = " (default)" if name == method.preset else ""
            console.print(f"  {name}{default}: " + (", ".join(changes) or "the defaults above"))
        console.print()


def settings_table(title: str, config: type):
    """Return a table of the settings of a config class."""
    from pgcn.cli.terminal import open_table

    table = open_table("setting", "default", "what it does", title=title)
    for field in fields(config):
        is_list = isinstance(field.default, tuple)
        default = ",".join(map(str, field.default)) if is_list else str(field.default).lower()
        choices = field.metadata["choices"]
        about = field.metadata["about"] + (f" One of: {', '.join(choices)}." if choices else "")
        most = field.metadata["at_most"]
        about += "" if most is None else f" At most {most:,}." if isinstance(most, int) else f" At most {most:g}."
        table.add_row(field.name, default, about)
    return table
