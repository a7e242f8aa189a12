"""Shared parts: what is the same for everybody and changes while people watch, one file a room."""
