"""Test that PostgreSQL keeps each rating's row equal to its marks, also with concurrent writers."""

import random
from datetime import timedelta
from functools import partial
from itertools import product

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.utils import timezone

from apps.core.database.fields import database_now
from apps.core.moderation import DecisionResult
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating, RatingSubmission
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.services.moderation import mark_approve, mark_delete, mark_reject, rating_delete
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.apps.ratings.closing import differences
from tests.apps.ratings.deciding import seen
from tests.factories import (
    EVENING,
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db

COLUMNS = (
    *("user_id", "appearance_id", "waiting_pieces", "waiting_points", "approved_pieces", "approved_points"),
    *("given_at", "shown_at", "waiting_at"),
)


def stored():
    """Return the stored rows."""
    return list(RatingSubmission.objects.order_by("user_id", "appearance_id").values_list(*COLUMNS))


def submit(fan, entries, mark, words="So."):
    """Submit a user's rating of these entries' appearance, with this mark for each piece."""
    return ratings_submit(
        actor=fan,
        appearance_id=entries[0].appearance_id,
        pieces={entry.piece_id: mark for entry in entries},
        score=1 + mark % 5,
        comment=words,
    )


def program(pieces=3):
    """Return the entries of an appearance's program."""
    appearance = AppearanceFactory()
    return [ProgramEntryFactory(appearance=appearance) for _ in range(pieces)]


def test_row_has_counts_points_and_times_of_its_marks():
    appearance, fan = AppearanceFactory(), UserFactory()
    at = partial(timedelta, minutes=1)
    rating = {"user": fan, "appearance": appearance}
    PieceRatingFactory(**rating, score=20, approved=True, created_at=EVENING)
    PieceRatingFactory(**rating, score=9, created_at=EVENING + at(), updated_at=EVENING + 2 * at())
    PieceRatingFactory(**rating, score=1, created_at=EVENING, updated_at=EVENING + 3 * at())
    times = EVENING + at(), EVENING, EVENING + 3 * at()
    assert stored() == [(fan.pk, appearance.pk, 2, 10, 1, 20, *times)]
    PieceRating.objects.filter(approved=False).delete()
    whole = PerformanceRatingFactory(**rating, approved=True, created_at=EVENING + 5 * at())
    assert stored() == [(fan.pk, appearance.pk, 0, 0, 1, 20, EVENING + 5 * at(), EVENING + 5 * at(), None)]
    PieceRating.objects.all().delete()
    assert stored()[0][2:6] == (0, 0, 0, 0)
    assert str(RatingSubmission.objects.get()) == f"{fan.pk}, {appearance.pk}"
    whole.delete()
    assert stored() == []


@pytest.mark.parametrize("seed", range(2))
def test_rows_equal_the_marks_after_random_statements(seed):
    chance = random.Random(seed)  # noqa: S311 - repeatable steps
    fans, appearances = UserFactory.create_batch(4), AppearanceFactory.create_batch(3)
    pieces = PieceFactory.create_batch(4)
    for appearance, piece in product(appearances, pieces):
        ProgramEntryFactory(appearance=appearance, piece=piece)
    tables = (PieceRating, PerformanceRating)

    def insert():
        rows = [
            PieceRating(user=fan, appearance=appearance, piece=piece, score=chance.randint(1, 25))
            for fan, appearance, piece in product(fans, appearances, pieces)
            if chance.random() < 0.2
        ]
        unique = ["user", "appearance", "piece"]
        PieceRating.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=["score"])
        PerformanceRating.objects.bulk_create(
            [
                PerformanceRating(user=fan, appearance=chance.choice(appearances), score=3, comment="So.")
                for fan in fans
            ],
            ignore_conflicts=True,
        )

    def some():
        table = chance.choice(tables)
        ids = [pk for pk in table.objects.values_list("pk", flat=True) if chance.random() < 0.3]
        return table.objects.filter(pk__in=ids)

    steps = (
        insert,
        lambda: some().update(approved=True),
        lambda: some().update(approved=False, updated_at=timezone.now()),
        lambda: some().update(created_at=EVENING + timedelta(minutes=chance.randint(0, 99))),
        lambda: PieceRating.objects.filter(approved=chance.random() < 0.5).update(score=chance.randint(1, 25)),
        lambda: some().delete(),
    )
    for number in range(40):
        chance.choice(steps)()
        assert differences() == [], number
    assert stored()


