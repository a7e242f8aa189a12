"""`manage.py demo`: an invented competition for a fresh clone."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.competition.demo import accounts_noted, demo_load


class Command(BaseCommand):
    """Loads the demo once and says who can sign in."""

    help = "Load the demo competition, unless there are sessions already, and print the demo accounts."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load, then print what is noted of the accounts."""
        loaded = demo_load()
        self.stdout.write(
            "The demo competition is loaded." if loaded else "There are sessions already, nothing loaded."
        )
        noted = accounts_noted()
        if noted:
            self.stdout.write(f"\nDemo accounts\n{noted}")
