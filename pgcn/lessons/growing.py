"""Blocks, layers and the test they must pass, told from real runs on the tour's graph."""

from typing import Any

from pgcn.engine.lanes import Weights
from pgcn.events import BlockAccepted, BlockJudged, Event, LayerJudged, LayerRejected, RunFinished
from pgcn.execution.start import grow
from pgcn.lessons.plain import plain
from pgcn.lessons.setting import TOUR, tour_graph
from pgcn.lessons.steps import solved, tour_run, trained
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.explain import why
from pgcn.methods.pgcn.rule import Candidate

EPSILONS = (-0.2, 0.0, 0.0001, 0.1, 0.15, 0.22, 0.26)
"""Thresholds the tour grows by; 0.0001 is the paper's."""
LIMITS = {"max_layers": 3, "max_width": 12}
"""So that also the threshold that lets nearly everything pass comes to an end; the tour's own run stays below."""
CONVERGENCE: dict[str, GrowthConfig] = {
    "Cross-entropy, as on this tour": TOUR,
    "Squared error J₁, readout as printed": TOUR.change(loss="mse"),
    "Squared error J₁, derived readout, no weight decay": TOUR.change(
        loss="mse", closed_form="derived", weight_decay=0.0
    ),
}
"""Fine-tuning that minimises something else than E, nearly E, and E itself."""


def reason_of(event: BlockJudged | LayerJudged) -> str:
    return why(event, reject_equal=TOUR.reject_equal)


def weights_shown(weights: Weights) -> dict[str, Any]:
    return {"weight": plain(weights["hidden.0.weight"]), "readout": plain(weights["output.weight"])}


def block_lesson() -> dict[str, Any]:
    """Return the first layer's weights as it gets a second, a third, and for a moment a fourth block."""
    graph, (events, accepted) = tour_graph(), tour_run()
    judged = [event for event in events if isinstance(event, BlockJudged) and event.layer == 1]
    width = TOUR.block_width
    frames, base = [], accepted[(width,)]
    frames.append({"stage": "trained", "blocks": 1, "moved": None, **weights_shown(base)})
    for number, event in enumerate(judged[1:], start=2):
        candidate = Candidate(layer=1, block=number, widths=(number * width,), base=base, solves=number)
        start = solved(TOUR, graph, candidate)
        tuned = trained(TOUR, graph, candidate).weights
        kept = isinstance(event, BlockAccepted)
        for stage, weights in (("added", start), ("tuned", tuned)):
            old = weights["hidden.0.weight"][:, : base["hidden.0.weight"].shape[1]]
            moved = plain((old - base["hidden.0.weight"]).abs().max())
            frames.append({"stage": stage, "blocks": number, "moved": moved, **weights_shown(weights)})
        ended = {"stage": "kept" if kept else "back", "blocks": number, "reason": reason_of(event), "moved": 0.0}
        frames.append(ended | weights_shown(tuned if kept else base))
        base = tuned if kept else base
    return {"frames": frames, "width": width, "classes": list(graph.class_names)}


def told(event: BlockJudged) -> dict[str, Any]:
    """Return a judged block in plain values."""
    return {
        "layer": event.layer,
        "block": event.block,
        "kept": isinstance(event, BlockAccepted),
        "rate": event.rate,
        "before": event.before and event.before.val_accuracy,
        "after": event.after.val_accuracy,
        "labelled": event.after.labelled_accuracy,
        "test": event.after.test_accuracy,
        "reason": reason_of(event),
    }


def run_told(events: tuple[Event, ...]) -> dict[str, Any]:
    """Return a run as its judged blocks and layers, and how it ended."""
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    return {
        "steps": [told(event) for event in events if isinstance(event, BlockJudged)],
        "topology": list(finished.topology),
        "parameters": finished.parameters,
        "val": finished.scores.val_accuracy,
        "test": finished.scores.test_accuracy,
        "reason": finished.reason,
    }


def threshold_lesson() -> dict[str, Any]:
    """Return the tour's run as it goes with other thresholds: each is really grown."""
    runs = []
    for epsilon in EPSILONS:
        config = TOUR.change(epsilon_b=epsilon, **LIMITS)
        events = tour_run()[0] if epsilon == TOUR.epsilon_b else grow(tour_graph(), config).finish().events
        runs.append({"epsilon": epsilon, **run_told(events)})
    return {"runs": runs, "start": EPSILONS.index(TOUR.epsilon_b), "validation": int(tour_graph().val_mask.sum())}


def layers_lesson() -> dict[str, Any]:
    """Return the whole run, one frame for every judgement: the layers as they stand, and why."""
    events, _ = tour_run()
    frames, layers = [], []
    for event in events:
        if isinstance(event, BlockJudged):
            if event.block == 1:
                layers = [*layers, []]
            kept = "kept" if isinstance(event, BlockAccepted) else "back"
            layers = [*layers[:-1], [*layers[-1], kept]]
            frames.append({"kind": kept, "layer": event.layer, "block": event.block, "sentence": reason_of(event)})
        elif isinstance(event, LayerJudged):
            gone = isinstance(event, LayerRejected)
            if gone:
                layers = [*layers[:-1], ["back"] * len(layers[-1])]
            kind = "layer back" if gone else "layer"
            frames.append({"kind": kind, "layer": event.layer, "block": None, "sentence": reason_of(event)})
        elif isinstance(event, RunFinished):
            frames.append({"kind": "end", "layer": None, "block": None, "sentence": event.reason})
        else:
            continue
        scores = event.scores if isinstance(event, RunFinished) else event.after
        frames[-1] |= {
            "layers": layers, "val": scores.val_accuracy, "labelled": scores.labelled_accuracy,
            "test": scores.test_accuracy, "topology": list(event.topology), "parameters": event.parameters,
        }  # fmt: skip
    graph = tour_graph()
    return {
        "frames": frames,
        "features": graph.num_features,
        "classes": graph.num_classes,
        "width": TOUR.block_width,
    }


def convergence_lesson() -> dict[str, Any]:
    """Return E before a block, after the solve and after fine-tuning, for three ways to fine-tune."""
    runs = []
    for name, config in CONVERGENCE.items():
        events = tour_run()[0] if config == TOUR else grow(tour_graph(), config).finish().events
        judged = [event for event in events if isinstance(event, BlockJudged)]
        # The argument is about one layer: its blocks after the first, and of those the ones that were kept.
        later = [event for event in judged if event.block > 1 and isinstance(event, BlockAccepted)]
        runs.append(
            {
                "name": name,
                "topology": list(events[-1].topology),
                "steps": [
                    {
                        "layer": event.layer,
                        "block": event.block,
                        "kept": isinstance(event, BlockAccepted),
                        "solved": plain(event.error_solved),
                        "tuned": plain(event.error_tuned),
                    }
                    for event in judged
                ],
                "later": len(later),
                "solve_lowered": sum(event.error_solved <= event.error_before for event in later),
                "tuning_lowered": sum(event.error_tuned <= event.error_solved for event in later),
                "fell": sum(event.error_tuned <= event.error_before for event in later),
            }
        )
    return {"runs": runs}
