"""Every stored run: compare, open, export, delete."""

from pgcn.ui.runs.page import show_runs_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("runs")
    show_runs_page()
