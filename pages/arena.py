"""Every method of the paper, trained here, beside its published figures."""

from pgcn.ui.arena.page import show_arena_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("arena")
    show_arena_page()
