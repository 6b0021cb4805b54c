"""An arena of a few seconds, outcomes made by hand, and workers in this process."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from pgcn.events import RunFinished
from pgcn.execution.pool import Pool
from pgcn.store import Store
from pgcn.studies.arena import Arena, ArenaContender
from pgcn.studies.arena.results import ArenaOutcome
from pgcn.studies.study import StudyRun

GCN = ArenaContender(name="gcn", title="GCN", method="gcn", changes=(("epochs", 20),), row="gcn")
SGC = ArenaContender(name="sgc", title="SGC", method="sgc", changes=(("epochs", 20),))
PGCN = ArenaContender(
    name="pgcn-tuned-ce",
    title="PGCN (CE), tuned",
    method="pgcn",
    preset="tuned",
    changes=(("epochs", 10), ("max_layers", 1), ("max_width", 10)),
    row="pgcn-ce",
)
RANDOM = ArenaContender(
    name="random",
    title="Random search",
    method="random",
    changes=(("child_epochs", 3), ("final_runs", 2), ("max_width", 16)),
    budget="architectures",
)


def small(**changes):
    """Three methods and three seeds on the karate club."""
    return Arena(**{"dataset": "karate", "contenders": (GCN, SGC, PGCN), "runs": 3, **changes})


def here() -> Pool:
    """Return one worker in this process: it starts at once."""
    workers = ThreadPoolExecutor(1)
    shutdown = lambda: workers.shutdown(wait=True, cancel_futures=True)  # noqa: E731
    return Pool(executor=workers, size=1, shutdown=shutdown, local=True, name="this process")


@contextmanager
def carried_out(study, folder, runs):
    """The store of a study of so many runs, carried out in this process without a break."""
    store = Store(f"sqlite:///{folder / 'runs.db'}")
    events = [run_event.event for run_event in StudyRun([study], store, here) if run_event is not None]
    assert len(events) == runs and all(isinstance(event, RunFinished) for event in events)
    yield store
    store.close()


def outcome(**values):
    """An outcome; accuracies are shares of 1."""
    usual = {
        "dataset": "cora",
        "split": "public",
        "split_seed": 0,
        "seed": 0,
        "contender": "gcn",
        "title": "GCN",
        "method": "gcn",
        "status": "finished",
        "topology": (16,),
        "architecture": "",
        "parameters": 23_040,
        "seconds": 1.0,
        "labelled_accuracy": 1.0,
        "val_accuracy": 0.8,
        "test_accuracy": 0.8,
    }
    values = {**usual, **values}
    run = f"{values['contender']}-{values['split_seed']}-{values['seed']}-{values.get('recorded', False)}"
    return ArenaOutcome(**{"run": run, **values})


def outcomes(test, val=None, **values):
    """An outcome for every seed, from accuracies in %."""
    val = val or test
    return [
        outcome(seed=seed, test_accuracy=t / 100, val_accuracy=v / 100, **values)
        for seed, (t, v) in enumerate(zip(test, val, strict=True))
    ]
