"""The large audience of the demo: many listeners with marks and without comments, and with different tastes.

Their marks give the ranking something to correct: severe, generous and narrow-range raters, and three schools that hear
one performance differently. In the stage that is over there are crooked accounts too, which docs/howto/run-and-test.md
names: some give one mark to all performances, and a brigade marks one performance a day after the first session, which
weighs less in the ranking (`apps/ranking/suspicion.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import product

from apps.competition.selectors.public.participants import SessionAppearance
from apps.demo.audience.opinions import bell, chance, quality
from apps.demo.texts import stage_names
from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import PieceRating

_WHERE = "left right front back upper lower inner outer middle centre north south"
_SEATS = "stall aisle balcony gallery box loge circle row bench"
_UNIFORM, _BRIGADE = 6, 24  # the last listeners in the list
_CROOKED = _UNIFORM + _BRIGADE
_SCHOOLS = 3
_RARE = 21  # points, above which a mark rises half as fast
_WAITING = 0.02  # share of marks that wait for a moderator
_SOON, _LATE = timedelta(minutes=4), timedelta(hours=5)  # after the start of a piece
_MEETING = timedelta(hours=30)  # after the start of the session, when the brigade marks
_MINUTES = timedelta(minutes=8)  # the span of the brigade's marks
_OTHERS = 2  # performances that a brigade member marks additionally


@dataclass(frozen=True, slots=True)
class _Heard:
    """A played performance: its name, the start of its session, and the start of each piece by id."""

    appearance_id: int
    name: str
    begins_at: datetime
    pieces: dict[int, datetime]


def stalls_names() -> tuple[str, ...]:
    """Return the usernames of these listeners."""
    return tuple(f"{where}_{seat}" for seat, where in product(_SEATS.split(), _WHERE.split()))


def honest_names() -> tuple[str, ...]:
    """Return the usernames of those listeners who mark as they hear: without the last ones."""
    return stalls_names()[:-_CROOKED]


def stalls_marks(people: Sequence[int], played: Iterable[SessionAppearance], *, now: datetime) -> Iterator[PieceRating]:
    """Yield the marks of these listeners for those of the `played` performances that are not in the live session.

    `people` are account ids in the order of `stalls_names`.
    """
    heard = sorted(_all_heard(played), key=lambda each: (each.begins_at, each.name))
    honest, crowd = people[:-_CROOKED], people[-_CROOKED:]
    for performance in heard:
        for number, listener in enumerate(honest):
            if chance("stalls heard", number, performance.name) < _diligence(number):
                yield from _listener_marks(listener, performance, _taste(number, performance), now)
    over = [each for each in heard if each.name.startswith(stage_names()[0])]
    for performance in over:
        for number, listener in enumerate(crowd[:_UNIFORM]):
            yield from _listener_marks(listener, performance, partial(_one_mark, number), now)
    if over:
        yield from _brigade(crowd[_UNIFORM:], over)


def _all_heard(played: Iterable[SessionAppearance]) -> Iterator[_Heard]:
    """Yield the performances with a recording that are not in the live session."""
    for each in played:
        began = {
            line.piece.id: each.session.starts_at + timedelta(seconds=line.second)
            for line in each.appearance.program
            if line.second is not None
        }
        if began and each.appearance.has_begun and not each.session.is_live:
            name = f"{each.session.stage}, {each.appearance.name}"
            yield _Heard(each.appearance.id, name, each.session.starts_at, began)


def _one_mark(listener: int, _piece: int) -> int:
    """Return the mark that a uniform listener gives to everything, by number: 24, 21 and so on."""
    return PIECE_HIGHEST - 1 - 3 * listener


def _diligence(listener: int) -> float:
    """Return the share of all performances that a listener marks."""
    return 0.15 + 0.75 * chance("diligence", listener)


def _taste(listener: int, performance: _Heard) -> Callable[[int], int]:
    """Return a function that marks the pieces of a performance, by number."""
    severity, span = 2 * bell("severity", listener), 1 + 0.25 * bell("span", listener)
    school = 2.5 * bell("school", int(_SCHOOLS * chance("taught by", listener)), performance.name)
    heard = 16 + severity + span * (quality(performance.name) + school - 16)

    def mark(number: int) -> int:
        points = heard + 2.4 * bell("heard", listener, performance.name, number)
        rare = min(points, _RARE + (points - _RARE) / 2)  # the highest marks are for few performances
        return min(PIECE_HIGHEST, max(1, round(rare)))

    return mark


def _listener_marks(
    listener: int, performance: _Heard, mark: Callable[[int], int], now: datetime
) -> Iterator[PieceRating]:
    """Yield a listener's marks of a performance, given soon after its pieces began, always before `now`."""
    is_approved = chance("read", listener, performance.name) > _WAITING
    for number, (piece_id, began) in enumerate(performance.pieces.items()):
        at = min(began + _SOON + _LATE * chance("given", listener, performance.name, number) ** 3, now - _SOON)
        yield mark_row(listener, performance.appearance_id, piece_id, mark(number), at, is_approved=is_approved)


def _brigade(members: Sequence[int], heard: Sequence[_Heard]) -> Iterator[PieceRating]:
    """Yield the brigade's marks: the highest for one performance, within minutes, and middling ones for the next."""
    favourite, *others = heard
    for number, member in enumerate(members):
        at = favourite.begins_at + _MEETING + _MINUTES * number / len(members)
        middling = ((other, 14 + number % 4) for other in others[:_OTHERS])
        for performance, mark in ((favourite, PIECE_HIGHEST), *middling):
            for piece_id in performance.pieces:
                yield mark_row(member, performance.appearance_id, piece_id, mark, at, is_approved=True)


def mark_row(
    listener: int, appearance_id: int, piece_id: int, score: int, at: datetime, *, is_approved: bool
) -> PieceRating:
    """Return the row of a mark given at this moment."""
    return PieceRating(
        user_id=listener,
        appearance_id=appearance_id,
        piece_id=piece_id,
        score=score,
        approved=is_approved,
        created_at=at,
        updated_at=at,
    )
