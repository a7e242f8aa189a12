"""Blocking work of the wiring beside the event loop."""

from components.threads import in_thread

__all__ = ["in_thread"]
