"""Commands for whoever runs the competition."""
