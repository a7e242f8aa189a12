"""Screens of signing in, registering, reauthentication and mailed links."""
