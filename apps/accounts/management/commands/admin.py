"""`manage.py admin`: list, appoint and dismiss administrators from a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors import account_id_find, administrators
from apps.accounts.services import admin_grant, admin_revoke

_USAGE = """
  manage.py admin list               all administrators
  manage.py admin grant ACCOUNT      make an account an administrator's
  manage.py admin revoke ACCOUNT     take the administration away
  ACCOUNT is a username or an e-mail address.
"""


class Command(BaseCommand):
    """Appoints and dismisses administrators; open windows follow at once, and the audit notes it."""

    help = "Decide who is an administrator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do; two of them take an account."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="list|grant|revoke", prog="manage.py admin"
        )
        actions.add_parser("list", help="all administrators", usage=_USAGE)
        for name, words in (("grant", "make it an administrator's"), ("revoke", "take the administration away")):
            actions.add_parser(name, help=words, usage=_USAGE).add_argument(
                "account", help="username or e-mail address"
            )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        getattr(self, f"_{options['action']}")(options.get("account", ""))

    def _list(self, _account: str) -> None:
        """Print all administrators."""
        found = administrators()
        for each in found:
            closed = "" if each.is_active else "  (account closed)"
            self.stdout.write(f"{each.username:<20}  {each.email}{closed}")
        if not found:
            self.stdout.write("There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.")

    def _grant(self, account: str) -> None:
        """Make an administrator."""
        changed = admin_grant(actor=OPERATOR, account_id=_id_of(account))
        self.stdout.write(f"{account} is {'now' if changed else 'already'} an administrator.")

    def _revoke(self, account: str) -> None:
        """Take the administration away."""
        changed = admin_revoke(actor=OPERATOR, account_id=_id_of(account))
        self.stdout.write(f"{account} is {'no longer' if changed else 'not'} an administrator.")


def _id_of(account: str) -> int:
    """Return the account's id; raises CommandError when there is none of that name."""
    found = account_id_find(name=account)
    if found is None:
        raise CommandError(f"There is no account {account!r}.")
    return found
