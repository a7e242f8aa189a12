"""Commands of imports; importing this package registers them."""

from apps.imports.commands import participants

__all__ = ["participants"]
