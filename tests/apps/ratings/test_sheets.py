"""Test sheets: each strike is stored, the latest of each field wins, and members restore submitted values."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
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
from apps.ratings.services.drafts import (
    NOT_IN_PROGRAM,
    NOTHING_SENT,
    RESTORED,
    SENT_STAYS,
    WITHDRAWN,
    Kept,
    rating_keep,
    rating_restore,
)
from apps.ratings.services.moderation import mark_reject, rating_delete
from apps.ratings.services.rating_moderation import decision_undo
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import ratings_submit
from tests.factories import EVENING, ProgramEntryFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def keep(fan: Any, program: Any, **strikes: Any) -> Kept:
    """Keep these strikes of the performance; `pieces` are marks with ages by place in the program."""
    pieces = {program[place].piece_id: struck for place, struck in strikes.pop("pieces", {}).items()}
    strikes = {name: value if isinstance(value, tuple) else (value, 0) for name, value in strikes.items()}
    return rating_keep(actor=fan, appearance_id=program[0].appearance_id, strikes=Strikes(pieces, **strikes))


def own(fan: Any, program: Any) -> OwnRatings:
    """Return the fan's ratings of the performance."""
    appearance = program[0].appearance
    return ratings_own(user_id=fan.id, session_id=appearance.session_id).get(appearance.pk, OwnRatings())


def submit(fan: Any, program: Any, *marks: int, score: int = 4, age: float = 0) -> None:
    """Submit these marks of the pieces; `age` are the seconds since the press."""
    pieces = {entry.piece_id: mark for entry, mark in zip(program, marks, strict=False)}
    appearance_id = program[0].appearance_id
    ratings_submit(actor=fan, appearance_id=appearance_id, pieces=pieces, score=score, comment="Dry.", age=age)


def marks(own_ratings: OwnRatings, program: Any) -> list[int]:
    """Return the latest mark of each piece in the order of the program, 0 without one."""
    return [own_ratings.marks.get(entry.piece_id, 0) for entry in program]


def test_strikes_are_stored_without_a_submit(fan, program):
    for strikes in (
        {"pieces": {0: (21, 0)}},
        {"pieces": {1: (18, 0)}, "score": 4},
        {"comment": "  Like\r\nweather ", "quick_rating": "other"},
    ):
        assert keep(fan, program, **strikes).refusal == ""
    rating = own(fan, program)
    assert marks(rating, program) == [21, 18]
    assert (rating.score, rating.comment, rating.quick_rating) == (4, "Like\nweather", "other")
    assert (rating.has_marks, rating.is_submitted, rating.is_changed) == (True, False, False)
    assert not PieceRating.objects.exists()
    assert not PerformanceRating.objects.exists()


def test_older_strike_of_another_device_is_dropped(fan, program):
    keep(fan, program, pieces={0: (21, 5)}, score=(4, 60), comment=("Late", 5))
    older = {"pieces": {0: (3, 90), 1: (18, 90)}, "score": (2, 30), "comment": ("Early", 90)}
    assert keep(fan, program, **older).older == (program[0].piece_id, "comment")
    rating = own(fan, program)
    assert marks(rating, program) == [21, 18]
    assert (rating.score, rating.comment) == (2, "Late")
    keep(fan, program, pieces={0: (0, 0), 1: (0, 0)}, score=0)
    rating = own(fan, program)
    assert (marks(rating, program), rating.has_marks) == ([0, 0], False), "the marks were removed"


STRUCK = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 25), st.integers(0, 200_000)), min_size=1, max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(struck=STRUCK)
def test_latest_strike_of_each_field_wins(fan, program, struck):
    """Each strike comes with its age in seconds; of two of one age, the one that comes later wins."""
    DraftMark.objects.all().delete()
    latest: dict[int, tuple[int, int]] = {}
    for place, mark, age in struck:
        appearance_id = program[0].appearance_id
        strikes_write(fan.id, appearance_id, Strikes({program[place].piece_id: (mark, age)}))
        if place not in latest or age <= latest[place][0]:
            latest[place] = (age, mark)
    assert marks(own(fan, program), program) == [latest.get(place, (0, 0))[1] for place in (0, 1)]


def test_submit_keeps_strikes_after_the_press_and_drops_earlier_ones(fan, program):
    keep(fan, program, pieces={0: (20, 9), 1: (22, 3)})
    submit(fan, program, 21, 19, age=6)
    assert marks(own(fan, program), program) == [21, 22]
    assert own(fan, program).is_changed
    submit(fan, program, 20, 19)
    keep(fan, program, pieces={0: (21, 60)}, score=(5, 60))
    rating = own(fan, program)
    assert (marks(rating, program), rating.score) == ([20, 19], 4)
    assert (rating.is_submitted, rating.is_changed) == (True, False)


def test_rating_is_changed_until_its_strikes_equal_the_submitted_values(fan, program):
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


