"""The numbers of the guided tour, on a graph small enough to see, computed by the functions of the core."""
