"""`manage.py second_factor`: for those who have lost phone, passkeys and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors import account_id_find
from apps.accounts.services import factors_forget

_USAGE = """
  manage.py second_factor forget ACCOUNT   take all second factors from an account
  ACCOUNT is a username or an e-mail address. Make sure first that it is its owner who asks.
"""


class Command(BaseCommand):
    """Takes an account's second factors away; its owner gets a mail, and the audit keeps it."""

    help = "Take lost second factors from an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do, one to whom."""
        parser.usage = _USAGE
        parser.add_argument("action", choices=["forget"])
        parser.add_argument("account", help="username or e-mail address")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        account = options["account"]
        found = account_id_find(name=account)
        if found is None:
            raise CommandError(f"There is no account {account!r}.")
        forgotten = factors_forget(actor=OPERATOR, account_id=found)
        self.stdout.write(
            f"{account} signs in without a second factor now." if forgotten else f"{account} has no second factor."
        )
