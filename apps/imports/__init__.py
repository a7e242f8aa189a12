"""Imports by administrators: programs as pasted text, participants as files."""
