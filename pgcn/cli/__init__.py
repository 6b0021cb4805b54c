"""The command line: ``pgcn COMMAND``. Each command has a module of its name, with its flags and what it does."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from pgcn import reproducible
from pgcn.cli import (
    ablation,
    advise,
    app,
    arena,
    bench,
    branch,
    data,
    difficulty,
    embed,
    explain,
    export,
    gcn,
    grow,
    landscape,
    predict,
    record,
    resume,
    runs,
    search,
    sensitivity,
    settings,
    store,
    sweep,
    tables,
    train,
    verify,
)
from pgcn.cli.options import check_texts
from pgcn.errors import PgcnError, shown
from pgcn.temporary import remove_abandoned

COMMANDS = (
    app,
    grow,
    advise,
    gcn,
    train,
    search,
    data,
    runs,
    resume,
    branch,
    export,
    predict,
    explain,
    store,
    embed,
    arena,
    tables,
    sweep,
    difficulty,
    landscape,
    ablation,
    sensitivity,
    verify,
    record,
    settings,
    bench,
)
"""In the order of ``pgcn --help``. They import their work when it is asked for: help must not wait for torch."""

EXAMPLES = """\
examples:
  pgcn app                                    the dashboard
  pgcn grow                                   grow a network on Cora and watch it
  pgcn grow --dataset pubmed --preset tuned   another data set, another preset
  pgcn grow --preset auto --budget 60         the preset chosen by validation accuracy
  pgcn grow --runs 20                         20 seeds at once, mean and standard deviation
  pgcn grow --set block_width=10 loss=mse     change any setting ('pgcn settings' lists them)
  pgcn grow --steer                           decide yourself after each candidate block
  pgcn grow --dataset synthetic --with nodes=5000 homophily=0.7
  pgcn grow --json > events.jsonl             every event as one line of JSON
  pgcn advise --dataset pubmed                is growing likely to beat a GCN?
  pgcn gcn --runs 20                          the 2-layer GCN to compare with
  pgcn train gat --runs 5                     any method ('pgcn train --help' lists them)
  pgcn search graphnas --budget 50            search for an architecture
  pgcn arena --datasets cora --runs 20        methods compared over the same seeds
  pgcn tables                                 the paper's tables, published and measured
  pgcn sweep --dataset cora --protocol paper  the paper's 900 runs, and what its best run tells
  pgcn difficulty --dims 10,30,100            PGCN against GCN as features get fewer
  pgcn landscape --widths 5,10,20 --depths 1,2 what fixed topologies reach, and where growth goes among them
  pgcn data get cora                          download a data set
  pgcn data add mine --nodes n.csv --edges e.csv --label topic --text title
  pgcn grow --store                           store the run; then 'pgcn runs', 'pgcn resume', 'pgcn export'
  pgcn branch RUN --step 3 --set seed=7       continue from its third accepted block with another seed
  pgcn predict RUN --out predictions.csv      the class of every node, with your own ids
  pgcn explain RUN NODE                       the neighbours and features behind a prediction
  pgcn embed RUN --html embedding.html        2-D embeddings of a stored run's logits, step by step
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="pgcn",
        description="Graph convolutional networks that grow their own topology, block by block.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"pgcn {version('pgcn')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code: 0 done, 2 an error of the user's to correct, 130 interrupted."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        check_texts(given)
    except PgcnError as error:
        print(f"pgcn: {error}", file=sys.stderr)
        return 2
    chosen = parser().parse_args(given)
    # Threads that spin while they wait for each other starve on a busy machine. Torch reads it when imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    remove_abandoned()
    try:
        if getattr(chosen, "reproducible", False):
            reproducible.switch_on()
        chosen.action(chosen)
    except PgcnError as error:
        print(f"pgcn: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pgcn: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader closed the pipe ('pgcn grow --json | head'): nothing more can be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # of a file or folder that was named
        named = f": {shown(error.filename)}" if error.filename else ""
        print(f"pgcn: {error.strerror or error}{named}.", file=sys.stderr)
        return 2
    finally:
        if opened := sys.modules.get("pgcn.store.database"):  # imported where a command has used a store
            opened.disconnect_all()
    return 0
