"""Daphne with its bounds, static files, health and the numbers for Prometheus."""
