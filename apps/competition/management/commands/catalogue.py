"""`manage.py catalogue`: load the catalogue of pieces."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.competition.services.catalogue import catalogue_load


class Command(BaseCommand):
    """Add the missing pieces of the built-in catalogue."""

    help = "Load the catalogue of pieces. Running it again changes nothing."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load the catalogue and print the number of new pieces."""
        added = catalogue_load()
        self.stdout.write(
            f"{added} {'piece' if added == 1 else 'pieces'} added."
            if added
            else "The catalogue is complete, nothing to add."
        )
