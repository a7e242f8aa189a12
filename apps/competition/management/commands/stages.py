"""`manage.py stages`: list and edit the stages of the competition."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.competition.models import Stage
from apps.competition.selectors.admin.sessions import stages_admin
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.competition.services.stages import (
    stage_archive,
    stage_create,
    stage_delete,
    stage_move,
    stage_update,
)

_USAGE = """
  manage.py stages list                  the stages in their order, and from which it is published who advances
  manage.py stages add NAME              a new stage, after all others
  manage.py stages rename STAGE NAME     another name
  manage.py stages move STAGE up|down    it changes places with the one before or after it
  manage.py stages archive STAGE         new sessions no longer offer it; it stays with its sessions
  manage.py stages restore STAGE         new sessions offer it again
  manage.py stages delete STAGE          delete a stage without sessions
  manage.py stages advance STAGE PARTICIPANT...
                                         publish that these participants advance from it; recommendations close
  manage.py stages withdraw STAGE        withdraw who advances from it; recommendations open again
"""
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "list": (),
    "add": ("name",),
    "rename": ("stage", "name"),
    "move": ("stage", "direction"),
    "advance": ("stage", "participants"),
    **dict.fromkeys(("archive", "restore", "delete", "withdraw"), ("stage",)),
}


def _add(*, actor: Any, name: str) -> str:
    return f"Stage {stage_create(actor=actor, name=name).pk} created."


def _rename(*, actor: Any, stage_id: int, name: str) -> str:
    return f"It is {stage_update(actor=actor, stage_id=stage_id, name=name).row.name} now."


def _delete(*, actor: Any, stage_id: int) -> str:
    stage_delete(actor=actor, stage_id=stage_id)
    return "Stage deleted."


_WRITES: Mapping[str, Callable[..., str]] = {
    "add": _add,
    "rename": _rename,
    "move": stage_move,
    "archive": lambda **given: stage_archive(**given, is_archived=True),
    "restore": lambda **given: stage_archive(**given, is_archived=False),
    "delete": _delete,
    "advance": advancements_publish,
    "withdraw": advancements_withdraw,
}


class Command(BaseCommand):
    """List and edit stages; open pages are updated at once."""

    help = "Create, rename, order, archive stages; publish who advances from one, or withdraw it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands with their arguments."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="|".join(_FIELDS))
        for action, fields in _FIELDS.items():
            changing = actions.add_parser(action, help="see above", usage=_USAGE)
            if "stage" in fields:
                changing.add_argument("stage_id", metavar="STAGE", type=int, help="the stage's number in `stages list`")
            if "name" in fields:
                changing.add_argument("name", help="as it is written in the program")
            if "participants" in fields:
                about = "the number in the participant's address"
                changing.add_argument("participant_ids", metavar="PARTICIPANT", type=int, nargs="+", help=about)
            if "direction" in fields:
                changing.add_argument("direction", choices=("up", "down"), help="towards the first or the last")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the subcommand. Raises CommandError for an unknown stage or a refused write."""
        if options["action"] == "list":
            return self._list()
        given = {
            name: options[name] for name in ("stage_id", "name", "direction", "participant_ids") if name in options
        }
        try:
            return self.stdout.write(_WRITES[options["action"]](actor=OPERATOR, **given))
        except Stage.DoesNotExist as error:
            raise CommandError("There is no stage with that number. See `manage.py stages list`.") from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error

    def _list(self) -> None:
        stages = stages_admin()
        if not stages:
            self.stdout.write("There are no stages yet. The first session makes the first one.")
        for stage in stages:
            advancing = f"  ({stage.advancing} of {stage.performers} advance)" if stage.advancing else ""
            archived = "  (archived)" if stage.is_archived else ""
            self.stdout.write(f"{stage.id:>4}  {stage.name}{advancing}{archived}")
