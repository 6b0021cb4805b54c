"""The Difficulty page: PGCN against GCNs as features get fewer."""
