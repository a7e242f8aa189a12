"""The demo from a terminal."""
