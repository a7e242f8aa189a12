"""`manage.py demo`: load an invented competition into a fresh clone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.demo.accounts import accounts_open, accounts_text
from apps.demo.audience.posts import comments_load, community_load, reactions_load
from apps.demo.audience.ratings import ratings_load
from apps.demo.closing import ranking_load
from apps.demo.competition import competition_load
from apps.demo.dates import Dates, dates_move, demo_remember

NO_ACCOUNTS = (
    "The site is public (PUBLIC_URL), so the demo brings no accounts to sign in with. Register one, then "
    "`manage.py admin grant ACCOUNT` makes it an administrator's."
)
OPEN_ACCOUNTS = (
    "WARNING: {names} came with a password while this site was not public yet, and can still sign in. "
    "Take a database without the demo for a public site."
)
LOADED = "The demo competition is loaded."
DATES = {
    Dates.NONE: "There are sessions already, nothing loaded.",
    Dates.CURRENT: "There are sessions already, nothing loaded.",
    Dates.MOVED: "There are sessions already, nothing loaded. The demo's dates were moved to today.",
    Dates.CHANGED: (
        "There are sessions already, nothing loaded. Somebody has changed the demo (its audit says what), so its dates "
        "stay as they are."
    ),
}


class Command(BaseCommand):
    """Load the competition with its audience, each once, move its dates to today, and print the demo accounts."""

    help = (
        "Load the demo competition, unless there are sessions already; a demo of an earlier day is moved to today. "
        "Print the demo accounts."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load all parts, then print the result and the accounts."""
        is_loaded = competition_load()
        ratings_load()
        ranking_load()
        comments_load()
        community_load()
        reactions_load()
        demo_remember()
        self.stdout.write(LOADED if is_loaded else DATES[dates_move()])
        accounts = accounts_text()
        if accounts:
            self.stdout.write(f"\nDemo accounts\n{accounts}")
        if not settings.DEMO_ACCOUNTS:
            self.stdout.write(NO_ACCOUNTS)
            if names := accounts_open():
                self.stdout.write(OPEN_ACCOUNTS.format(names=", ".join(names)))
