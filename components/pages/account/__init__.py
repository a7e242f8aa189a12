"""Pages of signing in, signing up and one's own profile."""
