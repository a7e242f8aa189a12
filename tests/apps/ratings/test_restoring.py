"""Test that a member can restore changed marks to the submitted ones."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.core.commands import REGISTERED, Arguments
from apps.core.texts import texts
from apps.ratings.enums import RatingKind
from apps.ratings.models import DraftMark, PieceRating
from apps.ratings.services.drafts import NOTHING_SENT, RESTORED, WITHDRAWN, rating_restore
from apps.ratings.services.moderation import mark_reject
from tests.apps.ratings.test_keeping import keep, marks, own, reject, submit
from tests.factories import UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def restore(fan: Any, program: Any, age: float = 0.0) -> str:
    return rating_restore(actor=fan, session_participant_id=program[0].session_participant_id, age=age)


def test_restore_returns_all_fields_to_the_submitted_values(fan, program):
    submit(fan, program[:1], 20)
    assert not own(fan, program).is_restorable
    keep(fan, program, pieces={0: (21, 0), 1: (18, 0)}, score=1, comment="Wet.", quick_rating="other")
    assert own(fan, program).is_restorable
    assert [restore(fan, program), restore(fan, program)] == [RESTORED, RESTORED]
    found = own(fan, program)
    assert (marks(found, program), found.score, found.comment, found.quick_rating) == ([20, 0], 4, "Dry.", "")
    assert (found.is_submitted, found.is_changed, found.is_restorable) == (True, False, False)
    assert set(DraftMark.objects.values_list("blind", flat=True)) == {False, True}, "blindness is of the first strike"


def test_restore_keeps_strikes_after_the_press_and_drops_earlier_ones(fan, program):
    submit(fan, program, 20, 19, age=60)
    keep(fan, program, pieces={0: (21, 30), 1: (18, 2)})
    restore(fan, program, age=9)
    keep(fan, program, pieces={0: (22, 20)}, score=(1, 20))
    found = own(fan, program)
    assert (marks(found, program), found.score) == ([20, 18], 4)
    assert found.is_restorable


def test_restore_keeps_rejected_marks_as_submitted(fan, program, admin):
    submit(fan, program, 20, 19)
    reject(admin, PieceRating.objects.get(score=20))
    assert (own(fan, program).is_changed, own(fan, program).is_restorable) == (True, False)
    keep(fan, program, pieces={1: (25, 0)})
    assert own(fan, program).is_restorable
    restore(fan, program)
    found = own(fan, program)
    assert (marks(found, program), found.score, found.comment) == ([20, 19], 4, "Dry.")
    assert (found.is_changed, found.is_rejected, found.is_restorable) == (True, True, False)


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
        rating_restore(actor=fan, session_participant_id=10**9)


def test_command_reads_the_age_of_the_press(fan, program):
    submit(fan, program, 20, age=60)
    keep(fan, program, pieces={0: (21, 30)}, score=(1, 2))
    arguments = Arguments(str(program[0].session_participant_id), {"age": "9000"})
    answer = REGISTERED["rating_restore"].answer(fan, arguments, texts("en"))
    assert answer == {"ok": True, "text": RESTORED}
    found = own(fan, program)
    assert (marks(found, program), found.score) == ([20, 0], 1)
