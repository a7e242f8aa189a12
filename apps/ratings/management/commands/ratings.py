"""`manage.py ratings`: what waits for approval, decided from a terminal."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.core.database.clock import venue_zone
from apps.ratings import selectors, services
from apps.ratings.enums import RatingKind
from apps.ratings.limits import PERFORMANCE_HIGHEST, PIECE_HIGHEST
from apps.ratings.selectors import RatingShown

_LIST_ROWS = 50
_RATING = re.compile(r"(piece|performance)-(\d{1,18})")
_USAGE = """
  manage.py ratings list                   the 50 that were changed last of those that wait
  manage.py ratings approve piece-7 ...    show these ratings to everybody
  manage.py ratings reject piece-7 ...     delete these ratings
"""


def _rating(text: str) -> tuple[RatingKind, int]:
    """Return the kind and the number that `text` names; raises ArgumentTypeError."""
    found = _RATING.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"{text} is no rating; they are called piece-7 or performance-7")
    return RatingKind(found[1]), int(found[2])


class Command(BaseCommand):
    """Decides about ratings without a screen; every page follows at once."""

    help = "List, approve and reject the ratings that wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One word says what to do; two of them take ratings."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="list|approve|reject", prog="manage.py ratings"
        )
        actions.add_parser("list", help="what waits", usage=_USAGE)
        for word, does in (("approve", "show ratings to everybody"), ("reject", "delete ratings")):
            action = actions.add_parser(word, help=does, usage=_USAGE)
            action.add_argument("ratings", type=_rating, nargs="+", metavar="RATING", help="such as piece-7")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it, or say in a sentence why not."""
        getattr(self, f"_{options['action']}")(options)

    def _list(self, _options: dict[str, Any]) -> None:
        """Print what waits, what was changed last first, and how much there is."""
        for rating in selectors.ratings_waiting(limit=_LIST_ROWS):
            self.stdout.write(_line(rating))
        waiting = selectors.waiting_counts()
        pieces, performances = waiting[RatingKind.PIECE], waiting[RatingKind.PERFORMANCE]
        self.stdout.write(f"Waiting: {pieces} of pieces, {performances} of performances.")

    def _approve(self, options: dict[str, Any]) -> None:
        """Show each to everybody."""
        for kind, rating_id in options["ratings"]:
            self._decide(kind, rating_id, services.rating_approve)

    def _reject(self, options: dict[str, Any]) -> None:
        """Delete each."""
        for kind, rating_id in options["ratings"]:
            self._decide(kind, rating_id, services.rating_reject)

    def _decide(self, kind: RatingKind, rating_id: int, service: Any) -> None:
        """Decide about one; those before it stay decided when it cannot be."""
        try:
            sentence = service(actor=OPERATOR, kind=kind, rating_id=rating_id)
        except ValidationError as error:
            raise CommandError(f"{kind}-{rating_id}: {' '.join(error.messages)}") from error
        self.stdout.write(f"{kind}-{rating_id}: {sentence}.")


def _line(rating: RatingShown) -> str:
    """Return one rating as a line; a comment follows on its own."""
    changed = rating.updated_at.astimezone(venue_zone())
    what = rating.piece.name if rating.piece else "the whole performance"
    highest = PIECE_HIGHEST if rating.piece else PERFORMANCE_HIGHEST
    line = (
        f"{rating.kind}-{rating.id}  {rating.score} of {highest}  {what}  {rating.participant}, {rating.session}"
        f"  by {rating.author}, {changed:%Y-%m-%d %H:%M}"
    )
    return f"{line}\n    {' '.join(rating.comment.split())}" if rating.comment else line
