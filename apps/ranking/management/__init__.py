"""Commands for whoever runs the ranking."""
