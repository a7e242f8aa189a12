"""Signing in and up: by password, by a mailed link, with Google; what it may cost and how often it may be tried."""
