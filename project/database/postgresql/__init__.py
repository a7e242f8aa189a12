"""A PostgreSQL backend for Django that refuses connections during a detected outage."""
