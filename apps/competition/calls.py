"""What other apps do when the call of a performer is taken back, because the performer has not played.

An app registers once, in its `AppConfig.ready` or its commands; the competition imports none of them. The functions run
inside the transaction that takes the call back, with the session's row locked.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor

_ONE = "%(n)d rating of %(name)s was submitted."
_MANY = "%(n)d ratings of %(name)s were submitted."
_EFFECT = (
    "Taking the call back removes them from all lists and figures. Nothing is lost: the marks stay with their members, "
    "closed until %(name)s plays."
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A call that is taken back: the appearance has no time on stage any more. `began_at` is when the call was made."""

    actor: Actor
    session_id: int
    appearance_id: int
    participant_id: int
    began_at: datetime


Counts = Callable[[Collection[int]], Mapping[int, int]]
_counts: list[Counts] = []
_holds: list[Callable[[int], object]] = []
_taken_back: list[Callable[[TakenBack], object]] = []


def calls_register(*, taken_back: Callable[[TakenBack], object]) -> None:
    """Register what an app does when a call is taken back."""
    _taken_back.append(taken_back)


def call_ratings_register(*, counts: Counts, hold: Callable[[int], object]) -> None:
    """Register the app of ratings: `counts` returns submitted ratings by appearance, without zeros.

    `hold` waits for the ratings of an appearance that are being submitted, and lets none begin until the transaction
    ends.
    """
    _counts.append(counts)
    _holds.append(hold)


def ratings_submitted(appearance_ids: Collection[int]) -> Mapping[int, int]:
    """Return the number of submitted ratings by appearance, without zeros. One query."""
    return {pk: count for counts in _counts for pk, count in counts(appearance_ids).items()}


def call_questions(appearance_id: int, name: str) -> tuple[ValidationError, ...]:
    """Return the sentences to confirm before a call is taken back, none without a submitted rating.

    The ratings are held from then on.
    """
    for hold in _holds:
        hold(appearance_id)
    count = ratings_submitted([appearance_id]).get(appearance_id, 0)
    if not count:
        return ()
    words = _ONE if count == 1 else _MANY
    return tuple(ValidationError(each, params={"n": count, "name": name}) for each in (words, _EFFECT))


def call_taken_back(call: TakenBack) -> None:
    """Call the apps' functions: the performer of this call has not played."""
    for taken_back in _taken_back:
        taken_back(call)
