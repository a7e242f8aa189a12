"""`manage.py catalogue`: the pieces that the competition asks for."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.competition.services.pieces import catalogue_load


class Command(BaseCommand):
    """Adds what is missing of the catalogue."""

    help = "Load the catalogue of pieces. Running it again changes nothing."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load and say how many pieces are new."""
        added = catalogue_load()
        self.stdout.write(
            f"{added} {'piece' if added == 1 else 'pieces'} added."
            if added
            else "The catalogue is complete, nothing to add."
        )
