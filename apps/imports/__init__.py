"""Data that administrators bring in: programs as pasted text, participants as files."""
