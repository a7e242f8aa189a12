"""`manage.py second_factor`: for lost factors, for a first one without mails, and for a changed SECRET_KEY."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.actors import OPERATOR
from apps.accounts.management.deciding import account_id_of
from apps.accounts.services.factors import factors_forget, factors_reencrypt, first_factor_link

_USAGE = """
  manage.py second_factor forget ACCOUNT   take all second factors from an account
  manage.py second_factor link ACCOUNT     show a link with which an administrator sets up a first one, once, in an hour
  manage.py second_factor reencrypt        encrypt all secrets with the present SECRET_KEY
  ACCOUNT is a username or an e-mail address. Make sure first that it is its owner who asks.
"""


class Command(BaseCommand):
    """Deletes an account's second factors, allows a first one, or re-encrypts all. The audit records the first two."""

    help = "Take lost second factors from an account, allow a first one, or encrypt all anew."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the action and the account, which `reencrypt` does not need."""
        parser.usage = _USAGE
        parser.add_argument("action", choices=["forget", "link", "reencrypt"])
        parser.add_argument("account", nargs="?", default="", help="username or e-mail address")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the action. Raises CommandError for an unknown account."""
        if options["action"] == "reencrypt":
            self._reencrypt()
            return
        account = options["account"]
        found = account_id_of(account)
        if options["action"] == "link":
            self.stdout.write(first_factor_link(actor=OPERATOR, account_id=found))
        else:
            self._forget(account, found)

    def _reencrypt(self) -> None:
        encrypted, unreadable = factors_reencrypt(actor=OPERATOR)
        self.stdout.write(f"{encrypted} encrypted with the present key, {unreadable} that no known key reads.")

    def _forget(self, account: str, account_id: int) -> None:
        forgotten = factors_forget(actor=OPERATOR, account_id=account_id)
        self.stdout.write(
            f"{account} signs in without a second factor now." if forgotten else f"{account} has no second factor."
        )
