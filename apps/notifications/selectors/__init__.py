"""Reads of notifications."""
