"""Preparing, starting, restarting and checking the site."""
