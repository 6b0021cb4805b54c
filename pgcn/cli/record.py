"""``pgcn record``: recompute the recorded results that come with the program (see :mod:`pgcn.recorded`)."""

import argparse
import gzip
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.cli.options import Commands, some_text
from pgcn.errors import PgcnError

if TYPE_CHECKING:
    from rich.console import Console


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("record", help="recompute and write the recorded results, for developers of pgcn")
    command.add_argument("folder", type=some_text, help="where to write them: assets")
    command.add_argument("--without-study", action="store_true", help="skip the difficulty study")
    command.add_argument("--without-arena", action="store_true", help="skip the arena")
    command.add_argument("--without-sweep", action="store_true", help="skip the sweep")
    command.add_argument("--without-landscapes", action="store_true", help="skip the landscapes")
    command.set_defaults(action=record, reproducible=True)


def record(arguments: argparse.Namespace) -> None:
    """Compute what comes with the program in the reproducible mode, and write it."""
    from pgcn.cli.terminal import terminal

    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise PgcnError(f"{folder} is not a folder. Create it first.")
    obstacle = reproducible.obstacle()
    if obstacle:
        raise PgcnError(
            f"The reproducible mode gives no guarantee on this machine: {obstacle}: nothing is recorded."
        )
    console = terminal(stderr=True)
    record_portraits(folder, console)
    record_examples(folder, console)
    record_first(folder, console)
    record_run(folder, console)
    if not arguments.without_study:
        record_study(folder, console)
    if not arguments.without_arena:
        record_arena(folder, console)
    if not arguments.without_sweep:
        record_sweep(folder, console)
    if not arguments.without_landscapes:
        record_landscapes(folder, console)


def record_run(folder: Path, console: "Console") -> None:
    """Write a run on the public split, the GCN on the same graph, and the run's 2-D embeddings."""
    from pgcn import recorded
    from pgcn.cli.summary import summarize
    from pgcn.data import load_graph
    from pgcn.embeddings.embed import embed
    from pgcn.embeddings.plan import EmbeddingConfig
    from pgcn.embeddings.sample import sample_of_embeddings
    from pgcn.execution.recorder import record_runs
    from pgcn.execution.start import grow_many, train_gcns
    from pgcn.methods.pgcn import growth_preset
    from pgcn.store import Store
    from pgcn.studies.baseline import CONFIGS
    from pgcn.views.embedding import embedding_replay

    graph = load_graph("cora")
    with tempfile.TemporaryDirectory() as temporary:
        store = Store(f"sqlite:///{temporary}/runs.db")
        runs = grow_many(graph, [growth_preset(seed=recorded.RUN_SEED)])
        [recorder] = record_runs(runs, store)
        [result] = runs.finish()
        write_lines(folder / recorded.RUN, [event.to_dict() for event in result.events])
        console.print(f"Grown: {result.topology}.")
        gcn = {"event": "Summary", **summarize(train_gcns(graph, CONFIGS).finish())}
        (folder / recorded.GCN).write_text(json.dumps(gcn) + "\n", encoding="utf-8")
        work = embed(store, recorder.run, EmbeddingConfig(), graph=graph).finish()
        last = [planned for planned in work.plan.frames if planned.step and planned.step.stands][-1]
        replay = embedding_replay(
            work.plan,
            work.nodes,
            work.frames,
            method="tsne",
            logits={last.logits: work.logits()[last.logits]},  # those of all steps would be three times the rest
            name="recorded",
            badge="recorded run",
            autoplay=True,
        )
        write_gzip(folder / recorded.EMBEDDINGS, json.dumps(replay))
        write_gzip(folder / recorded.GRAPH, json.dumps(sample_of_embeddings(replay)))
        store.close()
    console.print("Wrote the run, the GCN and the embeddings.")


def record_first(folder: Path, console: "Console") -> None:
    """Write the run that the dashboard opens with, the GCN on the same graph, and a sample of that graph."""
    from pgcn import recorded
    from pgcn.cli.summary import summarize
    from pgcn.data import load_graph
    from pgcn.embeddings.predictions import Predictions, read_sample
    from pgcn.execution.recorder import record_runs
    from pgcn.execution.start import grow_many, train, train_gcns
    from pgcn.inside.stored import read_profiles
    from pgcn.methods.pgcn import growth_preset
    from pgcn.store import Store
    from pgcn.studies.baseline import CONFIGS

    graph = load_graph(**recorded.FIRST_GRAPH)
    config = growth_preset(recorded.FIRST_PRESET, **recorded.FIRST_CHANGES, seed=recorded.RUN_SEED)
    with tempfile.TemporaryDirectory() as temporary:
        store = Store(f"sqlite:///{temporary}/runs.db")
        runs = grow_many(graph, [config])
        [recorder] = record_runs(runs, store)
        [result] = runs.finish()
        write_lines(folder / recorded.FIRST, [event.to_dict() for event in result.events])
        for _ in Predictions(store, recorder.run):
            pass
        steps = len(store.networks(recorder.run))
        sample = read_sample(store, recorder.run, result.events[0], steps)
        write_gzip(folder / recorded.FIRST_SAMPLE, json.dumps(sample))
        inside = read_profiles(store, recorder.run, list(range(1, steps + 1)))
        write_gzip(folder / recorded.FIRST_INSIDE, json.dumps(inside))
        store.close()
    gcn = {"event": "Summary", **summarize(train_gcns(graph, CONFIGS).finish())}
    (folder / recorded.FIRST_GCN).write_text(json.dumps(gcn) + "\n", encoding="utf-8")
    raced = train("gcn", graph, seed=0).finish().events
    write_lines(folder / recorded.FIRST_GCN_RUN, [event.to_dict() for event in raced])
    console.print(f"Wrote the run that greets a visitor: {result.topology}.")


