"""Shared parts: markup that is the same for everybody and kept current."""
