"""What a stored network says of every node, how far to trust it, and why."""

from pgcn.ui.predictions.page import show_predictions_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("predictions")
    show_predictions_page()
