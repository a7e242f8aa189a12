"""Stages with an audience, as rows: the test data of the ranking."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle

from apps.accounts.models import User
from apps.competition.models import Appearance, Piece, ProgramEntry
from apps.ratings.models import PieceRating
from tests.factories import AppearanceFactory, PieceFactory, SessionFactory, UserFactory

LONG_AGO = dt.datetime(2021, 1, 1, tzinfo=dt.UTC)  # old accounts, so that their age does not matter


def stage_of(performances: int, *, pieces: int = 2, **session) -> list[Appearance]:
    """Return the performances of a new stage with one session that was played."""
    made = SessionFactory(**session)
    appearances = [AppearanceFactory(session=made, order_number=number + 1) for number in range(performances)]
    own = Piece.objects.bulk_create(PieceFactory.build_batch(performances * pieces))
    ProgramEntry.objects.bulk_create(
        ProgramEntry(appearance=appearance, piece=piece, order_number=at // performances + 1, slot=piece.category)
        for at, (appearance, piece) in enumerate(zip(cycle(appearances), own, strict=False))
    )
    return appearances


def listeners(count: int) -> list[User]:
    """Return accounts that are years old."""
    return User.objects.bulk_create(UserFactory.build_batch(count, created_at=LONG_AGO))


def give(user: User, appearances: Iterable[Appearance], scores: Sequence[int], *, pieces: int = 99, **columns) -> None:
    """Give the first pieces of these performances marks, approved unless `columns` say otherwise."""
    PieceRating.objects.bulk_create(_marks(user, _programs(appearances), scores, pieces=pieces, **columns))


def audience(appearances: Sequence[Appearance], count: int) -> list[User]:
    """Return listeners who marked all of these performances, each as the one before but for one mark."""
    made, programs = listeners(count), _programs(appearances)
    PieceRating.objects.bulk_create(
        mark
        for number, user in enumerate(made)
        for mark in _marks(user, programs, [1 + (5 * at + number) % 25 for at in range(len(appearances))])
    )
    return made


def _programs(appearances: Iterable[Appearance]) -> list[tuple[Appearance, list[int]]]:
    """Return the pieces of each of these performances, in order."""
    pieces: dict[int, list[int]] = {}
    entries = ProgramEntry.objects.filter(appearance__in=(known := list(appearances)))
    for appearance_id, piece_id in entries.order_by("order_number").values_list("appearance_id", "piece_id"):
        pieces.setdefault(appearance_id, []).append(piece_id)
    return [(appearance, pieces.get(appearance.pk, [])) for appearance in known]


def _marks(
    user: User,
    programs: Iterable[tuple[Appearance, list[int]]],
    scores: Sequence[int],
    *,
    pieces: int = 99,
    **columns,
) -> Iterator[PieceRating]:
    """Yield the marks for the first pieces of each program."""
    for (appearance, program), score in zip(programs, scores, strict=True):
        for piece_id in program[:pieces]:
            values = {"approved": True} | columns
            yield PieceRating(user=user, appearance=appearance, piece_id=piece_id, score=score, **values)


def later(appearances: Sequence[Appearance], **delta: float) -> dt.datetime:
    """Return a moment so long after the begin of their session."""
    return appearances[0].session.starts_at + dt.timedelta(**delta)


def age(users: Iterable[User], **delta: float) -> None:
    """Make accounts so old."""
    born = dt.datetime.now(dt.UTC) - dt.timedelta(**delta)
    User.objects.filter(pk__in=[user.pk for user in users]).update(created_at=born)
