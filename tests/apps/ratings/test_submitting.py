"""Test the submit of the rating form: what it stores, what it refuses, and 20 concurrent submits."""

import threading
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
from tests.rate_limits import seconds_pass

SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."


@pytest.fixture
def program(db):
    """Return a performance with two pieces on its program."""
    first = ProgramEntryFactory()
    return first, ProgramEntryFactory(session_participant=first.session_participant)


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def submit(fan, program, **other):
    """Submit marks for both pieces, or the values in `other`."""
    appearance_id = program[0].session_participant_id
    marks = {entry.piece_id: mark for entry, mark in zip(program, (21, 18), strict=True)}
    given = {"pieces": marks, "score": 4, "comment": "Like weather.", "quick_rating": "other", **other}
    return ratings_submit(actor=fan, session_participant_id=appearance_id, **given)


def stored():
    """Return all stored ratings, without their times."""
    marks = PieceRating.objects.order_by("pk").values_list("user_id", "piece_id", "score", "approved")
    wholes = PerformanceRating.objects.order_by("pk")
    return list(marks), list(wholes.values_list("user_id", "score", "comment", "quick_rating", "approved"))


@pytest.mark.django_db
def test_a_submit_stores_everything_unapproved_and_says_so(fan, program):
    assert submit(fan, program, comment="  Like\r\nweather. ") == SUBMITTED
    marks = [(fan.id, program[0].piece_id, 21, False), (fan.id, program[1].piece_id, 18, False)]
    assert stored() == (marks, [(fan.id, 4, "Like\nweather.", "other", False)])


@pytest.mark.django_db
def test_what_has_not_begun_cannot_be_rated(fan):
    entry = ProgramEntryFactory(session_participant__session__starts_at=EVENING)
    entries = (entry, ProgramEntryFactory(session_participant=entry.session_participant))
    with pytest.raises(ValidationError, match=r"You can rate once it begins\."):
        submit(fan, entries)
    assert stored() == ([], [])


@pytest.mark.django_db
def test_all_of_one_submit_were_given_at_one_moment(fan, program):
    submit(fan, program)
    moments = {*PieceRating.objects.values_list("created_at", "updated_at")}
    moments |= {*PerformanceRating.objects.values_list("created_at", "updated_at")}
    assert len({moment for pair in moments for moment in pair}) == 1


@pytest.mark.django_db
def test_what_changed_waits_again_and_what_did_not_stays_approved(fan, program):
    submit(fan, program)
    PieceRating.objects.update(approved=True)
    PerformanceRating.objects.update(approved=True)
    before = list(PieceRating.objects.order_by("pk").values_list("pk", "created_at", "updated_at"))
    submit(fan, program, pieces={program[0].piece_id: 21, program[1].piece_id: 19})
    marks = [(fan.id, program[0].piece_id, 21, True), (fan.id, program[1].piece_id, 19, False)]
    assert stored() == (marks, [(fan.id, 4, "Like weather.", "other", True)])
    after = list(PieceRating.objects.order_by("pk").values_list("pk", "created_at", "updated_at"))
    assert after[0] == before[0]
    assert after[1][:2] == before[1][:2]
    assert after[1][2] > before[1][2]


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"score": 5}, {"comment": "Like rain."}, {"quick_rating": ""}])
def test_a_changed_word_or_mark_of_the_whole_waits_again(fan, program, change):
    submit(fan, program)
    PieceRating.objects.update(approved=True)
    PerformanceRating.objects.update(approved=True)
    submit(fan, program, **change)
    assert list(PieceRating.objects.values_list("approved", flat=True)) == [True, True]
    (whole,) = PerformanceRating.objects.values("score", "comment", "quick_rating", "approved")
    assert whole == {"score": 4, "comment": "Like weather.", "quick_rating": "other", "approved": False, **change}


@pytest.mark.django_db
def test_a_piece_without_a_mark_keeps_its_earlier_one(fan, program):
    submit(fan, program)
    submit(fan, program, pieces={program[1].piece_id: 3})
    assert [mark[2] for mark in stored()[0]] == [21, 3]


@pytest.mark.django_db
def test_ratings_of_others_and_of_other_performances_stay(fan, program):
    other = PieceRatingFactory(entry=program[0], score=7)
    elsewhere = PieceRatingFactory(piece=program[0].piece, user_id=fan.id, score=8)
    whole = PerformanceRatingFactory(user_id=fan.id, score=1)
    submit(fan, program)
    for row in (other, elsewhere, whole):
        before = row.score
        row.refresh_from_db()
        assert row.score == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"pieces": {}}, "at least one piece"),
        ({"pieces": {1: 0}}, "from 1 to 25"),
        ({"pieces": {1: 26}}, "from 1 to 25"),
        ({"pieces": {987654: 20}}, "program of this performance has changed"),
        ({"score": 0}, "from 1 to 5"),
        ({"score": 6}, "from 1 to 5"),
        ({"comment": ""}, "Write a comment"),
        ({"comment": " \u200b\n"}, "Write a comment"),
        ({"comment": "a" * 2001}, "at most 2,000 characters"),
        ({"quick_rating": "splendid"}, "quick rating"),
    ],
)
def test_what_is_not_whole_is_refused_and_leaves_nothing(fan, program, wrong, sentence):
    with pytest.raises(ValidationError, match=sentence):
        submit(fan, program, **wrong)
    assert stored() == ([], [])
    assert not RateLimitUse.objects.exists()


@pytest.mark.django_db
def test_a_piece_of_another_program_is_refused_with_all_the_others(fan, program):
    other = ProgramEntryFactory()
    with pytest.raises(ValidationError, match="program of this performance has changed"):
        submit(fan, program, pieces={program[0].piece_id: 20, other.piece_id: 20})
    with pytest.raises(ValidationError, match="program of this performance has changed"):
        ratings_submit(actor=fan, session_participant_id=987654, pieces={1: 1}, score=1, comment="x")
    assert stored() == ([], [])


@pytest.mark.django_db
def test_only_active_accounts_rate(program):
    user = UserFactory()
    deactivated = viewer_of(user)
    user.is_active = False
    user.save()
    for nobody in (ANONYMOUS, OPERATOR, deactivated, Viewer(id=987654)):
        with pytest.raises(PermissionDenied, match="Sign in to rate"):
            submit(nobody, program)
    assert stored() == ([], [])


@pytest.mark.django_db
def test_a_person_has_thirty_turns_a_minute(fan, program):
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
def test_twenty_submits_at_once_leave_one_row_each(fan, program):
    start = threading.Barrier(20)

    def one(number):
        try:
            start.wait(30)
            return submit(fan, program, score=1 + number % 5, pieces={program[0].piece_id: 1 + number})
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(one, range(20)))
    assert answers == [SUBMITTED] * 20
    marks, wholes = stored()
    assert len(marks) == len(wholes) == 1
    assert 1 + (marks[0][2] - 1) % 5 == wholes[0][1]  # both are of the same submit


@pytest.mark.django_db(transaction=True)
def test_a_flood_at_once_is_counted_one_by_one(fan, program):
    def one(number):
        try:
            return submit(fan, program, score=1 + number % 5)
        except ValidationError as refusal:
            return refusal.messages[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(one, range(RATINGS.amount + 10)))
    assert answers.count(SUBMITTED) == RATINGS.amount
