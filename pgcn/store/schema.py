"""The tables of the store."""

import sqlalchemy as sa

from pgcn.store.values import StoredBytes, StoredJSON

VERSION = 4
APPLICATION = 0x5047434E
"""Marks an SQLite file as ours: "PGCN"."""

METADATA = sa.MetaData()
SCHEMA = sa.Table("pgcn_schema", METADATA, sa.Column("version", sa.Integer, primary_key=True))
RUNS = sa.Table(
    "pgcn_runs",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("method", sa.Text, nullable=False),
    sa.Column("dataset", sa.Text, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("lease", sa.Float, nullable=False, server_default="0"),
    sa.Column("creator", sa.Text, nullable=False, server_default=""),
    sa.Column("name", sa.Text, nullable=False, default=""),
    sa.Column("note", sa.Text, nullable=False, default=""),
    sa.Column("step", sa.Integer),
    sa.Column("topology", StoredJSON, nullable=False, default=list),
    sa.Column("parameters", sa.BigInteger, nullable=False, default=0),
    sa.Column("scores", StoredJSON),
    sa.Column("best_val_accuracy", sa.Float),
    sa.Column("seconds", sa.Float, nullable=False, default=0.0),
    sa.Column("deleted", sa.Float),
    sa.Column("batch", sa.String(64), index=True),
    sa.Column("parent", sa.String(32)),  # of a branch: the run and the step that it grew on from
    sa.Column("parent_step", sa.Integer),
    sa.Column("events", sa.Integer, nullable=False, server_default="0"),
    sa.Column("networks", sa.Integer, nullable=False, server_default="0"),
    sa.Column("checksum", sa.String(32), nullable=False, server_default=""),
)
EVENTS = sa.Table(
    "pgcn_events",
    METADATA,
    sa.Column("run", sa.ForeignKey(RUNS.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("body", StoredJSON, nullable=False),
    sa.Column("step", sa.Integer),  # of the network that the run has arrived at with the event
    sa.Column("checksum", sa.String(32), nullable=False, server_default=""),
)
NETWORKS = sa.Table(
    "pgcn_networks",
    METADATA,
    sa.Column("run", sa.ForeignKey(RUNS.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),
    sa.Column("description", StoredJSON, nullable=False),
    sa.Column("weights", StoredBytes, nullable=False),
    sa.Column("checksum", sa.String(32), nullable=False, server_default=""),
)
GRAPHS = sa.Table(
    "pgcn_graphs",
    METADATA,
    sa.Column("content", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("facts", StoredJSON, nullable=False),
    sa.Column("data", StoredBytes, nullable=False),
    sa.Column("checksum", sa.String(32), nullable=False, server_default=""),
)
EMBEDDINGS = sa.Table(
    "pgcn_embeddings",
    METADATA,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("run", sa.ForeignKey(RUNS.c.id, ondelete="CASCADE"), index=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("facts", StoredJSON, nullable=False),
    sa.Column("arrays", StoredBytes, nullable=False),
    sa.Column("checksum", sa.String(32), nullable=False, server_default=""),
)
