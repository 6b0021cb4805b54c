"""Maps of a run's features before the softmax, block by block."""

from pgcn.ui.embedding_page import show_embedding_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("embedding")
    show_embedding_page()
