"""`manage.py comments`: delete session comments in a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.live.services import comment_delete

_USAGE = """
  manage.py comments delete 7 ...          delete these comments; every page follows at once
"""


class Command(BaseCommand):
    """Deletes session comments by their ids."""

    help = "Delete session comments by their numbers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the subcommand `delete`."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="delete", prog="manage.py comments")
        delete = actions.add_parser("delete", help="delete comments", usage=_USAGE)
        delete.add_argument("comments", type=int, nargs="+", metavar="COMMENT", help="such as 7")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Delete the comments in order. Raises CommandError at the first unknown id."""
        for number in options["comments"]:
            try:
                comment_delete(actor=OPERATOR, comment_id=number)
            except ObjectDoesNotExist as error:
                raise CommandError(f"There is no comment {number}.") from error
            self.stdout.write(f"Comment {number} is deleted.")
