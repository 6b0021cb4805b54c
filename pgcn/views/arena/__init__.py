"""The arena as figures and tables."""
