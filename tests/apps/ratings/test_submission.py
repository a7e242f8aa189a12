"""Test the submit of the rating form: stored values, refusals, the rate limit, and concurrent submits."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.core.models import RateLimitUse
from apps.ratings.limits import RATINGS
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.submission import ratings_submit
from tests.factories import (
    EVENING,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)
from tests.offenders import check_each
from tests.rate_limits import seconds_pass

pytestmark = pytest.mark.django_db

SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."


def submit(fan, program, **values):
    """Submit marks for both pieces, or these values."""
    appearance_id = program[0].appearance_id
    marks = {entry.piece_id: mark for entry, mark in zip(program, (21, 18), strict=True)}
    form = {"pieces": marks, "score": 4, "comment": "Like weather.", "quick_rating": "other", **values}
    return ratings_submit(actor=fan, appearance_id=appearance_id, **form)


def approve():
    """Approve all marks."""
    PieceRating.objects.update(approved=True)
    PerformanceRating.objects.update(approved=True)


def stored():
    """Return all stored ratings, without their times."""
    marks = PieceRating.objects.order_by("pk").values_list("user_id", "piece_id", "score", "approved")
    wholes = PerformanceRating.objects.order_by("pk")
    return list(marks), list(wholes.values_list("user_id", "score", "comment", "quick_rating", "approved"))


def test_submit_stores_all_fields_unapproved_with_one_time(fan, program):
    assert submit(fan, program, comment="  Like\r\nweather. ") == SUBMITTED
    marks = [(fan.id, program[0].piece_id, 21, False), (fan.id, program[1].piece_id, 18, False)]
    assert stored() == (marks, [(fan.id, 4, "Like\nweather.", "other", False)])
    tables = PieceRating, PerformanceRating
    moments = {pair for table in tables for pair in table.objects.values_list("created_at", "updated_at")}
    assert len({moment for pair in moments for moment in pair}) == 1


def test_performance_cannot_be_rated_before_it_begins(fan):
    entry = ProgramEntryFactory(appearance__session__starts_at=EVENING)
    entries = (entry, ProgramEntryFactory(appearance=entry.appearance))
    with pytest.raises(ValidationError, match=r"You can rate once it begins\."):
        submit(fan, entries)
    assert stored() == ([], [])


def test_changed_mark_waits_and_unchanged_marks_stay_approved(fan, program):
    submit(fan, program)
    approve()
    before = list(PieceRating.objects.order_by("pk").values_list("pk", "created_at", "updated_at"))
    submit(fan, program, pieces={program[0].piece_id: 21, program[1].piece_id: 19})
    marks = [(fan.id, program[0].piece_id, 21, True), (fan.id, program[1].piece_id, 19, False)]
    assert stored() == (marks, [(fan.id, 4, "Like weather.", "other", True)])
    after = list(PieceRating.objects.order_by("pk").values_list("pk", "created_at", "updated_at"))
    assert after[0] == before[0]
    assert after[1][:2] == before[1][:2]
    assert after[1][2] > before[1][2]


def test_changed_field_of_the_whole_performance_waits(fan, program):
    form = {"score": 4, "comment": "Like weather.", "quick_rating": "other"}
    submit(fan, program)
    for change in ({"score": 5}, {"comment": "Like rain."}, {"quick_rating": ""}):
        form |= change
        approve()
        submit(fan, program, **form)
        assert list(PieceRating.objects.values_list("approved", flat=True)) == [True, True]
        assert PerformanceRating.objects.values(*form, "approved").get() == {**form, "approved": False}


def test_submit_leaves_marks_that_it_does_not_contain(fan, program):
    others = [
        PieceRatingFactory(entry=program[0], score=7),
        PieceRatingFactory(piece=program[0].piece, user_id=fan.id, score=8),
        PerformanceRatingFactory(user_id=fan.id, score=1),
    ]
    submit(fan, program)
    submit(fan, program, pieces={program[1].piece_id: 3})
    own = PieceRating.objects.filter(user_id=fan.id, appearance=program[0].appearance_id)
    assert sorted(own.values_list("score", flat=True)) == [3, 21]
    for row in others:
        row.refresh_from_db()
    assert [row.score for row in others] == [7, 8, 1]


def test_invalid_ratings_are_refused(fan, program):
    other = ProgramEntryFactory()

    def check(case):
        values, sentence = case
        with pytest.raises(ValidationError, match=sentence):
            submit(fan, program, **values)
        assert stored() == ([], [])
        assert not RateLimitUse.objects.exists()

    cases = [
        ({"pieces": {}}, "at least one piece"),
        ({"pieces": {1: 0}}, "from 1 to 25"),
        ({"pieces": {1: 26}}, "from 1 to 25"),
        ({"pieces": {987654: 20}}, "program of this performance has changed"),
        ({"pieces": {program[0].piece_id: 20, other.piece_id: 20}}, "program of this performance has changed"),
        ({"score": 0}, "from 1 to 5"),
        ({"score": 6}, "from 1 to 5"),
        ({"comment": ""}, "Write a comment"),
        ({"comment": " \u200b\n"}, "Write a comment"),
        ({"comment": "a" * 2001}, "at most 2,000 characters"),
        ({"quick_rating": "splendid"}, "quick rating"),
    ]
    check_each(cases, check)
    with pytest.raises(ValidationError, match="program of this performance has changed"):
        ratings_submit(actor=fan, appearance_id=987654, pieces={1: 1}, score=1, comment="x")


def test_rating_needs_an_active_account(program):
    user = UserFactory()
    deactivated = viewer_of(user)
    user.is_active = False
    user.save()
    for actor in (ANONYMOUS, OPERATOR, deactivated, Viewer(id=987654)):
        with pytest.raises(PermissionDenied, match="Sign in to rate"):
            submit(actor, program)
    assert stored() == ([], [])


def test_submits_are_rate_limited(fan, program):
    other = viewer_of(UserFactory())
    for score in range(RATINGS.amount):
        submit(fan, program, score=1 + score % 5)
    with pytest.raises(ValidationError, match="a lot in one minute"):
        submit(fan, program, score=3)
    assert submit(other, program) == SUBMITTED
    seconds_pass(61)
    assert submit(fan, program, score=3) == SUBMITTED
    assert len(RateLimitUse.objects.get(subject=f"account.{fan.id}").back_at) == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_submits_are_counted_one_by_one_and_leave_one_row(fan, program):
    def one(number):
        try:
            return submit(fan, program, score=1 + number % 5, pieces={program[0].piece_id: 1 + number % 25})
        except ValidationError as refusal:
            return refusal.messages[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(one, range(RATINGS.amount + 10)))
    assert answers.count(SUBMITTED) == RATINGS.amount
    marks, wholes = stored()
    assert len(marks) == len(wholes) == 1
    assert 1 + (marks[0][2] - 1) % 5 == wholes[0][1]  # both are of the same submit
