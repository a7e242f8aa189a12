"""`manage.py demo`: an invented competition for a fresh clone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.demo.accounts import accounts_open, accounts_text
from apps.demo.audience import comments_load, community_load, ratings_load, reactions_load
from apps.demo.competition import competition_load

NO_ACCOUNTS = (
    "The site is public (PUBLIC_URL), so the demo brings no accounts to sign in with. Register one, then "
    "`manage.py admin grant ACCOUNT` makes it an administrator's."
)
OPEN_ACCOUNTS = (
    "WARNING: {names} came with a password while this site was not public yet, and can still sign in. "
    "Take a database without the demo for a public site."
)


class Command(BaseCommand):
    """Loads the competition with its audience, each once, and says who can sign in."""

    help = "Load the demo competition, unless there are sessions already, and print the demo accounts."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load, then print what is noted of the accounts."""
        is_loaded = competition_load()
        ratings_load()
        comments_load()
        community_load()
        reactions_load()
        self.stdout.write(
            "The demo competition is loaded." if is_loaded else "There are sessions already, nothing loaded."
        )
        accounts = accounts_text()
        if accounts:
            self.stdout.write(f"\nDemo accounts\n{accounts}")
        if not settings.DEMO_ACCOUNTS:
            self.stdout.write(NO_ACCOUNTS)
            if names := accounts_open():
                self.stdout.write(OPEN_ACCOUNTS.format(names=", ".join(names)))
