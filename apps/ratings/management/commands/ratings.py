"""`manage.py ratings`: list and decide the ratings that await approval."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.core.database.fields import venue_zone
from apps.ratings.enums import RatingKind
from apps.ratings.limits import PERFORMANCE_HIGHEST, PIECE_HIGHEST
from apps.ratings.selectors.counts import waiting_counts
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_queue
from apps.ratings.selectors.statistics import Mark, PieceMark, RatingShown
from apps.ratings.services.moderation import mark_approve, mark_reject

_LIST_ROWS = 50
_RATING = re.compile(r"(piece|performance)-(\d{1,18})")
_USAGE = """
  manage.py ratings list                   what waits of the 50 ratings that were changed last, of each kind
  manage.py ratings approve piece-7 ...    show these marks to everybody
  manage.py ratings reject piece-7 ...     delete these marks
"""


def _rating(text: str) -> tuple[RatingKind, int]:
    """Return the kind and the id in `text`. Raises ArgumentTypeError."""
    found = _RATING.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"{text} is no rating; they are called piece-7 or performance-7")
    return RatingKind(found[1]), int(found[2])


class Command(BaseCommand):
    """Lists, approves and rejects ratings from a terminal; open pages are updated live."""

    help = "List, approve and reject the ratings that wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands list, approve and reject; the last two take ratings."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="list|approve|reject", prog="manage.py ratings"
        )
        actions.add_parser("list", help="what waits", usage=_USAGE)
        for word, does in (("approve", "show marks to everybody"), ("reject", "delete marks")):
            action = actions.add_parser(word, help=does, usage=_USAGE)
            action.add_argument("ratings", type=_rating, nargs="+", metavar="RATING", help="such as piece-7")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the subcommand. Raises CommandError when a mark cannot be decided."""
        getattr(self, f"_{options['action']}")(options)

    def _list(self, _options: dict[str, Any]) -> None:
        """Print the waiting marks, last changed ratings first, and the number of waiting ratings."""
        for kind in RatingKind:
            for rating in ratings_queue(filters=QueueFilter(kind), limit=_LIST_ROWS):
                for mark in rating.waiting(kind):
                    self.stdout.write(_line(rating, mark))
        waiting = waiting_counts()
        pieces, performances = waiting[RatingKind.PIECE], waiting[RatingKind.PERFORMANCE]
        self.stdout.write(f"Waiting: {pieces} of pieces, {performances} of performances.")

    def _approve(self, options: dict[str, Any]) -> None:
        """Approve each mark."""
        for kind, mark_id in options["ratings"]:
            self._decide(kind, mark_id, mark_approve)

    def _reject(self, options: dict[str, Any]) -> None:
        """Reject each mark."""
        for kind, mark_id in options["ratings"]:
            self._decide(kind, mark_id, mark_reject)

    def _decide(self, kind: RatingKind, mark_id: int, service: Any) -> None:
        """Decide about one mark. After a failure, the marks before it stay decided."""
        try:
            sentence = service(actor=OPERATOR, kind=kind, mark_id=mark_id)
        except ValidationError as error:
            raise CommandError(f"{kind}-{mark_id}: {' '.join(error.messages)}") from error
        self.stdout.write(f"{kind}-{mark_id}: {sentence}.")


def _line(rating: RatingShown, mark: Mark) -> str:
    """Return one mark as a line, followed by its comment on a second line."""
    changed = mark.updated_at.astimezone(venue_zone())
    if isinstance(mark, PieceMark):
        what, highest, words = mark.piece.name, PIECE_HIGHEST, ""
    else:
        what, highest, words = "the whole performance", PERFORMANCE_HIGHEST, f"\n    {' '.join(mark.comment.split())}"
    return (
        f"{mark.kind}-{mark.id}  {mark.score} of {highest}  {what}  {rating.participant}, {rating.session}"
        f"  by {rating.author}, {changed:%Y-%m-%d %H:%M}{words}"
    )
