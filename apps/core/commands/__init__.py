"""Commands: their registry, their arguments, and doing each once."""
