"""The method, equation by equation, on a graph small enough to see."""

from pgcn.ui.learn.page import show_learn_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("learn")
    show_learn_page()
