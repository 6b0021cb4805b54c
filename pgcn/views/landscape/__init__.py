"""The landscape of a graph as a figure, a table and a report."""
