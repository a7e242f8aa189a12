"""`manage.py error_logs`: list and prune the error log in a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.core.enums import Severity
from apps.core.selectors import ERRORS_PAGE, ErrorFilter, LoggedError, error_list
from apps.core.services import LIFETIME, errors_prune

_USAGE = f"""
  manage.py error_logs list [--limit N] [--severity S] [--details]   the newest errors, the newest first
  manage.py error_logs prune                                         delete those older than {LIFETIME.days} days
"""


class Command(BaseCommand):
    """Prints the error log, which includes errors of browsers, or deletes old entries."""

    help = "Read and prune the error log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the subcommands `list` and `prune`."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|prune", prog="manage.py error_logs")
        listing = actions.add_parser("list", help="the newest errors", usage=_USAGE)
        listing.add_argument("--limit", type=int, default=ERRORS_PAGE)
        listing.add_argument("--severity", choices=Severity.values, default="")
        listing.add_argument("--details", action="store_true")
        actions.add_parser("prune", help="delete old ones", usage=_USAGE)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the subcommand."""
        if options["action"] == "prune":
            self.stdout.write(f"{errors_prune()} errors were older than {LIFETIME.days} days and are deleted.")
            return
        found = error_list(filters=ErrorFilter(severity=options["severity"]), limit=options["limit"])
        for logged in found:
            self.stdout.write(_line(logged))
            if options["details"] and logged.error_details:
                self.stdout.write(f"    {_plain(logged.error_details)}")
        if not found:
            self.stdout.write("Nothing is in the error log.")


def _line(logged: LoggedError) -> str:
    """Return one error as one line."""
    account = f" user={logged.user_id}" if logged.user_id is not None else ""
    times = f" x{logged.times}" if logged.times > 1 else ""
    moment = logged.created_at.isoformat(" ", "seconds").removesuffix("+00:00")
    return _plain(f"{moment}Z {logged.severity:<8} {logged.page_url or '-'}{account}{times} {logged.message}")


def _plain(text: str) -> str:
    """Return `text` without control characters, because browsers of anonymous visitors wrote parts of it."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
