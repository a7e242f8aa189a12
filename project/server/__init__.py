"""Daphne with its limits, static files, health checks and Prometheus metrics."""
