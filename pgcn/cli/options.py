"""Flags that several commands share, each declared once, and the checks of their values."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from pgcn import reproducible
from pgcn.errors import ConfigError, shown
from pgcn.limits import MOST_WORKERS, checked_number
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS

Commands = argparse._SubParsersAction
"""What ``add_parser`` of a command adds its parser to; argparse has no public name for it."""
SETTINGS = "change settings; 'pgcn settings' lists them"


def add_stored_run(command: argparse.ArgumentParser) -> None:
    command.add_argument("run", type=some_text, help="id of the run, or the beginning of it")


def add_decisions(command: argparse.ArgumentParser, where: str) -> None:
    letters = (
        f"{where}: decisions given in advance, one letter each: a (accept), r (reject), n (new "
        "layer), s (stop here), u (undo)"
    )
    command.add_argument("--decisions", default="", metavar="LETTERS", help=letters)


def add_data_dir(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data-dir", metavar="DIR", help="folder of the data sets (default: PGCN_DATA_DIR, then a per-user cache)"
    )


def add_json(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--json", action="store_true", help=f"print {what} as JSON")


def add_preset(command: argparse.ArgumentParser, more: str = "") -> None:
    names = ", ".join(f"{name} (default)" if name == DEFAULT_PRESET else name for name in PRESETS)
    about = f"settings of PGCN: {names}{more}"
    command.add_argument("--preset", default=DEFAULT_PRESET, help=about)


def add_settings(command: argparse.ArgumentParser, about: str = SETTINGS) -> None:
    add_assignments(command, "--set", "settings", about)


def add_workers(command: argparse.ArgumentParser) -> None:
    about = "worker processes (default: one per core)"
    command.add_argument("--workers", type=whole_number, default=os.cpu_count() or 1, metavar="N", help=about)


def add_reproducible(command: argparse.ArgumentParser) -> None:
    about = "the same bits on every x86-64 CPU with AVX2; slower (or set PGCN_REPRODUCIBLE=1)"
    command.add_argument("--reproducible", action="store_true", default=argparse.SUPPRESS, help=about)


def add_budget(command: argparse.ArgumentParser, flag: str, about: str) -> None:
    command.add_argument(flag, type=number, metavar="SECONDS", help=about)


OUTPUTS: dict[str, dict] = {
    "csv": {"nargs": "?", "const": "-", "help": "print or write one run per row"},
    "html": {"help": "write a report with the figures"},
    "record": {"help": "write the runs as they come with the program (needs --reproducible)"},
}


def add_study(command: argparse.ArgumentParser, *outputs: str) -> None:
    """Add the flags of who carries a study out, and of some of what it writes."""
    add_workers(command)
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on a Dask cluster instead: address of its scheduler, such as tcp://host:8786",
    )
    add_reproducible(command)
    add_json(command, "one run per line")
    for name in outputs:
        command.add_argument(f"--{name}", metavar="FILE", **OUTPUTS[name])
    add_data_dir(command)


def add_graph(command: argparse.ArgumentParser) -> None:
    """Add the flags that :func:`pgcn.cli.running.load` reads."""
    add_source(command)
    add_data_dir(command)


def add_source(command: argparse.ArgumentParser) -> None:
    """Add the flags that :func:`pgcn.cli.running.chosen_source` reads."""
    command.add_argument("--dataset", default="cora", help="a data set that 'pgcn data' lists (default: cora)")
    command.add_argument("--split", default="public", help="public (default), random:20 or fraction:0.5")
    command.add_argument(
        "--split-seed",
        type=whole_number,
        default=0,
        metavar="N",
        help="seed of a random split, random projection or synthetic graph",
    )
    command.add_argument(
        "--dims", type=whole_number, metavar="N", help="random projection of the features to N dimensions"
    )
    about = "settings of the synthetic graph: nodes, classes, features, average_degree, homophily, ..."
    add_assignments(command, "--with", "options", about)


def add_runs(command: argparse.ArgumentParser) -> None:
    """Add the flags that :func:`pgcn.cli.running.run_seeds` reads."""
    add_graph(command)
    command.add_argument("--seed", type=whole_number, default=0, metavar="N", help="seed of the (first) run")
    command.add_argument(
        "--runs", type=whole_number, default=1, metavar="N", help="number of seeds, from --seed upwards"
    )
    add_workers(command)
    add_settings(command)
    add_reproducible(command)
    command.add_argument("--store", action="store_true", help="store the runs: 'pgcn runs' lists them")
    add_json(command, "one event per line")
    command.add_argument(
        "--save", metavar="FILE", help="save the network with the best validation accuracy as safetensors"
    )


def add_assignments(
    command: argparse.ArgumentParser, flag: str, dest: str, about: str, metavar: str = "KEY=VALUE"
) -> None:
    """Add a flag that takes KEY=VALUE, any number of times."""
    command.add_argument(flag, nargs="+", action="extend", default=[], metavar=metavar, dest=dest, help=about)


def whole_number(text: str) -> int:
    """Return the whole number of a flag."""
    try:
        return int(text)
    except ValueError as error:  # also of one of 5,000 digits
        raise argparse.ArgumentTypeError(f"must be a whole number, got {shown(text)}") from error


def some_text(text: str) -> str:
    """Return a text that is not empty: an empty id is the beginning of every id."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def number(text: str) -> float:
    """Return the number of a flag."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be a number, got {shown(text)}") from error


def check_counts(arguments: argparse.Namespace, **most: int) -> None:
    """Refuse numbers that are less than 1 or more than they may be."""
    for name, bound in most.items():
        checked_number(f"--{name}", getattr(arguments, name), at_least=1, at_most=bound)


def check_texts(arguments: Sequence[str]) -> None:
    """Refuse arguments that no file, name or number can be: NUL bytes, and bytes that are no text."""
    for argument in arguments:
        if "\0" in argument or any("\ud800" <= character <= "\udfff" for character in argument):
            raise ConfigError(f"An argument is not text: {shown(argument)}. Leave out NUL and undecodable bytes.")


def output_file(arguments: argparse.Namespace, name: str, endings: tuple[str, ...] = ()) -> Path | None:
    """Return the file of an option, None where it was not given; raise before any work if it cannot be written."""
    text = getattr(arguments, name)
    if text is None:
        return None
    if not text:
        raise ConfigError(f"--{name} takes a file, got an empty name.")
    path = Path(text)
    if endings and path.suffix not in endings:
        raise ConfigError(f"--{name} takes a file that ends in {' or '.join(endings)}, got {shown(path.name)}.")
    try:
        if not path.absolute().parent.is_dir():
            raise ConfigError(f"--{name} {path}: the folder does not exist. Create it first.")
        if path.is_dir():
            raise ConfigError(f"--{name} {path}: this is a folder. Name a file.")
    except (OSError, ValueError) as error:
        raise ConfigError(f"--{name} takes a file, got {shown(text)}: {error}.") from error
    return path


def record_file(arguments: argparse.Namespace) -> Path | None:
    """Return the file of --record, None where it was not given; raise where it would not hold elsewhere."""
    record = output_file(arguments, "record", (".gz",))
    obstacle = reproducible.obstacle() if reproducible.is_on() else "--reproducible is not given"
    if record and obstacle:
        raise ConfigError(f"--record writes what is the same on every machine, but {obstacle}.")
    return record


def check_study(arguments: argparse.Namespace) -> Path | None:
    """Refuse, before any work, flags of a study that cannot be; return the file of --record where it has one."""
    check_counts(arguments, workers=MOST_WORKERS)
    for name in ("csv", "html"):
        if hasattr(arguments, name):
            output_file(arguments, name)
    return record_file(arguments) if hasattr(arguments, "record") else None


def write_file(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
