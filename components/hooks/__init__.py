"""Hooks: how a component asks the page view or socket that it renders for."""
