"""Blocks, layers and the test they must pass, from real runs on the tour's graph."""

from typing import Any

from pgcn.engine.lanes import Weights
from pgcn.events import Event, RunFinished
from pgcn.execution.start import grow
from pgcn.lessons.example import TOUR, tour_graph
from pgcn.lessons.payload import as_json
from pgcn.lessons.steps import solved, tour_run, trained
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Candidate
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, BlockRejected, LayerJudged, LayerRejected
from pgcn.methods.pgcn.explain import why

EPSILONS = (-0.2, 0.0, 0.0001, 0.1, 0.15, 0.22, 0.26)
"""Thresholds the tour grows by; 0.0001 is the paper's."""
LIMITS = {"max_layers": 3, "max_width": 12}
"""So that growth ends even with a threshold that nearly every block passes; the tour's own run stays below."""
CONVERGENCE: dict[str, GrowthConfig] = {
    "Cross-entropy, as on this tour": TOUR,
    "Squared error J₁, readout as printed": TOUR.change(loss="mse"),
    "Squared error J₁, derived readout, no weight decay": TOUR.change(
        loss="mse", closed_form="derived", weight_decay=0.0
    ),
}
"""Fine-tuning that minimises something other than E, nearly E, and E itself."""


def reason_of(event: BlockJudged | LayerJudged) -> str:
    return why(event, reject_equal=TOUR.reject_equal)


def status_of(event: BlockJudged | LayerJudged) -> str:
    return "rejected" if isinstance(event, BlockRejected | LayerRejected) else "accepted"


def weight_values(weights: Weights) -> dict[str, Any]:
    return {"weight": as_json(weights["hidden.0.weight"]), "readout": as_json(weights["output.weight"])}


def block_lesson() -> dict[str, Any]:
    """Return the first layer's weights with one, two, three, and until it is rejected four blocks."""
    graph, (events, networks) = tour_graph(), tour_run()
    judged = [event for event in events if isinstance(event, BlockJudged) and event.layer == 1]
    width = TOUR.block_width
    frames, base = [], networks[(width,)]
    frames.append({"stage": "trained", "blocks": 1, "moved": None, **weight_values(base)})
    for number, event in enumerate(judged[1:], start=2):
        candidate = Candidate(layer=1, block=number, widths=(number * width,), base=base, solves=number)
        start = solved(TOUR, graph, candidate)
        tuned = trained(TOUR, graph, candidate).weights
        for stage, weights in (("added", start), ("tuned", tuned)):
            old = weights["hidden.0.weight"][:, : base["hidden.0.weight"].shape[1]]
            moved = as_json((old - base["hidden.0.weight"]).abs().max())
            frames.append({"stage": stage, "blocks": number, "moved": moved, **weight_values(weights)})
        base = tuned if isinstance(event, BlockAccepted) else base
        decision = {"stage": status_of(event), "blocks": number, "reason": reason_of(event), "moved": 0.0}
        frames.append(decision | weight_values(base))
    return {"frames": frames, "width": width, "classes": list(graph.class_names)}


def block_values(event: BlockJudged) -> dict[str, Any]:
    """Return a judged block as JSON values; ``accepted`` says whether it was."""
    return {
        "layer": event.layer,
        "block": event.block,
        "accepted": isinstance(event, BlockAccepted),
        "rate": event.rate,
        "before": event.before and event.before.val_accuracy,
        "after": event.after.val_accuracy,
        "labelled": event.after.labelled_accuracy,
        "test": event.after.test_accuracy,
        "reason": reason_of(event),
    }


def run_values(events: tuple[Event, ...]) -> dict[str, Any]:
    """Return the judged blocks of a run, and how it ended."""
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    return {
        "steps": [block_values(event) for event in events if isinstance(event, BlockJudged)],
        "topology": list(finished.topology),
        "parameters": finished.parameters,
        "val": finished.scores.val_accuracy,
        "test": finished.scores.test_accuracy,
        "reason": ending_sentence(finished),
    }


def threshold_lesson() -> dict[str, Any]:
    """Return the tour's run, really grown with each threshold."""
    runs = []
    for epsilon in EPSILONS:
        config = TOUR.change(epsilon_b=epsilon, **LIMITS)
        events = tour_run()[0] if epsilon == TOUR.epsilon_b else grow(tour_graph(), config).finish().events
        runs.append({"epsilon": epsilon, **run_values(events)})
    return {"runs": runs, "start": EPSILONS.index(TOUR.epsilon_b), "validation": int(tour_graph().val_mask.sum())}


def layers_lesson() -> dict[str, Any]:
    """Return the whole run, one frame for every decision: the layers at that point, and why."""
    events, _ = tour_run()
    frames, layers = [], []
    for event in events:
        if isinstance(event, BlockJudged):
            if event.block == 1:
                layers = [*layers, []]
            layers = [*layers[:-1], [*layers[-1], status_of(event)]]
            kind, block, sentence, scores = status_of(event), event.block, reason_of(event), event.after
        elif isinstance(event, LayerJudged):
            if isinstance(event, LayerRejected):
                layers = [*layers[:-1], ["rejected"] * len(layers[-1])]
            kind, block, sentence, scores = f"layer {status_of(event)}", None, reason_of(event), event.after
        elif isinstance(event, RunFinished):
            kind, block, sentence, scores = "end", None, ending_sentence(event), event.scores
        else:
            continue
        frames.append(
            {
                "kind": kind,
                "layer": None if kind == "end" else event.layer,
                "block": block,
                "sentence": sentence,
                "layers": layers,
                "val": scores.val_accuracy,
                "labelled": scores.labelled_accuracy,
                "test": scores.test_accuracy,
                "topology": list(event.topology),
                "parameters": event.parameters,
            }
        )
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
        # The argument is about one layer: its accepted blocks after the first.
        later = [event for event in judged if event.block > 1 and isinstance(event, BlockAccepted)]
        runs.append(
            {
                "name": name,
                "topology": list(events[-1].topology),
                "steps": [
                    {
                        "layer": event.layer,
                        "block": event.block,
                        "accepted": isinstance(event, BlockAccepted),
                        "solved": as_json(event.error_solved),
                        "tuned": as_json(event.error_tuned),
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
