"""Scaling to several processes and servers: relay, Valkey, pooler, read replica, and numbers of connections."""
