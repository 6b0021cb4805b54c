"""The command line: ``pgcn grow``, ``pgcn gcn``, ``pgcn data``, ``pgcn settings``, ``pgcn bench``."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from pgcn import reproducible
from pgcn.errors import PgcnError

EXAMPLES = """\
examples:
  pgcn app                                    the dashboard
  pgcn grow                                   grow a network on Cora and watch it
  pgcn grow --dataset pubmed --preset tuned   another data set, another preset
  pgcn grow --runs 20                         20 seeds at once, mean and spread
  pgcn grow --set block_width=10 loss=mse     change any setting ('pgcn settings' lists them)
  pgcn grow --dataset synthetic --with nodes=5000 homophily=0.7
  pgcn grow --json > events.jsonl             every event as one line of JSON
  pgcn gcn --runs 20                          the 2-layer GCN to compare with
  pgcn difficulty --dims 10,30,100            PGCN against GCN as features get fewer
  pgcn data get cora                          fetch a data set
  pgcn grow --store                           store the run; then 'pgcn runs', 'pgcn resume', 'pgcn export'
  pgcn embed RUN --html maps.html             2-D embeddings of a stored run's logits, step by step
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

    app = commands.add_parser("app", help="start the dashboard and open it in a browser")
    app.add_argument("--port", type=int, metavar="N", help="port to listen on (default: 8501)")
    app.add_argument("--no-browser", action="store_true", help="do not open a browser")
    app.set_defaults(action=_app)

    grow = commands.add_parser("grow", help="grow a network and watch it")
    grow.add_argument("--preset", default=None, help="paper, reference, reproduction (default) or tuned")
    _add_run_options(grow)
    grow.set_defaults(action=_grow)

    gcn = commands.add_parser("gcn", help="train the 2-layer GCN of Kipf & Welling, the baseline")
    _add_run_options(gcn)
    gcn.set_defaults(action=_gcn)

    data = commands.add_parser("data", help="list the data sets and where they are, or fetch one")
    data.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    data.set_defaults(action=_list_data)
    get = data.add_subparsers(title="commands", metavar="COMMAND").add_parser("get", help="fetch a data set")
    get.add_argument("name", help="cora, citeseer or pubmed")
    get.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="where to put it")
    get.set_defaults(action=_get_data)

    runs = commands.add_parser("runs", help="list the stored runs")
    runs.add_argument("--json", action="store_true", help="print one run per line as JSON")
    runs.set_defaults(action=_runs)

    resume = commands.add_parser("resume", help="resume a stored run that was interrupted")
    resume.add_argument("run", help="the run's id, or its beginning")
    resume.add_argument("--json", action="store_true", help="print one event per line as JSON")
    resume.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    resume.set_defaults(action=_resume)

    export = commands.add_parser("export", help="export a stored run to files")
    export.add_argument("run", help="the run's id, or its beginning")
    export.add_argument("--events", metavar="FILE", help="its events, as .jsonl or .csv")
    export.add_argument("--html", metavar="FILE", help="a replay that plays in any browser, without a network")
    export.add_argument("--model", metavar="FILE", help="its network, as safetensors")
    export.set_defaults(action=_export)

    embed = commands.add_parser("embed", help="2-D embeddings of a stored run's logits, step by step")
    embed.add_argument("run", help="the run's id, or its beginning")
    embed.add_argument("--method", default="tsne", help="tsne (default), umap or pca")
    embed.add_argument("--step", default="all", help="all (default), last, or the number of an accepted step")
    embed.add_argument("--out", metavar="FILE", help="a row for every node of every step, as .parquet or .csv")
    embed.add_argument("--html", metavar="FILE", help="a replay of the embeddings for any browser, offline")
    embed.add_argument(
        "--nodes", default="auto", metavar="N",
        help="how many nodes, or all (default: all up to 5,000, else a sample of 3,000)",
    )  # fmt: skip
    embed.add_argument("--perplexity", type=float, metavar="P", help="of t-SNE (default: 30, less on small graphs)")
    embed.add_argument("--seed", type=int, default=0, metavar="N", help="of the sample and of the method")
    embed.add_argument("--gcn", action="store_true", help="also map a GCN with 16 hidden neurons")
    embed.add_argument("--evidence", action="store_true", help="measure how far nodes move between maps")
    embed.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    embed.set_defaults(action=_embed)

    difficulty = commands.add_parser(
        "difficulty", help="PGCN against GCN as features get fewer: the paper's study over D'"
    )
    difficulty.add_argument("--dataset", action="append", help="may be given more than once (default: cora)")
    difficulty.add_argument("--dims", metavar="N,N,...", help="dimensions D' (default: 10,30,50,100,300)")
    difficulty.add_argument("--rates", metavar="P,P,...", help="%% of nodes labelled (default: 50)")
    difficulty.add_argument(
        "--experiments", type=int, default=3, metavar="N", help="splits and projections (default: 3)"
    )
    difficulty.add_argument(
        "--methods", metavar="M,M,...",
        help="pgcn-ce, pgcn-mse, gcn, matched-gcn, same-topology, or all (default: pgcn-ce,gcn)",
    )  # fmt: skip
    difficulty.add_argument("--preset", help="how PGCN grows: paper, reference, reproduction (default) or tuned")
    difficulty.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", dest="settings",
        help="change settings of PGCN (the study's own change: dropout=0.1)",
    )  # fmt: skip
    difficulty.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: one per core)"
    )
    difficulty.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler instead, such as tcp://host:8786"
    )
    _add_reproducible(difficulty)
    difficulty.add_argument("--json", action="store_true", help="print one run per line as JSON")
    difficulty.add_argument("--csv", nargs="?", const="-", metavar="FILE", help="print or write one run per row")
    difficulty.add_argument("--html", metavar="FILE", help="write a report with the figures")
    difficulty.add_argument(
        "--check", action="store_true", help="fail unless PGCN's lead over GCN shrinks as D' grows"
    )
    difficulty.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    difficulty.set_defaults(action=_difficulty)

    sensitivity = commands.add_parser(
        "sensitivity", help="grow one seed again under tiny changes: how often is the topology the same?"
    )
    sensitivity.add_argument("--preset", default=None, help="paper, reference, reproduction (default) or tuned")
    _add_graph_options(sensitivity)
    sensitivity.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the run")
    sensitivity.add_argument("--times", type=int, default=20, metavar="N", help="how often (default: 20)")
    sensitivity.add_argument(
        "--size", type=float, default=1e-7, metavar="X",
        help="relative change of the initial weights (default: 1e-7, about the last bit)",
    )  # fmt: skip
    _add_workers_and_settings(sensitivity)
    _add_reproducible(sensitivity)
    sensitivity.add_argument("--json", action="store_true", help="print the findings as JSON")
    sensitivity.set_defaults(action=_sensitivity)

    verify = commands.add_parser("verify", help="compute recorded results again: does this machine give the same?")
    verify.add_argument("--all", action="store_true", help="all of them, about an hour (default: some, a minute)")
    verify.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    verify.set_defaults(action=_verify, reproducible=True)

    record = commands.add_parser("record", help="make the recorded results anew, for those who develop pgcn")
    record.add_argument("folder", help="where to write them: assets")
    record.add_argument("--without-study", action="store_true", help="only the run that greets a visitor")
    record.set_defaults(action=_record, reproducible=True)

    settings = commands.add_parser("settings", help="list the settings that --set takes, and the presets")
    settings.set_defaults(action=_settings)

    bench = commands.add_parser("bench", help="measure the speed against plain PyG")
    bench.add_argument("--dataset", action="append", help="may be given more than once (default: all three)")
    bench.add_argument("--scale", action="store_true", help="time and memory from 10,000 to 1,000,000 nodes")
    bench.add_argument(
        "--study", action="store_true", help="the difficulty study on Cora against its runs one by one"
    )
    _add_reproducible(bench)
    bench.add_argument("--json", action="store_true", help="print the figures as JSON")
    bench.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")
    bench.set_defaults(action=_bench)
    return top