def test_submitted_mark_cannot_be_removed(fan, program):
    submit(fan, program[:1], 20)
    keep(fan, program, pieces={0: (22, 0), 1: (18, 0)})
    removed = {0: (0, 0), 1: (0, 0)}
    assert keep(fan, program, pieces=removed, comment="Wet.") == Kept(SENT_STAYS, (program[0].piece_id,))
    assert (marks(own(fan, program), program), own(fan, program).comment) == ([22, 0], "Wet.")


def reject(moderator: Any, *pieces: PieceRating) -> None:
    """Reject these marks of pieces, and the mark of the whole performance."""
    for piece in pieces:
        mark_reject(actor=moderator, kind=RatingKind.PIECE, mark_id=piece.pk)
    mark_reject(actor=moderator, kind=RatingKind.PERFORMANCE, mark_id=PerformanceRating.objects.get().pk)


def test_rejected_marks_stay_on_the_sheet_until_the_undo(fan, program, admin):
    submit(fan, program, 20, 19)
    RatingDraft.objects.all().delete()  # as submitted before sheets existed
    reject(admin, PieceRating.objects.get(piece=program[0].piece_id))
    rating = own(fan, program)
    assert (marks(rating, program), rating.score, rating.comment) == ([20, 19], 4, "Dry.")
    assert (rating.is_changed, rating.is_rejected, rating.overall) == (True, True, None)
    last = Decision.objects.get(ratings__kind=RatingKind.PERFORMANCE)
    decision_undo(actor=admin, decision_id=last.pk)
    rating = own(fan, program)
    assert (rating.is_changed, rating.is_rejected, rating.score) == (True, True, 4), "the piece is still rejected"
    submit(fan, program, 20, 19)
    assert (own(fan, program).is_changed, own(fan, program).is_rejected) == (False, False)


def test_later_strikes_outlive_a_rejection(fan, program, admin):
    submit(fan, program, 20, 19)
    keep(fan, program, pieces={0: (25, 0)}, score=1)
    reject(admin, *PieceRating.objects.all())
    rating = own(fan, program)
    assert (marks(rating, program), rating.score) == ([25, 19], 1)
    assert (rating.is_submitted, rating.is_changed) == (False, True)


def test_deletion_clears_the_sheet_for_authors_and_keeps_it_for_moderators(fan, program, admin):
    delete = partial(rating_delete, appearance_id=program[0].appearance_id, user_id=fan.id)
    submit(fan, program, 20, 19)
    delete(actor=admin)
    rating = own(fan, program)
    assert (marks(rating, program), rating.is_changed, rating.is_rejected) == ([20, 19], True, True)
    submit(fan, program, 20, 19)
    delete(actor=fan)
    keep(fan, program, pieces={0: (21, 60)}, score=(5, 60))
    rating = own(fan, program)
    assert (rating.has_marks, rating.comment, rating.is_changed) == (False, "", False)


def test_invalid_strikes_are_refused(fan, program):
    coming = ProgramEntryFactory(appearance__session__starts_at=EVENING)
    with pytest.raises(ValidationError, match=r"You can rate once it begins\."):
        keep(fan, [coming], pieces={0: (3, 0)})
    with pytest.raises(ValidationError, match="not in the competition any more"):
        rating_keep(actor=fan, appearance_id=10**9, strikes=Strikes(score=(3, 0)))
    for strikes, sentence in (
        ({"pieces": {0: (26, 0)}}, "from 1 to 25"),
        ({"pieces": {0: (-1, 0)}}, "from 1 to 25"),
        ({"score": 6}, "from 1 to 25"),
        ({"comment": "a" * 2001}, "at most 2,000"),
        ({"quick_rating": "divine"}, "quick rating"),
    ):
        with pytest.raises(ValidationError, match=sentence):
            keep(fan, program, **strikes)
    for actor in (ANONYMOUS, OPERATOR, viewer_of(UserFactory(is_active=False))):
        with pytest.raises(PermissionDenied):
            keep(actor, program, score=3)
    assert not RatingDraft.objects.exists()


def test_mark_of_a_piece_outside_the_program_is_refused_and_others_are_stored(fan, program):
    program[1].delete()
    assert keep(fan, program, pieces={0: (21, 0), 1: (18, 0)}).refusal == NOT_IN_PROGRAM
    assert marks(own(fan, program), program) == [21, 0]


def test_command_reads_the_form_and_allows_a_retry_after_the_rate_limit(fan, program):
    command, t = REGISTERED["rating_keep"], texts("en")
    argument = str(program[0].appearance_id)
    fields = {f"piece-{program[0].piece_id}": "21", f"age-piece-{program[0].piece_id}": "1500", "comment": "Dry"}
    assert command.answer(fan, Arguments(argument, fields), t) == {"ok": True, "text": ""}
    rating = own(fan, program)
    assert (marks(rating, program), rating.comment, rating.sheet.score) == ([21, 0], "Dry", None)
    for _ in range(STRIKES.amount - 1):
        command.answer(fan, Arguments(argument, {"score": "3"}), t)
    with pytest.raises(TooMany) as refusal:
        command.answer(fan, Arguments(argument, {"score": "5"}), t)
    answer = refusal_of(refusal.value, command, t)
    assert (answer["ok"], answer["again"]) == (False, True)
    assert own(fan, program).score == 3


