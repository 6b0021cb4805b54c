"""``pgcn embed``: 2-D or 3-D embeddings of the logits of a stored run."""

import argparse
from typing import TYPE_CHECKING

from pgcn.cli.options import Commands, add_data_dir, add_stored_run, number, output_file, whole_number
from pgcn.limits import read_whole

if TYPE_CHECKING:
    from rich.console import Console

    from pgcn.embeddings.embed import Embedding


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("embed", help="2-D or 3-D embeddings of a stored run's logits, step by step")
    add_stored_run(command)
    command.add_argument("--method", default="tsne", help="tsne (default), umap or pca")
    command.add_argument(
        "--dimensions", type=whole_number, default=2, metavar="N", help="number of dimensions: 2 (default) or 3"
    )
    command.add_argument(
        "--step", default="all", help="steps to embed: all (default), last, or the number of a step"
    )
    command.add_argument("--out", metavar="FILE", help="a row for every node of every step, as .parquet or .csv")
    command.add_argument("--html", metavar="FILE", help="a replay of the embeddings for any browser, offline")
    nodes = "how many nodes, or all (default: all up to 5,000, else a sample of 3,000)"
    command.add_argument("--nodes", default="auto", metavar="N", help=nodes)
    command.add_argument(
        "--perplexity", type=number, metavar="P", help="perplexity of t-SNE (default: 30, less on small graphs)"
    )
    command.add_argument(
        "--seed", type=whole_number, default=0, metavar="N", help="seed of the node sample and of the method"
    )
    command.add_argument("--gcn", action="store_true", help="also embed the logits of a GCN with 16 hidden neurons")
    command.add_argument("--evidence", action="store_true", help="measure how far nodes move between embeddings")
    add_data_dir(command)
    command.set_defaults(action=embed)


def embed(arguments: argparse.Namespace) -> None:
    """Compute the embeddings of a stored run, print how well classes separate, write them to files."""
    from pgcn.cli.embedding_report import in_plan_order, show_movement, show_separation, write_table
    from pgcn.cli.progress import transfer_progress
    from pgcn.cli.terminal import terminal
    from pgcn.embeddings.embed import embed as start
    from pgcn.embeddings.plan import EmbeddingConfig
    from pgcn.embeddings.steps import chosen_steps
    from pgcn.store import Store

    out = output_file(arguments, "out", (".parquet", ".csv"))
    html = output_file(arguments, "html", (".html", ".htm"))
    config = EmbeddingConfig(
        method=arguments.method,
        nodes=arguments.nodes if (count := read_whole(arguments.nodes)) is None else count,
        perplexity=arguments.perplexity,
        seed=arguments.seed,
        gcn=arguments.gcn,
        dimensions=arguments.dimensions,
    )

    store, console = Store(), terminal()
    with transfer_progress(terminal(stderr=True)) as fetching:
        how = {"data_dir": arguments.data_dir, "fetching": fetching}
        work = start(store, arguments.run, config, **how)
        steps = chosen_steps(work.plan.steps, arguments.step)
        if arguments.step != "all":  # an embedding starts from the one before it, so earlier steps are computed too
            work = start(store, arguments.run, config, until=steps[-1].number, **how)
        compute(work, console)
    show_separation(work, console)
    if out:
        write_table(work, steps, out)
        console.print(f"Wrote {out}.")
    if html:
        from pgcn.views.embedding import embedding_page, embedding_replay
        from pgcn.views.pages import write_page

        how = {"method": config.method, "logits": work.logits(), "autoplay": True}
        replay = embedding_replay(work.plan, work.nodes, in_plan_order(work), **how)
        write_page(embedding_page(replay), html)
        console.print(f"Wrote {html}.")
    if arguments.evidence:
        show_movement(work, console)


def compute(work: "Embedding", console: "Console") -> None:
    """Show a bar while the embeddings are computed."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    if work.config.method == "umap":
        console.print("UMAP compiles itself at its first use in a process: about half a minute.")
    count = TextColumn("{task.completed:.0f} of {task.total} embeddings")
    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(work.plan.frames))
        for run_event in work:
            event = run_event.event
            completed = event.frame + getattr(event, "share", 1.0)
            progress.update(bar, description=event.title, completed=completed, total=event.frames)
