"""Where does growth go? Fixed topologies over widths and depths, and the paths of growth over them."""

from pgcn.ui.landscape.page import show_landscape_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("landscape")
    show_landscape_page()
