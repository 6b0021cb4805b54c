"""What can be trained: one folder for each method, with one entry in the registry."""
