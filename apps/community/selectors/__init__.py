"""Reads of the community: frozen results, the same for every viewer."""
