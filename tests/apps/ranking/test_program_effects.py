"""Test the question before a program change: it names the listeners with marks that start or stop counting."""

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


@pytest.fixture
def there():
    """A program of four with the marks of one listener for the first two pieces, of another for the first."""
    (appearance,) = stage_of(1, pieces=4)
    half, quarter = listeners(2)
    give(half, [appearance], [20], pieces=2)
    give(quarter, [appearance], [20], pieces=1)
    return appearance, half, quarter


def asked(act):
    with pytest.raises(ConfirmationNeeded) as question, transaction.atomic():
        act()
    return question.value.messages


def test_a_longer_program_stops_marks_from_counting(admin, there):
    appearance, half, _ = there
    more = PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54")
    select = {"actor": admin, "appearance_id": appearance.pk, "piece_id": more.pk}
    assert asked(lambda: program_select(**select)) == [STOP.format(half.username)]
    program_select(**select, confirmed=True)
    assert PieceRating.objects.count() == 3


def test_a_shorter_program_lets_marks_count_and_says_what_else_goes(admin, there):
    appearance, half, quarter = there
    first, _, third, last = appearance.program.order_by("order_number")
    program_entry_remove(actor=admin, entry_id=last.pk)  # half of three is two
    assert asked(lambda: program_entry_remove(actor=admin, entry_id=third.pk)) == [START.format(quarter.username)]
    assert asked(lambda: program_entry_remove(actor=admin, entry_id=first.pk)) == [
        f"{first.piece.name} would leave the program, with its ratings: 2."
    ]
    assert half.username != quarter.username


def test_of_many_only_some_are_named(admin):
    (appearance,) = stage_of(1, pieces=4)
    users = listeners(12)
    for user in users:
        give(user, [appearance], [20], pieces=2)
    more = PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54")
    (said,) = asked(lambda: program_select(actor=admin, appearance_id=appearance.pk, piece_id=more.pk))
    assert said.endswith(", +2.")


def test_the_final_ranking_of_a_stage_is_not_spoken_of(admin, there):
    appearance, _, _ = there
    numbers = dict.fromkeys(NotCounted.values, 0)
    final = {"stage_id": appearance.session.stage_id, "method": 1, "digest": "0" * 64, "raters": 0, "marks": 0}
    RankingRun.objects.create(**final, **numbers, file=b"", is_final=True, final_at=timezone.now())
    more = PieceFactory(category="scherzo", name="Scherzo in E major, Op. 54")
    program_select(actor=admin, appearance_id=appearance.pk, piece_id=more.pk)
    with pytest.raises(ValidationError):
        program_select(actor=admin, appearance_id=appearance.pk, piece_id=0)
