"""The Learn page: a guided tour of the method, ways to break it, and exercises."""
