"""The core from a terminal."""
