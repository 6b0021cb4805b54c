"""The readout in closed form and what fine-tuning then does to it."""

from typing import Any

import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.graph import Graph
from pgcn.lessons.example import TOUR, tour_graph
from pgcn.lessons.payload import as_json, drawing
from pgcn.lessons.steps import FIRST, network_of, outputs_of, solved, start_of, trained
from pgcn.methods.pgcn.readout import normal_equations, regression_error, solve_readout

LAMBDAS = tuple(round(10 ** (power / 4), 4) for power in range(-8, 13))
"""λ₁ from 0.01 to 1000; 1 is among them."""
EPOCHS = (0, 1, 2, 3, 5, 7, 10, 13, 16, 20, 25, 30, 36, 42, 50, 58, 66, 75, 83, 91, 100)


def right_in(graph: Graph, outputs: torch.Tensor) -> dict[str, list[int]]:
    """Return for each part of the split how many nodes are classified correctly, and how many there are."""
    right = outputs.argmax(dim=1) == graph.y
    masks = {"labelled": graph.train_mask, "validation": graph.val_mask, "test": graph.test_mask}
    return {name: [int(right[mask].sum()), int(mask.sum())] for name, mask in masks.items()}


@torch.no_grad()
def readout_lesson() -> dict[str, Any]:
    """Return the normal equations of the first block and their solution for a range of λ₁."""
    graph = tour_graph()
    prepared = PreparedGraph(graph)
    labelled, targets = prepared.nodes["labelled"], prepared.target_vectors("labelled")
    smoothing = prepared.smoothing(TOUR.laplacian)
    network = network_of(TOUR, graph, FIRST.widths, start_of(TOUR, graph, FIRST))
    hidden = network.hidden_features(graph.x, graph.edge_index)
    steps = []
    for lambda1 in LAMBDAS:
        config = TOUR.change(lambda1=lambda1)
        parts = (hidden, labelled, targets, smoothing, config)
        system, right_side = normal_equations(*parts)
        readout = solve_readout(*parts)
        outputs = hidden.double() @ readout
        steps.append(
            {
                "lambda": lambda1,
                "ridge": as_json(1 / lambda1),
                "system": as_json(system),
                "readout": as_json(readout),
                "outputs": as_json(outputs),
                "predicted": outputs.argmax(dim=1).tolist(),
                "right": right_in(graph, outputs),
                "error": as_json(regression_error(outputs[labelled], targets, readout, lambda1)),
                "size": as_json(readout.norm()),
            }
        )
    return {
        "graph": drawing(graph),
        "steps": steps,
        "gram": as_json(hidden.double().T @ hidden.double()),
        "right_side": as_json(right_side),
        "hidden": as_json(hidden),
        "start": LAMBDAS.index(1.0),
    }


def tuning_lesson() -> dict[str, Any]:
    """Return the outputs of the first block after more and more epochs.

    Each candidate has a generator of its own, so that training it for fewer epochs shows it partway.
    """
    graph = tour_graph()
    outcomes = [trained(TOUR.change(epochs=epochs), graph, FIRST) for epochs in EPOCHS[1:]]
    weights = [solved(TOUR, graph, FIRST), *(outcome.weights for outcome in outcomes)]
    scores = [outcomes[0].solved, *(outcome.scores for outcome in outcomes)]
    outputs = [outputs_of(TOUR, graph, FIRST.widths, parts) for parts in weights]
    return {
        "graph": drawing(graph),
        "epochs": list(EPOCHS),
        "probabilities": [as_json(output.softmax(dim=1)) for output in outputs],
        "right": [right_in(graph, output) for output in outputs],
        "labelled_loss": [as_json(score.labelled_loss) for score in scores],
        "val_loss": [as_json(score.val_loss) for score in scores],
    }
