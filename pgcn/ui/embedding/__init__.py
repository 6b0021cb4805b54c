"""The Embedding page: 2-D embeddings of a run, step by step."""
