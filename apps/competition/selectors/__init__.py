"""Reads of the competition: frozen results, the same for every viewer."""
