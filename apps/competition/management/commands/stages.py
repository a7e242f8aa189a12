"""`manage.py stages`: of which stages the field is drawn."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.competition import services
from apps.competition.enums import FieldState
from apps.competition.models import Stage
from apps.competition.selectors.admin import stage_options

_USAGE = """
  manage.py stages list          the stages in their order, and of which the field is drawn
  manage.py stages drawn STAGE   its field is drawn: who plays in it has advanced, nobody recommends any more
  manage.py stages open STAGE    its field is open again
"""


class Command(BaseCommand):
    """Says of which stages the field is drawn; every screen follows at once."""

    help = "Say that the field of a stage is drawn, or open again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do; two of them take a stage."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|drawn|open")
        actions.add_parser("list", help="the stages in their order", usage=_USAGE)
        for name in FieldState:
            changing = actions.add_parser(name, help="change it", usage=_USAGE)
            changing.add_argument("stage", type=int, help="the stage's number in `stages list`")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        if options["action"] == "list":
            return self._list()
        try:
            is_drawn = options["action"] == FieldState.DRAWN
            done = services.stage_field_set(actor=OPERATOR, stage_id=options["stage"], is_drawn=is_drawn)
        except Stage.DoesNotExist as error:
            raise CommandError("There is no stage with that number. See `manage.py stages list`.") from error
        return self.stdout.write(done)

    def _list(self) -> None:
        """Print the stages."""
        stages = stage_options()
        if not stages:
            self.stdout.write("There are no stages yet. The first session makes the first one.")
        for stage in stages:
            self.stdout.write(f"{stage.id:>4}  {stage.name}{'  (field drawn)' if stage.is_field_drawn else ''}")
