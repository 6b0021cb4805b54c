"""Print the ids of questions under which runs are stored: ``python tests/golden/ids.py``.

Of every method the default settings and its presets, and the baseline, the perturbed runs and the study on Cora. A
new method or preset adds lines. A line that changes orphans what people have stored under it: a later setting is
declared with ``later=True`` instead.
"""

from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.registry import METHODS
from pgcn.source import GraphSource
from pgcn.studies.baseline import baseline_batch
from pgcn.studies.difficulty import Study
from pgcn.studies.identity import question_id
from pgcn.studies.landscape import Landscape
from pgcn.studies.sensitivity import sensitivity_batch

CORA = GraphSource(name="cora")


def lines():
    """Yield 'what of which id'."""
    for name, method in METHODS.items():
        yield f"method {name} {question_id(method=name, config=method.config().to_dict())}"
        for preset, config in method.presets.items():
            yield f"method {name}/{preset} {question_id(method=name, config=config.to_dict())}"
    for mode, reproducible in (("plain", False), ("reproducible", True)):
        yield f"baseline {mode} {baseline_batch(CORA, reproducible=reproducible)}"
        spec = RunSpec(method="pgcn", config=growth_preset(), source=CORA, reproducible=reproducible)
        yield f"sensitivity {mode} {sensitivity_batch(spec)}"
        study = Study(dataset="cora", dims=(10,), experiments=1, reproducible=reproducible)
        for task in study.tasks():
            yield f"difficulty {mode}/{task.contender} {task.id}"
        landscape = Landscape(widths=(5,), depths=(2,), runs=1, paths=1, reproducible=reproducible)
        for task in landscape.tasks():
            yield f"landscape {mode}/{task.kind} {task.id}"


if __name__ == "__main__":
    print("\n".join(lines()))
