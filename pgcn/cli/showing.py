"""Runs on the terminal while they go on: as JSON, one as a live view, or many as a bar and then a table."""

import json

from rich.live import Live

from pgcn.cli.progress import runs_progress
from pgcn.cli.search_text import SearchView, reported_line, search_row
from pgcn.cli.steer import Ask, asking
from pgcn.cli.summary import best_run, summarize
from pgcn.cli.terminal import open_table, terminal
from pgcn.cli.text import RunView, decision_row, opening_line, scores_line
from pgcn.errors import ConfigError
from pgcn.events import DecisionAwaited, EpochsTrained, RunEvent, RunFinished
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.margins import thin_sentence
from pgcn.methods.run import RunResult, Runs
from pgcn.methods.search.events import ArchitectureProposed
from pgcn.methods.steps import describe
from pgcn.numbers import counted, mean_sd, percent, percent_spread


def show_runs(runs: Runs, *, as_json: bool, letters: str = "") -> None:
    """Show runs until they end; interrupted with Ctrl-C, they end with what they had accepted.

    ``letters`` are decisions given beforehand, for a run that asks a person.
    """
    many = len(runs.configs) > 1
    ask = asking(terminal(stderr=as_json), letters)
    try:
        if as_json:
            show_json(runs, ask)
        elif many:
            show_many(runs)
        else:
            show_one(runs, ask)
    except KeyboardInterrupt:
        for run_event in runs.cancel("Cancelled with Ctrl-C."):
            if as_json:
                print_json(run_event, many=many)
        raise


def show_json(runs: Runs, ask: Ask) -> None:
    """Print one event per line, with its run's number where there are many, and a summary of many."""
    many = len(runs.configs) > 1
    for run_event in runs:
        print_json(run_event, many=many)
        if isinstance(run_event.event, DecisionAwaited):
            runs.decide(ask(run_event.event, runs.started()))
    if many:
        print(json.dumps({"event": "Summary", **summarize(runs.finish())}, allow_nan=False), flush=True)


def print_json(run_event: RunEvent, *, many: bool) -> None:
    line = {"run": run_event.run} if many else {}
    print(json.dumps(line | run_event.event.to_dict(), allow_nan=False), flush=True)


def show_one(runs: Runs, ask: Ask) -> None:
    """Draw one run while it goes on."""
    console = terminal()
    started = runs.started()
    view = SearchView(started) if runs.method.searches else RunView(started)
    console.print(opening_line(view.started))
    for note in view.started.notes:
        console.print(f"  note: {note}")
    with Live(view, console=console, refresh_per_second=10) as live:
        for run_event in runs:
            view.update(run_event.event)
            if isinstance(run_event.event, DecisionAwaited):
                live.stop()
                runs.decide(ask(run_event.event, view.started))
                live.start()
                continue
            row = search_row(run_event.event) or decision_row(run_event.event, view.started)
            if row is not None:
                console.print(row)
    result = runs.result()
    finished = result.finished
    if finished.scores is None:
        raise ConfigError(f"The run failed. {ending_sentence(finished)}")
    thin = thin_sentence(result.events)
    margins = f" · {thin}" if thin else ""
    console.print(f"   {describe(view.started, finished.topology)} in {finished.seconds:.1f} s{margins}")
    if runs.method.searches:
        console.print(f"   {scores_line(finished.scores)}")
        console.print(f"   {reported_line(result.events)}")


def show_many(runs: Runs) -> None:
    """Show a bar while many runs go on, then a table of them and a summary."""
    console = terminal()
    started = runs.started()
    console.print(opening_line(started, len(runs.configs)))
    with runs_progress(console) as progress:
        bar = progress.add_task("runs finished", total=len(runs.configs))
        for run_event in runs:
            event = run_event.event
            if isinstance(event, RunFinished):
                progress.advance(bar)
            elif isinstance(event, ArchitectureProposed):
                progress.update(bar, description=f"runs finished (now architecture {event.number})")
            elif isinstance(event, EpochsTrained) and event.layer:
                where = f"layer {event.layer}, block {event.block}"
                progress.update(bar, description=f"runs finished (now {where})")
        elapsed = progress.tasks[0].elapsed
    results = runs.finish()
    best = best_run(results)
    table = open_table("seed", "topology", "parameters", "validation", "test", "ended")
    for result in results:
        scores = result.scores
        table.add_row(
            str(result.config.seed),
            describe(started, result.topology),
            f"{result.parameters:,}",
            percent(scores and scores.val_accuracy),
            percent(scores and scores.test_accuracy),
            ending_sentence(result.finished),
            style="bold" if result is best else None,
        )
    console.print(table)
    if best is None:
        raise ConfigError(f"All runs failed. {ending_sentence(results[0].finished)}")
    first = runs.configs[0].seed
    console.print(f"{started.dataset}, {started.split}, {len(results)} seeds from {first}, in {elapsed:.1f} s:")
    for line in summary_lines(results, best):
        console.print(f"  {line}")


def summary_lines(results: list[RunResult], best: RunResult) -> list[str]:
    """Return mean ± sd over the runs, and the run of best validation, as text."""
    figures = summarize(results)
    lines = []
    for name, label in (("test_accuracy", "test"), ("val_accuracy", "validation")):
        if figures[name]["mean"] is not None:  # there may be no test nodes
            lines.append(f"{label} accuracy {percent_spread(**figures[name])} (mean ± sd)")
    lines.append(f"parameters {mean_sd(**figures['parameters'], digits=0)}")
    lines.append(
        f"best validation: seed {best.config.seed}, {percent(best.scores.val_accuracy)}; its test accuracy "
        f"{percent(best.scores.test_accuracy)}"
    )
    if figures["failed"]:
        lines.append(f"{counted(figures['failed'], 'run')} failed: left out of these figures.")
    return lines
