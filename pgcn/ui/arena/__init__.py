"""The Arena page: every method side by side, published and measured."""
