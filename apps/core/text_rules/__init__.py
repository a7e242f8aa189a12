"""What texts may hold, how names compare, and what must not be written down."""
