"""Tests of the way from markup to the wire."""
