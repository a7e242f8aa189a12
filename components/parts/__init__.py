"""Shared parts: public markup that is updated live."""
