"""Second factors: signing in with them, and managing one's own."""
