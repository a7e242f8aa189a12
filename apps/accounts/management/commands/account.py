"""`manage.py account`: close, open and unlock accounts in a terminal."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.actors import OPERATOR
from apps.accounts.management.deciding import account_id_of, last_add, refusals
from apps.accounts.services.roles import account_activate, account_deactivate, account_unlock

_USAGE = """
  manage.py account close ACCOUNT    its owner cannot sign in, and is signed out everywhere; their marks do not count;
                                     with --last the last administrator's who can sign in, too
  manage.py account open ACCOUNT     open it again, with all that its owner gave
  manage.py account unlock ACCOUNT   let somebody try to sign in again who failed too often
  ACCOUNT is a username or an e-mail address.
"""
_ACTIONS: Mapping[str, tuple[Callable[..., bool], str, str]] = {
    # each with its output after a change, and without one
    "close": (account_deactivate, "is closed now.", "is closed already."),
    "open": (account_activate, "is open now.", "is open already."),
    "unlock": (account_unlock, "may try to sign in again.", "is not locked."),
}


class Command(BaseCommand):
    """Closes, opens and unlocks accounts. Open pages update at once, and the audit records it."""

    help = "Close, open and unlock accounts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the action, the account and the option `--last`."""
        parser.usage = _USAGE
        parser.add_argument("action", choices=list(_ACTIONS))
        parser.add_argument("account", help="username or e-mail address")
        last_add(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the action. Raises CommandError with the reason for a refusal."""
        account = options["account"]
        service, done, already = _ACTIONS[options["action"]]
        more = {"may_be_last": options["last"]} if options["action"] == "close" else {}
        with refusals():
            is_done = service(actor=OPERATOR, account_id=account_id_of(account), **more)
        self.stdout.write(f"{account} {done if is_done else already}")
