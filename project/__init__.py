"""Wiring: settings, addresses, the server and its sockets."""
