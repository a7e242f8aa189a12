"""Commands of imports; importing this package registers them."""

from apps.imports.commands import programs

__all__ = ["programs"]
