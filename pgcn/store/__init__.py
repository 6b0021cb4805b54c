"""Runs, their events and their networks, graphs and cached embeddings, in a database: bytes and JSON, no torch.

By default SQLite in the user's data directory; ``PGCN_STORE`` names another database by its URL. A run is written
as it happens: after a crash at most the block in training is lost. A run whose process is gone without a last word
shows as interrupted.

schema       the tables; migrations: how an earlier version's become today's
store        runs, events and networks; rows: what becomes of them in the tables
graphs       graphs of one's own
embeddings   cached 2-D embeddings
check        is all of it what was written? repair: keep what is; rescue: of a file that SQLite cannot read
"""

from pgcn.store.graphs import StoredGraph
from pgcn.store.rows import AcceptedNetwork, NetworkRow, StoredRun
from pgcn.store.store import Store, new_id

__all__ = ["AcceptedNetwork", "NetworkRow", "Store", "StoredGraph", "StoredRun", "new_id"]
