"""`manage.py admin`: list, appoint and dismiss administrators in a terminal."""

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
    """Appoints and dismisses administrators. Open pages update at once, and the audit records it."""

    help = "Decide who is an administrator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the subcommands; `grant` and `revoke` take an account."""
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
        """Run the subcommand. Raises CommandError with the reason for a refusal."""
        with refusals():
            getattr(self, f"_{options['action']}")(options.get("account", ""), may_be_last=options.get("last", False))

    def _list(self, _account: str, **_: bool) -> None:
        """Print all administrators."""
        found = administrators()
        for administrator in found:
            self.stdout.write(f"{administrator.username:<20}  {_about(administrator)}")
        if not found:
            self.stdout.write("There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.")

    def _grant(self, account: str, **_: bool) -> None:
        """Make an account an administrator's, and print whether its address is confirmed and its last sign-in."""
        account_id = account_id_of(account)
        changed = admin_grant(actor=OPERATOR, account_id=account_id)
        standing = account_standing(account_id=account_id)
        about = f" ({_about(standing)})" if standing else ""
        self.stdout.write(f"{account} is {'now' if changed else 'already'} an administrator{about}.")

    def _revoke(self, account: str, *, may_be_last: bool) -> None:
        changed = admin_revoke(actor=OPERATOR, account_id=account_id_of(account), may_be_last=may_be_last)
        self.stdout.write(f"{account} is {'no longer' if changed else 'not'} an administrator.")


def _about(person: Administrator) -> str:
    """Return address, confirmation, last sign-in and state of an administrator in one line."""
    confirmed = "confirmed" if person.is_confirmed else "not confirmed"
    signed_in = f"last signed in {person.signed_in_at:%Y-%m-%d %H:%M} UTC" if person.signed_in_at else "never signed in"
    return f"{person.email}, {confirmed}; {signed_in}{'' if person.is_active else '; account closed'}"
