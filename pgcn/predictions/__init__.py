"""What the predictions of a network are worth: how far to trust them, what carried one, which node to label next.

A room of its own: embeddings/ draws logits and studies/ compare runs; this is about one network and single nodes.

table        what a network says of every node; predict: of a stored run, also for another graph
calibration  reliability, expected calibration error, temperature (numpy only)
labelling    the most uncertain nodes; a graph with more labels
explain      why a node got its class: gradient times input, and what changes without an edge or a feature
work         these as the work of jobs, saved in the store; again: a run once more, with more labels
"""
