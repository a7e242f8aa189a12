"""Following."""
