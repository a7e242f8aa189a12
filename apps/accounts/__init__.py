"""People with an account."""
