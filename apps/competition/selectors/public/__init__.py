"""Public reads: the same for every viewer."""
