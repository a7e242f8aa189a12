"""`manage.py comments`: what the audience says about sessions, from a terminal."""

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
    """Deletes comments without a screen."""

    help = "Delete session comments by their numbers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="delete", prog="manage.py comments")
        delete = actions.add_parser("delete", help="delete comments", usage=_USAGE)
        delete.add_argument("comments", type=int, nargs="+", metavar="COMMENT", help="such as 7")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        for number in options["comments"]:
            try:
                comment_delete(actor=OPERATOR, comment_id=number)
            except ObjectDoesNotExist as error:
                raise CommandError(f"There is no comment {number}.") from error
            self.stdout.write(f"Comment {number} is deleted.")
