"""Test the members' own sheets: every strike is stored, the latest of each field wins, and nothing of it is lost."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.core.commands import REGISTERED, Arguments, refusal_of
from apps.core.rate_limits import TooMany
from apps.core.texts import texts
from apps.ratings.enums import RatingKind
from apps.ratings.limits import STRIKES
from apps.ratings.models import Decision, DraftMark, PerformanceRating, PieceRating, RatingDraft
from apps.ratings.selectors.counts import account_ratings_export
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.services.drafts import NOT_IN_PROGRAM, SENT_STAYS, Kept, rating_keep
from apps.ratings.services.moderation import mark_reject, rating_delete
from apps.ratings.services.rating_moderation import decision_undo
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import ratings_submit
from tests.factories import (
    EVENING,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)


@pytest.fixture
def program(db):
    """Return a performance with two pieces on its program."""
    first = ProgramEntryFactory()
    return first, ProgramEntryFactory(session_participant=first.session_participant)


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def keep(fan: Any, program: Any, **strikes: Any) -> str:
    """Keep these strikes of the performance, and return the sentence; `pieces` are marks with ages by place."""
    return keeping(fan, program, **strikes).refusal


def keeping(fan: Any, program: Any, **strikes: Any) -> Kept:
    """Keep these strikes of the performance; `pieces` are marks with ages by place in the program."""
    pieces = {program[place].piece_id: struck for place, struck in strikes.pop("pieces", {}).items()}
    strikes = {name: value if isinstance(value, tuple) else (value, 0) for name, value in strikes.items()}
    return rating_keep(
        actor=fan, session_participant_id=program[0].session_participant_id, strikes=Strikes(pieces, **strikes)
    )


def own(fan: Any, program: Any) -> OwnRatings:
    """Return the fan's ratings of the performance."""
    appearance = program[0].session_participant
    return ratings_own(user_id=fan.id, session_id=appearance.session_id).get(appearance.pk, OwnRatings())


def submit(fan: Any, program: Any, *marks: int, score: int = 4, age: float = 0) -> None:
    """Submit these marks of the pieces; `age` are the seconds since the press."""
    pieces = {entry.piece_id: mark for entry, mark in zip(program, marks, strict=False)}
    appearance_id = program[0].session_participant_id
    ratings_submit(actor=fan, session_participant_id=appearance_id, pieces=pieces, score=score, comment="Dry.", age=age)


def marks(own_ratings: OwnRatings, program: Any) -> list[int]:
    """Return the latest mark of each piece in the order of the program, 0 without one."""
    return [own_ratings.marks.get(entry.piece_id, 0) for entry in program]


@pytest.mark.django_db
def test_every_strike_is_stored_and_nothing_is_submitted(fan, program):
    assert keep(fan, program, pieces={0: (21, 0)}) == ""
    assert keep(fan, program, pieces={1: (18, 0)}, score=4) == ""
    assert keep(fan, program, comment="  Like\r\nweather ", quick_rating="other") == ""
    found = own(fan, program)
    assert marks(found, program) == [21, 18]
    assert (found.score, found.comment, found.quick_rating) == (4, "Like\nweather", "other")
    assert (found.has_marks, found.is_submitted, found.is_changed) == (True, False, False)
    assert not PieceRating.objects.exists()
    assert not PerformanceRating.objects.exists()


@pytest.mark.django_db
def test_an_older_strike_of_another_device_changes_nothing(fan, program):
    keep(fan, program, pieces={0: (21, 5)}, score=(4, 60), comment=("Late", 5))
    older = {"pieces": {0: (3, 90), 1: (18, 90)}, "score": (2, 30), "comment": ("Early", 90)}
    assert keeping(fan, program, **older).older == (program[0].piece_id, "comment")
    found = own(fan, program)
    assert marks(found, program) == [21, 18]
    assert (found.score, found.comment) == (2, "Late")


@pytest.mark.django_db
def test_a_removed_mark_is_no_mark(fan, program):
    keep(fan, program, pieces={0: (21, 9)}, score=(3, 9))
    keep(fan, program, pieces={0: (0, 0)}, score=0)
    assert (marks(own(fan, program), program), own(fan, program).has_marks) == ([0, 0], False)


STRUCK = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 25), st.integers(0, 200_000)), min_size=1, max_size=12)


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(struck=STRUCK)
def test_the_latest_strike_of_each_field_wins_in_any_order(fan, program, struck):
    """Each strike comes with its age in seconds; of two of one age, the one that comes later wins."""
    DraftMark.objects.all().delete()
    latest: dict[int, tuple[int, int]] = {}
    for place, mark, age in struck:
        appearance_id = program[0].session_participant_id
        strikes_write(fan.id, appearance_id, Strikes({program[place].piece_id: (mark, age)}))
        if place not in latest or age <= latest[place][0]:
            latest[place] = (age, mark)
    assert marks(own(fan, program), program) == [latest.get(place, (0, 0))[1] for place in (0, 1)]


