"""Commands: their registry, what a browser sends with one, and doing each once."""
