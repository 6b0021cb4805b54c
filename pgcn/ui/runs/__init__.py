"""The Runs page: every stored run, to compare, open, export and delete."""
