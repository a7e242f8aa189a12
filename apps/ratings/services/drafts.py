"""A member's own sheet of a performance: every strike is stored at once, merged by field, the latest strike wins."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.selectors.public.programs import appearance_program
from apps.core.events import publish
from apps.core.rate_limits import rate_limit_take
from apps.ratings.enums import QuickRating
from apps.ratings.events import DraftChanged
from apps.ratings.limits import COMMENT_LENGTH, PERFORMANCE_HIGHEST, PIECE_HIGHEST, STRIKES
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import NOT_BEGUN, SIGN_IN, TOO_LONG, UNKNOWN_QUICK, rater_require

WITHDRAWN = "This performance is not in the competition any more, so its marks are not kept."
NOT_IN_PROGRAM = "A piece has left the program of this performance. Its mark is not kept."
OUT_OF_RANGE = "A piece is marked from 1 to 25, the whole performance from 1 to 5."


@dataclass(frozen=True, slots=True)
class Kept:
    """The outcome of a message with strikes.

    `refusal` is a sentence if some of them cannot be kept, else empty. `older` are ids of pieces and names of fields
    for which a later strike is stored.
    """

    refusal: str
    older: tuple[int | str, ...]


@transaction.atomic
def rating_keep(*, actor: Actor, session_participant_id: int, strikes: Strikes) -> Kept:
    """Store what the actor has struck for a performance.

    Of two strikes of one field the later one is kept. Raises PermissionDenied, ValidationError for an unknown
    performance, before it has begun and for marks out of range, TooMany at the rate limit.
    """
    user_id = rater_require(actor, SIGN_IN)
    _strikes_require(strikes)
    appearance = appearance_program(session_participant_id=session_participant_id)
    if appearance is None:
        raise ValidationError(WITHDRAWN)
    if not appearance.has_begun:
        raise ValidationError(NOT_BEGUN)
    rate_limit_take(STRIKES, account_id=user_id)
    known = {pk: each for pk, each in strikes.pieces.items() if pk in appearance.piece_ids}
    older = strikes_write(
        user_id, session_participant_id, Strikes(known, strikes.score, strikes.comment, strikes.quick_rating)
    )
    publish(DraftChanged(user_id))
    return Kept("" if len(known) == len(strikes.pieces) else NOT_IN_PROGRAM, older)


def _strikes_require(strikes: Strikes) -> None:
    """Raise ValidationError for marks out of range, an unknown quick rating or a too long comment."""
    marks = all(0 <= mark <= PIECE_HIGHEST for mark, _ in strikes.pieces.values())
    if not marks or (strikes.score and not 0 <= strikes.score[0] <= PERFORMANCE_HIGHEST):
        raise ValidationError(OUT_OF_RANGE)
    if strikes.comment and len(strikes.comment[0]) > COMMENT_LENGTH:
        raise ValidationError(TOO_LONG)
    if strikes.quick_rating and strikes.quick_rating[0] not in {"", *QuickRating.values}:
        raise ValidationError(UNKNOWN_QUICK)
