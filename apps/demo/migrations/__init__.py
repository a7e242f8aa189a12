"""Migrations of the demo."""
