"""Screens: pages, their parts, and the path from markup to the browser."""
