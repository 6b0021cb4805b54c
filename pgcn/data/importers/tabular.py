"""A graph in tables: nodes with ids, labels and features; edges with two ends and perhaps a weight."""

from dataclasses import replace
from typing import Any

import numpy as np

from pgcn.data.importers.columns import EMPTY, NUMBER, no_column, numbers_of, texts_of
from pgcn.data.importers.layout import EDGE_NAMES, IDS, LABELS, names_edges, usual_column
from pgcn.data.importers.masks import mask_of_column, masks_of_column
from pgcn.data.importers.options import ImportOptions, names_in
from pgcn.data.importers.parts import Parts
from pgcn.data.importers.tables import Table
from pgcn.errors import DataError, shown

MASKS = {"train_mask": "train", "val_mask": "val", "test_mask": "test"}


def is_edges(table: Table) -> bool:
    """Return whether a table holds edges: its columns are called so, or it has no header."""
    return names_edges(table.names, header=table.header)


def chosen(table: Table, wanted: str | None, usual: tuple[str, ...]) -> str | None:
    """Return the column that was named, or else the first that is usually called so; None if there is none."""
    if wanted is not None:
        if wanted not in table.names:
            raise DataError(f"{table.path.name}: {no_column(wanted, table.names)}")
        return wanted
    return usual_column(table.names, usual)


def edge_parts(table: Table, options: ImportOptions) -> dict[str, Any]:
    """Return the ends and weights of a table of edges, as fields of :class:`Parts`."""
    source = chosen(table, options.source, EDGE_NAMES["source"])
    target = chosen(table, options.target, EDGE_NAMES["target"])
    notes = []
    if source is None or target is None:
        if len(table.names) < 2:
            raise DataError(f"{table.path.name} has one column; edges need two, a source and a target.")
        source, target = table.names[:2]
        if table.header:
            notes.append(f"The first two columns of {table.path.name} were read as the ends of edges.")
    if source == target:
        raise DataError(f"{table.path.name}: both ends of edges are in column {shown(source)}. Choose two columns.")
    weight = chosen(table, options.weight, EDGE_NAMES["weight"])
    if weight is None and not table.header and len(table.names) == 3:
        weight = table.names[2]
    if unused := [shown(name, longest=40) for name in table.names if name not in (source, target, weight)]:
        notes.append(f"Columns of {table.path.name} that are not used: {', '.join(unused[:20])}.")
    ends = texts_of(table.data[source], EMPTY), texts_of(table.data[target], EMPTY)
    for name, end in ((source, ends[0]), (target, ends[1])):
        if end.null_count:
            row = int(np.flatnonzero(end.is_null().to_numpy(zero_copy_only=False))[0])
            raise DataError(f"{table.place(row)}, column {shown(name)}: this end of the edge is missing.")
    return {"ends": ends, "weight": weights_of(table, weight, options), "notes": notes}


def weights_of(table: Table, name: str | None, options: ImportOptions) -> np.ndarray | None:
    """Return the weights of edges; refuse what is no number above 0 with its line."""
    import pyarrow.compute as pc

    if name is None:
        return None
    values = numbers_of(table.data[name])
    if values is None:
        texts = texts_of(table.data[name])
        row = pc.index(pc.match_substring_regex(texts, NUMBER), False).as_py()
        where, got = (table.place(row), shown(texts[row].as_py())) if row >= 0 else (table.path.name, "others")
        raise DataError(
            f"{where}, column {shown(name)}: weights must be numbers above 0, got {got}. Correct it, or choose "
            "another column."
        )
    if options.weights == "use":
        bad = ~(np.isfinite(values) & (values > 0))
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise DataError(
                f"{table.place(row)}, column {shown(name)}: a weight must be above 0, got {values[row]}. Remove "
                "such edges, or ignore the weights."
            )
    return values


def node_parts(table: Table, options: ImportOptions) -> dict[str, Any]:
    """Return ids, labels, masks and feature columns of a table of nodes, as fields of :class:`Parts`."""
    ignored = names_in(options.ignore)
    for name in ignored:
        chosen(table, name, ())
    table = replace(table, data=table.data.drop_columns(ignored))
    if not table.names:
        raise DataError(f"{table.path.name}: every column is left out. Keep the one with the classes.")
    key = chosen(table, options.id, IDS)
    if key is None:
        first = texts_of(table.data[table.names[0]], EMPTY)
        key = table.names[0] if table.names[0] != options.label and different(first) else None
    label = chosen(table, options.label, LABELS)
    if label is None:
        names = ", ".join(shown(name, longest=40) for name in table.names[:20])
        raise DataError(
            f"{table.path.name}: no column is called label. Name the one with the classes; it has {names}."
        )
    masks: dict[str, Any] = {}
    used = {key, label}
    split = chosen(table, options.split_column, ("split",))
    if split is not None and split != label:
        masks = masks_of_column(table.data[split], split, table.place)
        used.add(split)
    for name in table.names:
        if name.lower() in MASKS:
            masks[MASKS[name.lower()]] = mask_of_column(table.data[name], name)
            used.add(name)
    wanted = names_in(options.use)
    for name in wanted:
        chosen(table, name, ())
    features = [name for name in table.names if name not in used and (not wanted or name in wanted)]
    return {
        "ids": None if key is None else table.data[key],
        "num_nodes": table.data.num_rows,
        "labels": table.data[label],
        "columns": table.data.select(features),
        "masks": masks,
        "place": table.place,
        "notes": [] if key else [f"{table.path.name} has no column of ids: its rows are numbered from 0."],
    }


def different(texts) -> bool:
    """Return whether texts can be ids: all there, all different, not fractions."""
    import pyarrow.compute as pc

    fractions = pc.any(pc.match_substring_regex(texts, r"^-?\d*\.\d+$")).as_py()
    return not texts.null_count and not fractions and pc.count_distinct(texts).as_py() == len(texts)


def parts_of_tables(name: str, nodes: Table | None, edges: Table | None, options: ImportOptions) -> Parts:
    """Return the parts of a graph in tables; either may be missing."""
    fields: dict[str, Any] = {"notes": []}
    for found in (node_parts(nodes, options) if nodes else {}, edge_parts(edges, options) if edges else {}):
        fields = {**fields, **found, "notes": fields["notes"] + found.get("notes", [])}
    if edges is None:
        fields["notes"].append("There are no edges: every node sees only itself.")
    return Parts(name=name, **fields)
