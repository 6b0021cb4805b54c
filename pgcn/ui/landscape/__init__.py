"""The Landscape page: what fixed topologies reach, and where growth goes among them."""
