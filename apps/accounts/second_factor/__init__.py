"""Second factors: signing in with them, and managing them."""
