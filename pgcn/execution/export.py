"""A stored network as a file. No torch: what is stored is handed on."""

from pgcn.engine.model_file import model_file
from pgcn.events import opening
from pgcn.store import Store


def network_file(store: Store, run: str) -> bytes:
    """Return the network that a run has arrived at as a file that :func:`pgcn.load_network` reads."""
    row, started = store.network(run), opening(store.events(run))
    return model_file(row.weights, method=started.method, description=row.description, config=started.config)
