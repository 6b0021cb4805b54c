"""The rule's own run beside a run that a person has decided: the same settings, the same seed. No torch.

Beside a branch it is the branch that the rule grows from the same block of the same parent.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pgcn.events import RunFinished, RunStarted
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn.lineage import changes_between
from pgcn.studies.identity import question_id

if TYPE_CHECKING:
    from pgcn.execution.execute import Execution
    from pgcn.store import Store

PREFIX = "rule-"
"""How the batches of such runs begin."""


def rule_spec(steered: RunStarted) -> RunSpec:
    """Return the run in which the rule decides."""
    return RunSpec.of(steered).with_config(decider="rule")


def rule_batch(steered: RunStarted) -> str:
    """Return the id under which the rule's run is stored: it is grown once, whoever decides beside it."""
    spec, parent = rule_spec(steered), steered.parent
    mode = {"reproducible": True} if spec.reproducible else {}
    origin = {"parent": parent["run"], "step": parent["step"]} if parent else {}
    recipe, config = spec.source.to_recipe(), spec.config.to_dict()
    return PREFIX + question_id(recipe=recipe, config=config, **origin, **mode)


def stored_rule_run(steered: RunStarted, store: "Store") -> tuple[str, RunFinished] | None:
    """Return the id of the rule's run and how it ended; None where it has not been grown to its end."""
    for run in store.runs(batch=rule_batch(steered)):
        if run.status in ("finished", "failed"):
            *_, ended = store.events(run.id)
            if isinstance(ended, RunFinished):
                return run.id, ended
    return None


def start_rule_run(
    steered: RunStarted,
    store: "Store",
    progress: Callable[[str], None] = lambda text: None,
    *,
    creator: str = "",
    data_dir: str | None = None,
    record: bool = True,
) -> "Execution":
    """Grow the rule's run; a job's work. That beside a branch is always stored. Imports torch."""
    from pgcn.execution.execute import branch_execution, execute
    from pgcn.store import new_id

    spec, parent = rule_spec(steered), steered.parent
    how = {"batch": rule_batch(steered), "creator": creator, "data_dir": data_dir}
    if parent is None:
        return execute([spec], store, progress=progress, record=record, **how)
    changes = changes_between(parent["config"], spec.config.to_dict())
    return branch_execution(store, parent["run"], parent["step"], changes, run=new_id(), **how)
