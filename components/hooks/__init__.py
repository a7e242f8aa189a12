"""Hooks: how a component asks the connection that carries it."""
