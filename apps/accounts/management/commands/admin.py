"""`manage.py admin`: list, appoint and dismiss administrators from a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.actors import OPERATOR
from apps.accounts.management.deciding import account_id_of, last_add, refusals
from apps.accounts.selectors.people import Administrator, account_standing, administrators
from apps.accounts.services.roles import admin_grant, admin_revoke

_USAGE = """
  manage.py admin list               all administrators
  manage.py admin grant ACCOUNT      make an account an administrator's: with a confirmed address, and signed in once
  manage.py admin revoke ACCOUNT     take the administration away; with --last from the last who can sign in, too
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
            action = actions.add_parser(name, help=words, usage=_USAGE)
            action.add_argument("account", help="username or e-mail address")
            if name == "revoke":
                last_add(action)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        with refusals():
            getattr(self, f"_{options['action']}")(options.get("account", ""), may_be_last=options.get("last", False))

    def _list(self, _account: str, **_: bool) -> None:
        """Print all administrators."""
        found = administrators()
        for each in found:
            self.stdout.write(f"{each.username:<20}  {_about(each)}")
        if not found:
            self.stdout.write("There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.")

    def _grant(self, account: str, **_: bool) -> None:
        """Make an administrator."""
        account_id = account_id_of(account)
        changed = admin_grant(actor=OPERATOR, account_id=account_id)
        standing = account_standing(account_id=account_id)
        about = f" ({_about(standing)})" if standing else ""
        self.stdout.write(f"{account} is {'now' if changed else 'already'} an administrator{about}.")

    def _revoke(self, account: str, *, may_be_last: bool) -> None:
        """Take the administration away."""
        changed = admin_revoke(actor=OPERATOR, account_id=account_id_of(account), may_be_last=may_be_last)
        self.stdout.write(f"{account} is {'no longer' if changed else 'not'} an administrator.")


def _about(each: Administrator) -> str:
    """Return what an operator should know of an administrator, in one line."""
    confirmed = "confirmed" if each.is_confirmed else "not confirmed"
    signed_in = f"last signed in {each.signed_in_at:%Y-%m-%d %H:%M} UTC" if each.signed_in_at else "never signed in"
    return f"{each.email}, {confirmed}; {signed_in}{'' if each.is_active else '; account closed'}"