@pytest.mark.django_db
def test_a_submit_that_comes_late_leaves_what_was_struck_after_the_press(fan, program):
    keep(fan, program, pieces={0: (20, 9), 1: (22, 3)})
    submit(fan, program, 21, 19, age=6)
    assert marks(own(fan, program), program) == [21, 22]
    assert own(fan, program).is_changed


@pytest.mark.django_db
def test_what_is_submitted_is_not_changed_and_no_earlier_strike_comes_after_it(fan, program):
    keep(fan, program, pieces={0: (21, 0)}, score=5)
    submit(fan, program, 20, 19)
    keep(fan, program, pieces={0: (21, 60)}, score=(5, 60))
    found = own(fan, program)
    assert (marks(found, program), found.score) == ([20, 19], 4)
    assert (found.is_submitted, found.is_changed) == (True, False)


@pytest.mark.django_db
def test_what_is_struck_after_the_submit_is_changed_until_it_is_the_same_again(fan, program):
    submit(fan, program, 20, 19)
    for strikes, changed in (
        ({"pieces": {0: (21, 0)}}, True),
        ({"pieces": {0: (20, 0)}}, False),
        ({"pieces": {0: (0, 0)}}, False),  # a submitted mark is not removed here
        ({"comment": "Wet."}, True),
        ({"comment": "Dry."}, False),
        ({"quick_rating": "other"}, True),
    ):
        keep(fan, program, **strikes)
        assert own(fan, program).is_changed is changed, strikes


@pytest.mark.django_db
def test_the_removal_of_a_submitted_mark_is_refused_in_a_sentence_and_the_latest_mark_stays(fan, program):
    submit(fan, program[:1], 20)
    keep(fan, program, pieces={0: (22, 0), 1: (18, 0)})
    removed = {0: (0, 0), 1: (0, 0)}
    assert keeping(fan, program, pieces=removed, comment="Wet.") == Kept(SENT_STAYS, (program[0].piece_id,))
    assert (marks(own(fan, program), program), own(fan, program).comment) == ([22, 0], "Wet.")


@pytest.mark.django_db
def test_a_rejected_mark_stays_on_the_sheet_and_the_undo_takes_it_back(fan, program):
    submit(fan, program, 20, 19)
    RatingDraft.objects.all().delete()  # as submitted before sheets existed
    piece, whole = PieceRating.objects.get(piece=program[0].piece_id), PerformanceRating.objects.get()
    moderator = viewer_of(UserFactory(is_admin=True))
    mark_reject(actor=moderator, kind=RatingKind.PIECE, mark_id=piece.pk)
    mark_reject(actor=moderator, kind=RatingKind.PERFORMANCE, mark_id=whole.pk)
    found = own(fan, program)
    assert (marks(found, program), found.score, found.comment) == ([20, 19], 4, "Dry.")
    assert (found.is_changed, found.is_rejected, found.overall) == (True, True, None)
    last = Decision.objects.get(ratings__kind=RatingKind.PERFORMANCE)
    decision_undo(actor=moderator, decision_id=last.pk)
    found = own(fan, program)
    assert (found.is_changed, found.is_rejected, found.score) == (True, True, 4)  # the piece is still away
    submit(fan, program, 20, 19)
    assert (own(fan, program).is_changed, own(fan, program).is_rejected) == (False, False)


@pytest.mark.django_db
def test_a_mark_struck_since_outlives_the_rejection(fan, program):
    submit(fan, program, 20, 19)
    keep(fan, program, pieces={0: (25, 0)}, score=1)
    moderator = viewer_of(UserFactory(is_admin=True))
    for mark in PieceRating.objects.all():
        mark_reject(actor=moderator, kind=RatingKind.PIECE, mark_id=mark.pk)
    mark_reject(actor=moderator, kind=RatingKind.PERFORMANCE, mark_id=PerformanceRating.objects.get().pk)
    found = own(fan, program)
    assert (marks(found, program), found.score) == ([25, 19], 1)
    assert (found.is_submitted, found.is_changed) == (False, True)


@pytest.mark.django_db
def test_a_rating_that_its_author_deletes_is_gone_and_no_earlier_strike_brings_it_back(fan, program):
    submit(fan, program, 20, 19)
    rating_delete(actor=fan, session_participant_id=program[0].session_participant_id, user_id=fan.id)
    keep(fan, program, pieces={0: (21, 60)}, score=(5, 60))
    found = own(fan, program)
    assert (found.has_marks, found.comment, found.is_changed) == (False, "", False)


