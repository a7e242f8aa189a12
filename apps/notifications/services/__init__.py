"""Writes of notifications."""
