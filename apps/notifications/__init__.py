"""Notifications: what members want to know of the performers that they follow, in pages, by push and by mail."""
