"""Test the confirmation of a program change: it names the listeners with marks that start or stop counting."""

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from apps.competition.services.programs import program_entry_remove, program_select
from apps.core.edits import ConfirmationNeeded
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingRun
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import give, listeners, stage_of
from tests.factories import PieceFactory

pytestmark = pytest.mark.django_db
STOP = "Marks of less than half of the program would stop counting in the ranking: {}."
START = "Marks of half of the program and more would start counting in the ranking: {}."


def more_music():
    return PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54")


@pytest.fixture
def marked():
    """Return a program of four pieces, a listener who marked the first two, and one who marked the first."""
    (appearance,) = stage_of(1, pieces=4)
    half, quarter = listeners(2)
    give(half, [appearance], [20], pieces=2)
    give(quarter, [appearance], [20], pieces=1)
    return appearance, half, quarter


def question_of(act):
    """Return the question that the act raises instead of writing."""
    with pytest.raises(ConfirmationNeeded) as question, transaction.atomic():
        act()
    return question.value.messages


def test_longer_program_stops_marks_from_counting(admin, marked):
    appearance, half, _ = marked
    select = {"actor": admin, "appearance_id": appearance.pk, "piece_id": more_music().pk}
    assert question_of(lambda: program_select(**select)) == [STOP.format(half.username)]
    program_select(**select, confirmed=True)
    assert PieceRating.objects.count() == 3


def test_shorter_program_lets_marks_count(admin, marked):
    appearance, half, quarter = marked
    first, _, third, last = appearance.program.order_by("order_number")
    program_entry_remove(actor=admin, entry_id=last.pk)  # half of three is two
    assert question_of(lambda: program_entry_remove(actor=admin, entry_id=third.pk)) == [START.format(quarter.username)]
    assert question_of(lambda: program_entry_remove(actor=admin, entry_id=first.pk)) == [
        f"{first.piece.name} would leave the program, with its ratings: 2."
    ]
    assert half.username != quarter.username


def test_confirmation_names_ten_listeners_at_most(admin):
    (appearance,) = stage_of(1, pieces=4)
    users = listeners(12)
    for user in users:
        give(user, [appearance], [20], pieces=2)
    more = more_music()
    (question,) = question_of(lambda: program_select(actor=admin, appearance_id=appearance.pk, piece_id=more.pk))
    assert question.endswith(", +2.")


def test_closed_ranking_needs_no_question_of(admin, marked):
    appearance, _, _ = marked
    numbers = dict.fromkeys(NotCounted.values, 0)
    final = {"stage_id": appearance.session.stage_id, "method": 1, "digest": "0" * 64, "raters": 0, "marks": 0}
    RankingRun.objects.create(**final, **numbers, file=b"", is_final=True, final_at=timezone.now())
    program_select(actor=admin, appearance_id=appearance.pk, piece_id=more_music().pk)
    with pytest.raises(ValidationError):
        program_select(actor=admin, appearance_id=appearance.pk, piece_id=0)
