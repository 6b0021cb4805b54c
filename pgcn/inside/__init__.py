"""What the neurons of a network have learned.

profiles  what excites each neuron: its mean activation for every class, its nodes, its weights to the output
stored    these of a run's accepted networks, in the store and as the browser takes them (no torch)
"""