def record_portraits(folder: Path, console: "Console") -> None:
    """Write the data sets that come with the program at a glance."""
    from pgcn import recorded
    from pgcn.data import NAMES, load_graph
    from pgcn.embeddings.portrait import portrait_of

    portraits = {name: portrait_of(load_graph(name)) for name in NAMES}
    write_gzip(folder / recorded.PORTRAITS, json.dumps(portraits))
    console.print(f"Wrote {len(portraits)} portraits of data sets.")


def record_examples(folder: Path, console: "Console") -> None:
    """Write the examples of graphs that people can add."""
    from pgcn.data.examples import write_examples

    (folder / "examples").mkdir(exist_ok=True)
    write_examples(folder / "examples")
    console.print("Wrote the examples.")


def record_study(folder: Path, console: "Console") -> None:
    """Write the outcomes of the difficulty study; more than an hour on two cores."""
    from pgcn import recorded, verification
    from pgcn.store import Store
    from pgcn.studies.difficulty.results import stored_outcomes
    from pgcn.studies.study import StudyRun

    store = Store()  # the user's own, so that an interrupted recording resumes where it was
    run = StudyRun(verification.STUDIES, store)
    for run_event in run:
        if run_event is not None:
            task = run.tasks[run_event.run]
            console.print(f"  {task.place.dataset}: {task.name}")
    outcomes = [outcome for study in verification.STUDIES for outcome in stored_outcomes(study, store)]
    # When they ended says nothing on another machine.
    write_lines(folder / recorded.STUDY, [{**vars(outcome), "ended": None} for outcome in outcomes])
    store.close()


def record_arena(folder: Path, console: "Console") -> None:
    """Write the outcomes of the arena: everybody on the paper's three data sets; about an hour on two cores."""
    from pgcn import recorded
    from pgcn.store import Store
    from pgcn.studies.arena import arenas_of
    from pgcn.studies.arena.results import stored_outcomes
    from pgcn.studies.study import StudyRun

    store, arenas = Store(), arenas_of(reproducible=True)  # the user's own store, as above
    run = StudyRun(arenas, store)
    for run_event in run:
        if run_event is not None:
            task = run.tasks[run_event.run]
            console.print(f"  {task.source.name}: {task.name}")
    outcomes = [outcome for arena in arenas for outcome in stored_outcomes(arena, store)]
    recorded.write_arena(folder / recorded.ARENA, outcomes)
    runs = {one.contender: one.run for one in outcomes if one.dataset == "cora" and one.seed == 0}
    watched = {"graphnas": recorded.SEARCH, "random": recorded.RIVALS["random"]}
    for contender, file in {**watched, "pgcn-tuned-ce": recorded.RIVALS["pgcn"]}.items():
        recorded.write_search(folder / file, store.events(runs[contender]))
    store.close()


def record_sweep(folder: Path, console: "Console") -> None:
    """Write the outcomes of the paper's grid on Cora; some ten minutes on two cores."""
    from pgcn import recorded
    from pgcn.store import Store
    from pgcn.studies.study import StudyRun
    from pgcn.studies.sweep import Sweep
    from pgcn.studies.sweep.outcomes import stored_outcomes
    from pgcn.studies.sweep.results import SweepResults

    store, sweep = Store(), Sweep(reproducible=True)  # the user's own store, as above
    run = StudyRun([sweep], store)
    for run_event in run:
        if run_event is not None:
            console.print(f"  {run.tasks[run_event.run].name}")
    recorded.write_sweep(folder / recorded.SWEEP, SweepResults(sweep, stored_outcomes(sweep, store)))
    store.close()


def record_landscapes(folder: Path, console: "Console") -> None:
    """Write the outcomes of the landscapes of Cora; some minutes on two cores."""
    from pgcn import recorded
    from pgcn.methods.pgcn import growth_preset
    from pgcn.source import GraphSource
    from pgcn.store import Store
    from pgcn.studies.landscape import Landscape
    from pgcn.studies.landscape.outcomes import stored_outcomes
    from pgcn.studies.landscape.results import LandscapeResults
    from pgcn.studies.study import StudyRun

    store = Store()  # the user's own, as above
    for name, (graph, preset, changes) in recorded.LANDSCAPES.items():
        growth = growth_preset(preset, **changes)
        landscape = Landscape(source=GraphSource.of(**graph), growth=growth, reproducible=True)
        run = StudyRun([landscape], store)
        for run_event in run:
            if run_event is not None:
                console.print(f"  {run.tasks[run_event.run].name}")
        results = LandscapeResults(landscape, stored_outcomes(landscape, store))
        recorded.write_landscape(folder / name, results)
    store.close()


def write_lines(path: Path, values: list[dict]) -> None:
    write_gzip(path, "".join(json.dumps(value) + "\n" for value in values))


def write_gzip(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
