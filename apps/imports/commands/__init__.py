"""Commands of imports; importing this package registers them."""

from apps.imports.commands import participants, programs

__all__ = [
    "participants",
    "programs",
]
