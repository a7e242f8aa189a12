"""Commands for whoever runs the ratings."""