@pytest.mark.django_db
def test_what_a_moderator_deletes_stays_with_its_author(fan, program):
    submit(fan, program, 20, 19)
    moderator = viewer_of(UserFactory(is_admin=True))
    rating_delete(actor=moderator, session_participant_id=program[0].session_participant_id, user_id=fan.id)
    found = own(fan, program)
    assert (marks(found, program), found.is_changed, found.is_rejected) == ([20, 19], True, True)


@pytest.mark.django_db
def test_refusals_have_a_sentence_and_store_nothing(fan, program):
    coming = ProgramEntryFactory(session_participant__session__starts_at=EVENING)
    gone = ProgramEntryFactory()
    closed = UserFactory(is_active=False)
    with pytest.raises(ValidationError, match=r"You can rate once it begins\."):
        keep(fan, [coming], pieces={0: (3, 0)})
    appearance_id = gone.session_participant_id
    gone.session_participant.delete()
    with pytest.raises(ValidationError, match="not in the competition any more"):
        rating_keep(actor=fan, session_participant_id=appearance_id, strikes=Strikes(score=(3, 0)))
    for strikes in ({"pieces": {0: (26, 0)}}, {"pieces": {0: (-1, 0)}}, {"score": 6}):
        with pytest.raises(ValidationError, match="from 1 to 25"):
            keep(fan, program, **strikes)
    with pytest.raises(ValidationError, match="at most 2,000"):
        keep(fan, program, comment="a" * 2001)
    with pytest.raises(ValidationError, match="quick rating"):
        keep(fan, program, quick_rating="divine")
    for actor in (ANONYMOUS, OPERATOR, viewer_of(closed)):
        with pytest.raises(PermissionDenied):
            keep(actor, program, score=3)
    assert not RatingDraft.objects.exists()


@pytest.mark.django_db
def test_a_piece_that_has_left_the_program_is_named_and_the_others_are_kept(fan, program):
    program[1].delete()
    assert keep(fan, program, pieces={0: (21, 0), 1: (18, 0)}) == NOT_IN_PROGRAM
    assert marks(own(fan, program), program) == [21, 0]


@pytest.mark.django_db
def test_the_command_reads_the_form_and_a_full_limit_may_be_sent_again(fan, program):
    command, t = REGISTERED["rating_keep"], texts("en")
    argument = str(program[0].session_participant_id)
    fields = {f"piece-{program[0].piece_id}": "21", f"age-piece-{program[0].piece_id}": "1500", "comment": "Dry"}
    assert command.answer(fan, Arguments(argument, fields), t) == {"ok": True, "text": ""}
    found = own(fan, program)
    assert (marks(found, program), found.comment, found.sheet.score) == ([21, 0], "Dry", None)
    for _ in range(STRIKES.amount - 1):
        command.answer(fan, Arguments(argument, {"score": "3"}), t)
    with pytest.raises(TooMany) as refused:
        command.answer(fan, Arguments(argument, {"score": "5"}), t)
    answer = refusal_of(refused.value, command, t)
    assert (answer["ok"], answer["again"]) == (False, True)
    assert own(fan, program).score == 3


@pytest.mark.django_db
def test_sheets_are_in_the_download_and_go_with_the_account(fan, program):
    keep(fan, program, pieces={0: (21, 0)}, comment="Only mine")
    exported = account_ratings_export(fan.id)
    assert [row["comment"] for row in exported["rating_drafts"]] == ["Only mine"]
    assert [(row["piece"], row["score"]) for row in exported["draft_marks"]] == [(program[0].piece.name, 21)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "values",
    [
        {"score": 6},
        {"score": 3, "score_at": None},
        {"comment": "x", "comment_at": None},
        {"quick_rating": "divine"},
        {"comment": "a" * 2001},
    ],
)
def test_the_database_refuses_what_must_not_be(fan, program, values):
    keep(fan, program, score=1, comment="x", quick_rating="other")
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingDraft.objects.update(**values)


@pytest.mark.django_db(transaction=True)
def test_two_devices_at_once_lose_nothing(fan, program):
    def strike(number: int) -> None:
        try:
            keep(fan, program, pieces={number % 2: (number % 25 + 1, 100 - number)}, score=(number % 5 + 1, number))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(strike, range(40)))
    found = own(fan, program)
    assert marks(found, program) == [38 % 25 + 1, 39 % 25 + 1]
    assert found.score == 1  # number 0 is the latest
    assert RatingDraft.objects.count() == 1
