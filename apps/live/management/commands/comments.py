"""`manage.py comments`: what the audience says about sessions, from a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.live.demo import demo_load
from apps.live.services import comment_delete

_USAGE = """
  manage.py comments delete 7 ...          delete these comments; every page follows at once
  manage.py comments demo                  load invented comments on the demo's live session, once
"""


class Command(BaseCommand):
    """Deletes comments without a screen, and loads those of the demo."""

    help = "Delete session comments by their numbers, or load those of the demo."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="delete|demo", prog="manage.py comments")
        delete = actions.add_parser("delete", help="delete comments", usage=_USAGE)
        delete.add_argument("comments", type=int, nargs="+", metavar="COMMENT", help="such as 7")
        actions.add_parser("demo", help="load invented comments", usage=_USAGE)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        if options["action"] == "demo":
            self.stdout.write(f"{demo_load()} comments loaded.")
            return
        for number in options["comments"]:
            try:
                comment_delete(actor=OPERATOR, comment_id=number)
            except ObjectDoesNotExist as error:
                raise CommandError(f"There is no comment {number}.") from error
            self.stdout.write(f"Comment {number} is deleted.")
