"""Logits of a run's accepted steps in two dimensions: which, how, and what is lost."""
