"""`manage.py live`: live control from a terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.enums import SessionFilter
from apps.competition.limits import ORDER_MOST
from apps.competition.management.live_session import appearance_line, live_session_or_stop, sentence
from apps.competition.selectors.public.programs import following, last_on_stage
from apps.competition.selectors.public.sessions import live_session, session_appearances, session_list
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.core.database.fields import venue_zone

_USAGE = """
  manage.py live list                  all sessions, and who plays in the live one
  manage.py live set SESSION           set a session live; any other one ends
  manage.py live perform NUMBER        put that number of the live session's order on stage
  manage.py live perform --next        put the next one on stage
  manage.py live perform --appearance ID  the same by the appearance's own id
  manage.py live clear                 leave the stage empty, the session stays live
  manage.py live end                   end the live session
"""


class Command(BaseCommand):
    """Run the live session; open pages are updated at once."""

    help = "Run the live session from a terminal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands; `set` and `perform` have arguments."""
        parser.usage = _USAGE
        words = "list|set|perform|clear|end"
        actions = parser.add_subparsers(dest="action", required=True, metavar=words, prog="manage.py live")
        actions.add_parser("list", help="all sessions, and who plays in the live one", usage=_USAGE)
        chosen = actions.add_parser("set", help="set a session live; any other one ends", usage=_USAGE)
        chosen.add_argument("session", type=int, help="the session's number in `live list`")
        perform = actions.add_parser("perform", help="put somebody of the live session on stage", usage=_USAGE)
        which = perform.add_mutually_exclusive_group(required=True)
        which.add_argument("number", type=int, nargs="?", help="the order number in the live session")
        which.add_argument("--next", action="store_true", help="whoever comes after the last on stage")
        which.add_argument("--appearance", type=int, help="the id of an appearance")
        actions.add_parser("clear", help="leave the stage empty", usage=_USAGE)
        actions.add_parser("end", help="end the live session", usage=_USAGE)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the subcommand. Raises CommandError for an unknown number or a refused write."""
        try:
            getattr(self, f"_{options['action']}")(options)
        except ObjectDoesNotExist as error:
            raise CommandError("There is nothing with that number. See `manage.py live list`.") from error
        except ValidationError as error:
            raise CommandError(sentence(error)) from error

    def _list(self, _options: dict[str, Any]) -> None:
        """Print all sessions, and the order of the live one."""
        sessions = session_list(when=SessionFilter.ALL, now=timezone.now(), size=ORDER_MOST).rows
        if not sessions:
            self.stdout.write("There are no sessions yet. `manage.py demo` loads an invented competition.")
        for card in sessions:
            begins = card.starts_at.astimezone(venue_zone())
            marker = "  << LIVE" if card.is_live else ""
            self.stdout.write(f"{card.id:>4}  {begins:%Y-%m-%d %H:%M}  {card.title} ({card.participant_count}){marker}")
        self._order()

    def _set(self, options: dict[str, Any]) -> None:
        ended = live_session()
        session_set_live(actor=OPERATOR, session_id=options["session"])
        if ended and ended.id != options["session"]:
            self.stdout.write(f"Ended: {ended.title}")
        live = live_session_or_stop()
        self.stdout.write(f"Live: {live.title}")
        self._order()

    def _perform(self, options: dict[str, Any]) -> None:
        appearance_id = options["appearance"] or self._appearance_id(options["number"], follow=options["next"])
        performer_set(actor=OPERATOR, appearance_id=appearance_id)
        self._order()

    def _clear(self, _options: dict[str, Any]) -> None:
        session = live_session_or_stop()
        performer_clear(actor=OPERATOR, session_id=session.id)
        self.stdout.write(f"Nobody is on stage. {session.title} is still live.")

    def _end(self, _options: dict[str, Any]) -> None:
        session = live_session_or_stop()
        session_end(actor=OPERATOR, session_id=session.id)
        self.stdout.write(f"Ended: {session.title}")

    def _appearance_id(self, number: int | None, *, follow: bool) -> int:
        """Return the id of the appearance with an order number, or of the one after the last on stage."""
        session = live_session_or_stop()
        appearances = session_appearances(session_id=session.id)
        if follow:
            chosen, last = following(appearances), last_on_stage(appearances)
            if chosen is None:
                now = last.order_number if last else 0
                raise CommandError(f"Nobody comes after number {now}. `manage.py live clear` leaves the stage empty.")
            return chosen.id
        for appearance in appearances:
            if appearance.order_number == number:
                return appearance.id
        numbers = ", ".join(str(appearance.order_number) for appearance in appearances) or "nobody yet"
        raise CommandError(f"{session.title} has no number {number}. Its order: {numbers}.")

    def _order(self) -> None:
        session = live_session()
        if session is None:
            self.stdout.write("No session is live.")
            return
        self.stdout.write(f"\n{session.title}, live:")
        for appearance in session_appearances(session_id=session.id):
            self.stdout.write(appearance_line(appearance))
