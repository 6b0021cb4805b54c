"""Runs, their events and their accepted weights, in a database.

By default SQLite in the user's data directory; ``PGCN_STORE`` names another database by its URL. A run is written
as it happens: after a crash at most the block in training is lost. A run whose process is gone without a last word
shows as interrupted.
"""

from pgcn.store.rows import NETWORKS, StoredRun, network_row
from pgcn.store.store import Store, new_id

__all__ = ["NETWORKS", "Store", "StoredRun", "network_row", "new_id"]
