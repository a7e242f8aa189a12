"""`manage.py push_keys`: print a key for web push."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.notifications.push.public_key import public_key, public_key_of
from apps.notifications.push.site_key import push_key_create


class Command(BaseCommand):
    """Prints a new private key for the environment. It stores nothing."""

    help = "Print a new key with which this site identifies itself to push services, and the current one's public half."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print the line for the environment, and what a change of the key means."""
        if settings.PUSH_PRIVATE_KEY:
            self.stderr.write(f"The site has a key; its public half is {public_key()}.")
            self.stderr.write("With another key every member has to turn notifications on again in each browser.")
        key = push_key_create()
        self.stderr.write(f"A new key; its public half is {public_key_of(key)}. Keep this line secret:")
        self.stdout.write(f"PUSH_PRIVATE_KEY={key}")
