"""`manage.py second_factor`: for those who have lost phone, passkeys and recovery codes, or get no mails."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors import account_id_find
from apps.accounts.services import factors_forget, first_factor_link

_USAGE = """
  manage.py second_factor forget ACCOUNT   take all second factors from an account
  manage.py second_factor link ACCOUNT     show a link with which an administrator sets up a first one, once, in an hour
  ACCOUNT is a username or an e-mail address. Make sure first that it is its owner who asks.
"""


class Command(BaseCommand):
    """Takes an account's second factors away, or allows a first one; the audit keeps it."""

    help = "Take lost second factors from an account, or allow a first one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do, one to whom."""
        parser.usage = _USAGE
        parser.add_argument("action", choices=["forget", "link"])
        parser.add_argument("account", help="username or e-mail address")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        account = options["account"]
        found = account_id_find(name=account)
        if found is None:
            raise CommandError(f"There is no account {account!r}.")
        if options["action"] == "link":
            self.stdout.write(first_factor_link(actor=OPERATOR, account_id=found))
            return
        forgotten = factors_forget(actor=OPERATOR, account_id=found)
        self.stdout.write(
            f"{account} signs in without a second factor now." if forgotten else f"{account} has no second factor."
        )
