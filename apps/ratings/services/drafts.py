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
from apps.ratings.models import PieceRating
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import NOT_BEGUN, SIGN_IN, TOO_LONG, UNKNOWN_QUICK, rater_require, ratings_lock

WITHDRAWN = "This performance is not in the competition any more, so its marks are not kept."
NOT_IN_PROGRAM = "A piece has left the program of this performance. Its mark is not kept."
SENT_STAYS = "A mark that you have sent is taken back under “My Ratings” only."
NOTHING_SENT = "Nothing of this performance is sent, so there is nothing to go back to."
RESTORED = "Your marks are again as you sent them."
OUT_OF_RANGE = "A piece is marked from 1 to 25, the whole performance from 1 to 5."


@dataclass(frozen=True, slots=True)
class Kept:
    """The outcome of a message with strikes.

    `refusal` is a sentence if some of them cannot be kept, else empty. `older` are ids of pieces and names of fields
    for which a later strike or a submitted mark holds.
    """

    refusal: str
    older: tuple[int | str, ...]


@transaction.atomic
def rating_keep(*, actor: Actor, appearance_id: int, strikes: Strikes) -> Kept:
    """Store what the actor has struck for a performance.

    Of two strikes of one field the later one is kept. The removal of a submitted mark is not kept, because a rating is
    submitted with the marks it has. Raises PermissionDenied, ValidationError for an unknown performance, before it has
    begun and for marks out of range, TooMany at the rate limit.
    """
    user_id = rater_require(actor, SIGN_IN)
    _strikes_require(strikes)
    appearance = appearance_program(appearance_id=appearance_id)
    if appearance is None:
        raise ValidationError(WITHDRAWN)
    if not appearance.has_begun:
        raise ValidationError(NOT_BEGUN)
    rate_limit_take(STRIKES, account_id=user_id)
    known = {pk: each for pk, each in strikes.pieces.items() if pk in appearance.piece_ids}
    stays = _submitted_among(user_id, appearance_id, [pk for pk, (mark, _) in known.items() if not mark])
    kept = {pk: each for pk, each in known.items() if pk not in stays}
    older = strikes_write(user_id, appearance_id, Strikes(kept, strikes.score, strikes.comment, strikes.quick_rating))
    publish(DraftChanged(user_id))
    refusal = NOT_IN_PROGRAM if len(known) < len(strikes.pieces) else SENT_STAYS if stays else ""
    return Kept(refusal, (*older, *stays))


def _submitted_among(user_id: int, appearance_id: int, piece_ids: list[int]) -> list[int]:
    """Return those of the pieces of which the account has submitted a mark. At most one query."""
    if not piece_ids:
        return []
    mine = PieceRating.objects.filter(user_id=user_id, appearance_id=appearance_id, piece_id__in=piece_ids)
    return list(mine.order_by("piece_id").values_list("piece_id", flat=True))


@transaction.atomic
def rating_restore(*, actor: Actor, appearance_id: int, age: float = 0.0) -> str:
    """Drop what the actor has struck since submitting, and return the sentence to show.

    It is a strike of every field with its submitted value, `age` seconds ago, so that the actor's other devices follow,
    strikes before the press stay dropped and later ones are kept. A piece that was marked since has no mark after it.
    A mark that a moderator has removed stays on the sheet as "Not approved": it is what the actor has sent, and the
    only copy. The same holds for the mark of the whole performance and its comment when none is submitted.
    Raises PermissionDenied, ValidationError for an unknown performance and for one without a submitted mark, TooMany.
    """
    user_id = rater_require(actor, SIGN_IN)
    if appearance_program(appearance_id=appearance_id) is None:
        raise ValidationError(WITHDRAWN)
    rate_limit_take(STRIKES, account_id=user_id)
    ratings_lock(user_id=user_id, appearance_id=appearance_id)
    own = ratings_own(user_id=user_id, appearance_ids=(appearance_id,)).get(appearance_id)
    if own is None or not own.is_submitted:
        raise ValidationError(NOTHING_SENT)
    strikes_write(user_id, appearance_id, _as_submitted(own, age))
    publish(DraftChanged(user_id))
    return RESTORED


def _as_submitted(own: OwnRatings, age: float) -> Strikes:
    """Return the submitted rating as strikes; marks that a moderator has removed are left out."""
    struck = {pk: (0, age) for pk in own.marks if pk not in own.rejected_pieces}
    pieces = struck | {pk: (each.score, age) for pk, each in own.pieces.items()}
    if (whole := own.overall) is None:
        return Strikes(pieces)
    return Strikes(pieces, (whole.score, age), (whole.comment, age), (whole.quick_rating, age))


def _strikes_require(strikes: Strikes) -> None:
    """Raise ValidationError for marks out of range, an unknown quick rating or a too long comment."""
    marks = all(0 <= mark <= PIECE_HIGHEST for mark, _ in strikes.pieces.values())
    if not marks or (strikes.score and not 0 <= strikes.score[0] <= PERFORMANCE_HIGHEST):
        raise ValidationError(OUT_OF_RANGE)
    if strikes.comment and len(strikes.comment[0]) > COMMENT_LENGTH:
        raise ValidationError(TOO_LONG)
    if strikes.quick_rating and strikes.quick_rating[0] not in {"", *QuickRating.values}:
        raise ValidationError(UNKNOWN_QUICK)
