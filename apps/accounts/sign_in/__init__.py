"""Signing in and up: by password, by a mailed link, with Google."""