def test_hiding_a_comment_changes_no_row():
    PerformanceRatingFactory(approved=True)

    def version():
        with connection.cursor() as cursor:
            cursor.execute("SELECT ctid FROM rating_submissions")
            return cursor.fetchall()

    before = version()
    PerformanceRating.objects.update(is_comment_hidden=True)
    assert version() == before
    PerformanceRating.objects.update(score=1)
    assert version() != before


@pytest.mark.django_db(transaction=True)
def test_concurrent_decisions_of_overlapping_marks_keep_rows_equal(admin):
    other = viewer_of(UserFactory(is_admin=True))
    entries = program(6)
    for turn in range(3):
        fan = viewer_of(UserFactory())
        submit(fan, entries, 1 + turn)
        marks = list(PieceRating.objects.filter(user_id=fan.id).order_by("pk"))
        answers = run_together(
            partial(ratings_decide, actor=admin, decision="approve", seen=seen(*marks[:4])),
            partial(ratings_decide, actor=other, decision="reject", seen=seen(*reversed(marks[2:]))),
        )
        assert all(isinstance(answer, DecisionResult) for answer in answers)
        assert [answer.decided for answer in answers] == [1, 1]
        assert sum(answer.others for answer in answers) == 2  # the marks in both halves
        approved = PieceRating.objects.filter(user_id=fan.id)
        assert approved.count() == 4 - answers[0].others
        assert all(mark.approved for mark in approved)
        assert differences() == []


@pytest.mark.django_db(transaction=True)
def test_rating_deleted_during_an_approval_is_deleted(admin):
    entries = program()
    for _ in range(3):
        fan = viewer_of(UserFactory())
        submit(fan, entries, 12)
        marks = [*PieceRating.objects.all(), *PerformanceRating.objects.all()]
        delete = partial(rating_delete, appearance_id=entries[0].appearance_id, user_id=fan.id)
        approve = partial(ratings_decide, actor=admin, decision="approve", seen=seen(*marks))
        approved, deleted = run_together(approve, partial(delete, actor=fan))
        assert deleted == "Rating deleted successfully"
        assert isinstance(approved, DecisionResult | ValidationError)
        assert differences() == stored() == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_writes_of_all_kinds_do_not_deadlock(admin):
    other = viewer_of(UserFactory(is_admin=True))
    fans, programs = [viewer_of(UserFactory()) for _ in range(2)], [program() for _ in range(2)]
    for turn in range(2):
        for fan in fans:
            for entries in programs:
                submit(fan, entries, 1 + turn)
        PieceRating.objects.update(approved=False)
        PerformanceRating.objects.update(approved=False)
        marks = [*PieceRating.objects.order_by("-pk"), *PerformanceRating.objects.order_by("pk")]
        single, until = marks[turn], database_now()
        matching = partial(ratings_decide_matching, filters=QueueFilter(both=True), until=until)
        answers = run_together(
            partial(matching, actor=admin, decision="approve"),
            partial(ratings_decide, actor=other, decision="reject", seen=seen(*marks[::2])),
            partial(mark_approve, actor=other, kind=RatingKind.PIECE, mark_id=single.pk),
            partial(mark_reject, actor=admin, kind=RatingKind.PIECE, mark_id=marks[turn + 1].pk),
            partial(mark_delete, actor=fans[0], kind=RatingKind.PERFORMANCE, mark_id=marks[-1].pk),
            *(partial(submit, fan, entries[:2], 20 + turn) for fan in fans for entries in programs[:1]),
        )
        expected = DecisionResult | str | ValidationError | PermissionDenied
        assert all(isinstance(answer, expected) for answer in answers), answers
        assert differences() == []
        for answer in answers:
            if isinstance(answer, DecisionResult):
                decision_undo(actor=admin, decision_id=answer.id)
                assert differences() == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_statements_without_locks_keep_rows_equal():
    """The previous version of the services locks no row first."""
    appearance, fan = AppearanceFactory(), UserFactory()
    marks = [PieceRatingFactory(user=fan, appearance=appearance) for _ in range(2)]

    def approve(mark):
        with transaction.atomic():
            PieceRating.objects.filter(pk=mark.pk).update(approved=True)

    for _ in range(3):
        PieceRating.objects.update(approved=False)
        run_together(*(partial(approve, mark) for mark in marks))
        assert differences() == []
        assert stored()[0][2:6] == (0, 0, 2, 40)