def test_sheets_are_exported(fan, program):
    keep(fan, program, pieces={0: (21, 0)}, comment="Only mine")
    exported = account_ratings_export(fan.id)
    assert [row["comment"] for row in exported["rating_drafts"]] == ["Only mine"]
    assert [(row["piece"], row["score"]) for row in exported["draft_marks"]] == [(program[0].piece.name, 21)]


def test_database_refuses_invalid_sheets(fan, program):
    keep(fan, program, score=1, comment="x", quick_rating="other")
    without_time = [{"score": 3, "score_at": None}, {"comment": "x", "comment_at": None}]
    for values in (*without_time, {"score": 6}, {"quick_rating": "divine"}, {"comment": "a" * 2001}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RatingDraft.objects.update(**values)


@pytest.mark.django_db(transaction=True)
def test_concurrent_strikes_of_two_devices_are_all_stored(fan, program):
    def strike(number: int) -> None:
        try:
            keep(fan, program, pieces={number % 2: (number % 25 + 1, 100 - number)}, score=(number % 5 + 1, number))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(strike, range(16)))
    rating = own(fan, program)
    assert marks(rating, program) == [14 + 1, 15 + 1]
    assert rating.score == 1  # number 0 is the latest
    assert RatingDraft.objects.count() == 1


def restore(fan: Any, program: Any, age: float = 0.0) -> str:
    return rating_restore(actor=fan, appearance_id=program[0].appearance_id, age=age)


def test_restore_returns_all_fields_to_the_submitted_values(fan, program):
    submit(fan, program[:1], 20)
    assert not own(fan, program).is_restorable
    keep(fan, program, pieces={0: (21, 0), 1: (18, 0)}, score=1, comment="Wet.", quick_rating="other")
    assert own(fan, program).is_restorable
    assert [restore(fan, program), restore(fan, program)] == [RESTORED, RESTORED]
    rating = own(fan, program)
    assert (marks(rating, program), rating.score, rating.comment, rating.quick_rating) == ([20, 0], 4, "Dry.", "")
    assert (rating.is_submitted, rating.is_changed, rating.is_restorable) == (True, False, False)
    assert set(DraftMark.objects.values_list("blind", flat=True)) == {False, True}, "blindness is of the first strike"


def test_restore_keeps_strikes_after_the_press_and_drops_earlier_ones(fan, program):
    submit(fan, program, 20, 19, age=60)
    keep(fan, program, pieces={0: (21, 30), 1: (18, 2)})
    restore(fan, program, age=9)
    keep(fan, program, pieces={0: (22, 20)}, score=(1, 20))
    rating = own(fan, program)
    assert (marks(rating, program), rating.score) == ([20, 18], 4)
    assert rating.is_restorable


def test_restore_keeps_rejected_marks_as_submitted(fan, program, admin):
    submit(fan, program, 20, 19)
    reject(admin, PieceRating.objects.get(score=20))
    assert (own(fan, program).is_changed, own(fan, program).is_restorable) == (True, False)
    keep(fan, program, pieces={1: (25, 0)})
    assert own(fan, program).is_restorable
    restore(fan, program)
    rating = own(fan, program)
    assert (marks(rating, program), rating.score, rating.comment) == ([20, 19], 4, "Dry.")
    assert (rating.is_changed, rating.is_rejected, rating.is_restorable) == (True, True, False)


def test_restore_removes_a_mark_struck_after_its_rejection(fan, program, admin):
    submit(fan, program, 20, 19)
    mark_reject(actor=admin, kind=RatingKind.PIECE, mark_id=PieceRating.objects.get(score=20).pk)
    keep(fan, program, pieces={0: (25, 0)})
    restore(fan, program)
    assert marks(own(fan, program), program) == [0, 19]


def test_restore_is_refused_without_a_submitted_rating(fan, program):
    keep(fan, program, pieces={0: (20, 0)})
    with pytest.raises(ValidationError, match=NOTHING_SENT):
        restore(fan, program)
    assert marks(own(fan, program), program) == [20, 0]
    for actor in (ANONYMOUS, OPERATOR, viewer_of(UserFactory(is_active=False))):
        with pytest.raises(PermissionDenied):
            restore(actor, program)
    submit(fan, program, 20)
    with pytest.raises(ValidationError, match=NOTHING_SENT):
        restore(viewer_of(UserFactory()), program)  # of another account
    with pytest.raises(ValidationError, match=WITHDRAWN):
        rating_restore(actor=fan, appearance_id=10**9)


def test_command_reads_the_age_of_the_press(fan, program):
    submit(fan, program, 20, age=60)
    keep(fan, program, pieces={0: (21, 30)}, score=(1, 2))
    arguments = Arguments(str(program[0].appearance_id), {"age": "9000"})
    answer = REGISTERED["rating_restore"].answer(fan, arguments, texts("en"))
    assert answer == {"ok": True, "text": RESTORED}
    rating = own(fan, program)
    assert (marks(rating, program), rating.score) == ([20, 0], 1)
