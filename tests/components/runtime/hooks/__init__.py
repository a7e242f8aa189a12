"""Tests of the hooks."""
