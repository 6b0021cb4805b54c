"""Up to four runs side by side on one clock."""

from pgcn.ui.race.page import show_race_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("race")
    show_race_page()
