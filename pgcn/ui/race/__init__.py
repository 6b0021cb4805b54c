"""The Race page: up to four runs side by side on one clock."""