def _add_graph_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dataset", default="cora", help="cora (default), citeseer, pubmed, karate, synthetic")
    command.add_argument("--split", default="public", help="public (default), random:20 or fraction:0.5")
    command.add_argument("--split-seed", type=int, default=0, metavar="N", help="seed of a drawn split or graph")
    command.add_argument("--dims", type=int, metavar="N", help="project the features at random to so many")
    command.add_argument(
        "--with", nargs="+", action="extend", default=[], metavar="KEY=VALUE", dest="options",
        help="parameters of the synthetic graph: nodes, classes, features, average_degree, homophily, ...",
    )  # fmt: skip
    command.add_argument("--data-dir", metavar="DIR", help="where the data sets are (default: PGCN_DATA_DIR)")


def _add_workers_and_settings(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="N",
        help="processes that many runs are divided among (default: one per core)",
    )  # fmt: skip
    command.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", dest="settings",
        help="change settings; 'pgcn settings' lists them",
    )  # fmt: skip


def _add_run_options(command: argparse.ArgumentParser) -> None:
    _add_graph_options(command)
    command.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the (first) run")
    command.add_argument("--runs", type=int, default=1, metavar="N", help="run N seeds, from --seed upwards")
    _add_workers_and_settings(command)
    _add_reproducible(command)
    command.add_argument("--store", action="store_true", help="store the runs: 'pgcn runs' lists them")
    command.add_argument("--json", action="store_true", help="print one event per line as JSON")
    command.add_argument("--save", metavar="FILE", help="write the network (of best validation) as safetensors")


