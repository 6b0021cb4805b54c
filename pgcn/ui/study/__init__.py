"""What the pages of studies share: the question in the sidebar, its job, and where the numbers come from."""
