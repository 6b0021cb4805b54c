"""When does growing pay? PGCN against GCNs as features get fewer."""

from pgcn.ui.difficulty.page import show_difficulty_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("difficulty")
    show_difficulty_page()
