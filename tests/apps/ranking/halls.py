"""Stages with an audience, as rows: the test data of the ranking."""

import datetime as dt
from collections.abc import Iterable, Sequence

from apps.accounts.models import User
from apps.competition.models import SessionParticipant
from apps.ratings.models import PieceRating
from tests.factories import AppearanceFactory, ProgramEntryFactory, SessionFactory, UserFactory

LONG_AGO = dt.datetime(2021, 1, 1, tzinfo=dt.UTC)  # old accounts, so that their age does not matter


def stage_of(performances: int, *, pieces: int = 2, **session) -> list[SessionParticipant]:
    """Return the performances of a new stage with one session that was played."""
    made = SessionFactory(**session)
    appearances = [AppearanceFactory(session=made) for _ in range(performances)]
    for appearance in appearances:
        ProgramEntryFactory.create_batch(pieces, session_participant=appearance)
    return appearances


def listeners(count: int) -> list[User]:
    """Return accounts that are years old."""
    made = UserFactory.create_batch(count)
    User.objects.filter(pk__in=[user.pk for user in made]).update(created_at=LONG_AGO)
    return made


def give(
    user: User, appearances: Iterable[SessionParticipant], scores: Sequence[int], *, pieces: int = 99, **columns
) -> None:
    """Give the first pieces of these performances marks, approved unless `columns` say otherwise."""
    PieceRating.objects.bulk_create(
        PieceRating(
            user=user,
            session_participant=appearance,
            piece_id=entry.piece_id,
            score=score,
            **{"approved": True} | columns,
        )
        for appearance, score in zip(appearances, scores, strict=True)
        for entry in appearance.program.order_by("order_number")[:pieces]
    )


def audience(appearances: Sequence[SessionParticipant], count: int) -> list[User]:
    """Return listeners who marked all of these performances, each as the one before but for one mark."""
    made = listeners(count)
    for number, user in enumerate(made):
        give(user, appearances, [1 + (5 * at + number) % 25 for at in range(len(appearances))])
    return made


def later(appearances: Sequence[SessionParticipant], **delta: float) -> dt.datetime:
    """Return a moment so long after the begin of their session."""
    return appearances[0].session.starts_at + dt.timedelta(**delta)


def age(users: Iterable[User], **delta: float) -> None:
    """Make accounts so old."""
    born = dt.datetime.now(dt.UTC) - dt.timedelta(**delta)
    User.objects.filter(pk__in=[user.pk for user in users]).update(created_at=born)
