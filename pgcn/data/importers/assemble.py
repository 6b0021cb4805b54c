"""The one way from raw parts to a graph, whichever format they came in."""

import hashlib
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from pgcn.data.importers.edges import nodes_of, numbered_edges
from pgcn.data.importers.features import features_of
from pgcn.data.importers.fit import Fit
from pgcn.data.importers.labels import classes_of
from pgcn.data.importers.masks import masks_for
from pgcn.data.importers.options import ImportOptions, names_text
from pgcn.data.importers.parts import Parts, Progress, no_progress
from pgcn.data.importers.scale import scaled_features
from pgcn.data.importers.structural import structural_features
from pgcn.errors import DataError
from pgcn.graph import Graph, build_graph

NO_LABELS = "{name} has no labels. Give a table of nodes with a column of classes beside it."


def assemble(
    parts: Parts, options: ImportOptions, progress: Progress = no_progress, like: Graph | None = None
) -> Graph:
    """Return the graph of the parts; its notes say everything that was changed.

    ``like``: its features are made as those of another graph, and its classes have the same order.
    """
    fit = Fit(like)
    if like is not None and not options.classes:
        options = options.change(classes=names_text(like.class_names))
    progress("Joining edges and nodes", 0, None)
    num_nodes = nodes_of(parts)
    edges, weight = numbered_edges(parts, options)
    if parts.labels is None:
        raise DataError(NO_LABELS.format(name=parts.name))
    y, class_names, label_notes = classes_of(parts.labels, parts.class_names, options)
    if len(y) != num_nodes:
        raise DataError(
            f"There are {len(y):,} labels for {num_nodes:,} nodes. Give each node one, empty if unknown."
        )
    parts.notes += label_notes
    progress("Making features", 0, None)
    features, feature_names = all_features(parts, edges, num_nodes, options, fit)
    (train, val, test), split = masks_for(parts, y, options)
    progress("Cleaning edges", 0, None)
    unknown = int((y < 0).sum())
    if unknown:
        parts.notes.append(f"The class of {unknown:,} of {num_nodes:,} nodes is not known.")
    graph = build_graph(
        name=parts.name,
        features=features,
        edge_index=edges,
        edge_weight=weight,
        y=y,
        train_mask=train,
        val_mask=val,
        test_mask=test,
        class_names=class_names,
        node_names=None if parts.ids is None else own_names(parts.ids.to_pylist()),
        feature_names=own_names(feature_names),
        split=split,
        notes=parts.notes,
    )
    return replace(graph, fitted=fit.text())


def all_features(parts: Parts, edges: np.ndarray, num_nodes: int, options: ImportOptions, fit: Fit):
    """Return the features [N, D] and their names: those that were given, structural ones, or both."""
    blocks, names = [], []
    if parts.columns is not None and parts.columns.num_columns:
        found, found_names, notes = features_of(parts.columns, options, parts.place, fit)
        parts.notes += notes
        blocks.append(found)
        names += found_names
    if parts.matrix is not None:
        found, note = scaled_features(parts.matrix, options.scale, fit, "the matrix")
        parts.notes += [note] if note else []
        blocks.append(found)
        names += list(parts.feature_names or map(str, range(len(names), len(names) + found.shape[1])))
    for block in blocks:
        if block.shape[0] != num_nodes:
            raise DataError(f"There are {block.shape[0]:,} rows of features for {num_nodes:,} nodes.")
    if not names and not edges.shape[1]:
        raise DataError(
            f"{parts.name} has neither edges nor features: there is nothing to learn from. Add one of them."
        )
    if options.structure == "always" or (not names and options.structure == "auto"):
        made_of = hashlib.sha256(edges.tobytes()).hexdigest()[:16]
        if fit.of("structural features", lambda: made_of) != made_of:
            raise DataError(
                "Structural features come from a graph's own edges and cannot be made as in another graph. Give "
                "the nodes features, or train a network for this graph."
            )
        found, found_names, note = structural_features(edges, num_nodes, options.seed)
        parts.notes.append(note)
        blocks.append(found)
        names += found_names
    if not names:
        raise DataError("No column gives features, and structural ones were not wanted. Name a column to use.")
    if len({block.shape[1] for block in blocks}) and sum(block.shape[1] for block in blocks) != len(names):
        raise DataError(f"There are names of {len(names):,} features, but not as many columns.")
    return sp.csr_array(sp.hstack(blocks, format="csr")), names


def own_names(names: list[str]) -> list[str] | None:
    """Return names, None where they only count from 0: what is numbered needs no names."""
    counted = all(name == str(number) for number, name in enumerate(names))
    return None if counted else names
