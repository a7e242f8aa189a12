"""The community feed: one post, the list of them, and what is said to one."""
