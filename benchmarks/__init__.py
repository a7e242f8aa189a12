"""Benchmarks: the cost of a viewer on this site, compared with peers that do the same work another way."""
