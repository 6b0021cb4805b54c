"""The Grow page: watch one network grow, live or in replay."""
