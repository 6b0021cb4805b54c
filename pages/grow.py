"""Watch one network grow, live or in replay."""

from pgcn.ui.grow.page import show_grow_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("grow")
    show_grow_page()
