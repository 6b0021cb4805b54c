"""Every data set at a glance, and your own graph from files."""

from pgcn.ui.data.page import show_data_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("data")
    show_data_page()
