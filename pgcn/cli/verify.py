"""``pgcn verify`` and ``pgcn record``: is what comes with the program what this machine computes?"""

import argparse
import gzip
import json
import os
import tempfile
from pathlib import Path

from rich.console import Console

from pgcn import recorded, reproducible, verification
from pgcn.cli.runs import summary
from pgcn.errors import PgcnError


def verify_command(arguments: argparse.Namespace) -> None:
    """Compute recorded things again and say of each whether it is equal; an error where any is not."""
    import torch

    console = Console()
    if arguments.data_dir:
        os.environ["PGCN_DATA_DIR"] = arguments.data_dir  # every graph is loaded by its recipe
    obstacle = reproducible.obstacle()
    if obstacle:
        console.print(f"The reproducible mode promises nothing here, because {obstacle}.", highlight=False)
    made_with = verification.torch_recorded_with()
    if made_with.partition("+")[0] != str(torch.__version__).partition("+")[0]:
        console.print(
            f"Recorded with torch {made_with}, this is torch {torch.__version__}: another release may compute "
            "differently.", highlight=False,
        )  # fmt: skip
    total = different = 0
    for one in verification.verifications(everything=arguments.all):
        total += 1
        different += bool(one.differences)
        console.print(f"{'differs' if one.differences else 'equal  '}  {one.name}", highlight=False)
        for sentence in one.differences:
            console.print(f"         {sentence}", highlight=False)
    if different:
        raise PgcnError(f"{different} of {total} recorded results are not what this machine computes.")
    console.print(f"All {total} are equal to what was recorded (torch {made_with}).", highlight=False)


def record_command(arguments: argparse.Namespace) -> None:
    """Make what comes with the program anew, in the reproducible mode."""
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise PgcnError(f"{folder} is not a folder. Make it first.")
    obstacle = reproducible.obstacle()
    if obstacle:
        raise PgcnError(f"The reproducible mode promises nothing here, because {obstacle}: nothing is recorded.")
    console = Console(stderr=True)
    record_run(folder, console)
    if not arguments.without_study:
        record_study(folder, console)


def record_run(folder: Path, console: Console) -> None:
    """Write the run that greets a visitor, the GCN beside it, and its 2-D embeddings."""
    from pgcn.data import load_graph
    from pgcn.embeddings.embed import EmbeddingConfig, embed
    from pgcn.execution.recorder import record_runs
    from pgcn.execution.start import grow_many, train_gcns
    from pgcn.methods.pgcn import growth_preset
    from pgcn.store import Store
    from pgcn.studies.baseline import CONFIGS
    from pgcn.views.maps import map_film

    graph = load_graph("cora")
    with tempfile.TemporaryDirectory() as place:
        store = Store(f"sqlite:///{place}/runs.db")
        runs = grow_many(graph, [growth_preset(seed=recorded.RUN_SEED)])
        recorders = record_runs(runs, store)
        events = runs.finish()[0].events
        write_lines(folder / recorded.RUN, [event.to_dict() for event in events])
        console.print(f"Grown: {events[-1].topology}.", highlight=False)
        gcn = {"event": "Summary", **summary(train_gcns(graph, CONFIGS).finish())}
        (folder / recorded.GCN).write_text(json.dumps(gcn) + "\n", encoding="utf-8")
        work = embed(store, recorders[0].run, EmbeddingConfig(), graph=graph)
        for _ in work:
            pass
        film = map_film(
            work.plan, work.nodes, work.pictures, method="tsne", name="recorded", badge="recorded run",
            autoplay=True,
        )  # fmt: skip
        write_gzip(folder / recorded.MAPS, json.dumps(film))
        store.close()
    console.print("Wrote the run, the GCN and the embeddings.", highlight=False)


def record_study(folder: Path, console: Console) -> None:
    """Write the outcomes of the difficulty study; about an hour on two cores."""
    from pgcn.store import Store
    from pgcn.studies.results import stored_outcomes
    from pgcn.studies.running import StudyRun

    store = Store()  # what was computed stays: a record that was interrupted goes on
    run = StudyRun(verification.STUDIES, store)
    for said in run:
        if said is not None:
            console.print(f"  {run.tasks[said.run].place.dataset}: {run.tasks[said.run].name}", highlight=False)
    outcomes = [outcome for study in verification.STUDIES for outcome in stored_outcomes(study, store)]
    write_lines(folder / recorded.STUDY, [vars(outcome) for outcome in outcomes])
    store.close()


def write_lines(path: Path, values: list[dict]) -> None:
    write_gzip(path, "".join(json.dumps(value) + "\n" for value in values))


def write_gzip(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
