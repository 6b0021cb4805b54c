"""Questions asked of many runs, or of one run in depth."""