def _add_reproducible(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--reproducible", action="store_true", default=argparse.SUPPRESS,
        help="the same bits on every x86-64 CPU with AVX2, at some cost in time (or PGCN_REPRODUCIBLE=1)",
    )  # fmt: skip


# The work is imported when it is asked for: 'pgcn --help' must not wait for torch.


def _app(arguments: argparse.Namespace) -> None:
    from pgcn.cli.app import app_command

    app_command(arguments)


def _grow(arguments: argparse.Namespace) -> None:
    from pgcn.cli.runs import grow_command

    grow_command(arguments)


def _gcn(arguments: argparse.Namespace) -> None:
    from pgcn.cli.runs import gcn_command

    gcn_command(arguments)


def _list_data(arguments: argparse.Namespace) -> None:
    from pgcn.cli.tables import list_data

    list_data(arguments)


def _get_data(arguments: argparse.Namespace) -> None:
    from pgcn.cli.tables import get_data

    get_data(arguments)


def _runs(arguments: argparse.Namespace) -> None:
    from pgcn.cli.stored import list_runs

    list_runs(arguments)


def _resume(arguments: argparse.Namespace) -> None:
    from pgcn.cli.stored import resume_command

    resume_command(arguments)


def _export(arguments: argparse.Namespace) -> None:
    from pgcn.cli.stored import export_command

    export_command(arguments)


def _embed(arguments: argparse.Namespace) -> None:
    from pgcn.cli.embed import embed_command

    embed_command(arguments)


def _difficulty(arguments: argparse.Namespace) -> None:
    from pgcn.cli.difficulty import difficulty_command

    difficulty_command(arguments)


def _sensitivity(arguments: argparse.Namespace) -> None:
    from pgcn.cli.runs import sensitivity_command

    sensitivity_command(arguments)


def _verify(arguments: argparse.Namespace) -> None:
    from pgcn.cli.verify import verify_command

    verify_command(arguments)


def _record(arguments: argparse.Namespace) -> None:
    from pgcn.cli.verify import record_command

    record_command(arguments)


def _settings(arguments: argparse.Namespace) -> None:
    from pgcn.cli.tables import list_settings

    list_settings()


def _bench(arguments: argparse.Namespace) -> None:
    from pgcn.cli.tables import bench

    bench(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code: 0 done, 2 something to put right, 130 interrupted."""
    chosen = parser().parse_args(arguments)
    # Threads that spin while they wait for each other starve on a busy machine. Torch reads it when imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
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
        # The reader went away ('pgcn grow --json | head'): there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0
