"""2-D embeddings of a run's logits, step by step."""

from pgcn.ui.embedding.page import show_embedding_page
from pgcn.ui.shell import open_page

if __name__ == "__main__":
    open_page("embedding")
    show_embedding_page()
