"""Who carries runs out, where, and how they are written down."""
