"""`manage.py search rebuild`: compare the table of the search with all objects, and repair it.

`search complete`, which each start runs, does so for kinds that have fewer or more entries than objects.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.search.services import entries_complete, entries_rebuild

_ACTIONS = {"rebuild": entries_rebuild, "complete": entries_complete}


class Command(BaseCommand):
    """Compare what the search finds with what there is."""

    help = "Compare all objects with the entries of the search, and write what is missing, different or superfluous."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the action."""
        parser.add_argument("action", choices=tuple(_ACTIONS))

    def handle(self, *_args: Any, action: str, **_options: Any) -> None:
        """Repair the entries and print the counts of each kind."""
        for each in _ACTIONS[action]():
            counts = f"{each.missing} missing, {each.different} different, {each.superfluous} superfluous"
            self.stdout.write(f"{each.kind}: {each.objects} found, {counts}")
