"""A stored run once more, with more labels."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pgcn.embeddings.portrait import cache_portrait, portrait_of
from pgcn.execution.execute import Execution, execute
from pgcn.predictions.labelling import version_name, with_labels
from pgcn.predictions.work import graph_of, stored_spec
from pgcn.store import Store


def grow_again(
    store: Store,
    run: str,
    labels: Mapping[int, int],
    *,
    new: str,
    creator: str = "",
    progress: Callable[[str], None] = lambda text: None,
) -> Execution:
    """Start a run of the same method and settings on the graph with these labels, which is stored."""
    spec = stored_spec(store, run)
    graph = with_labels(graph_of(store, run, progress=progress), labels)
    name = version_name(spec.source.name, store.stored_graphs(), len(labels))
    source = store.add_graph(graph, name=name, creator=creator)
    cache_portrait(store, source, portrait_of(graph))
    return execute([replace(spec, source=source)], store, ids=[new], creator=creator, progress=progress)
