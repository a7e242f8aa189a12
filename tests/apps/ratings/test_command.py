"""Test `manage.py ratings`: its arguments and output."""

import pytest
from django.core.management import CommandError, call_command

from apps.ratings.models import PerformanceRating, PieceRating
from tests.factories import (
    EVENING,
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ratings(capsys):
    def run(*words):
        call_command("ratings", *words)
        return capsys.readouterr().out

    return run


def test_list_prints_waiting_ratings(ratings):
    appearance = AppearanceFactory(session__title="Stage I", participant__name="Ewa Nowak")
    user, moment = UserFactory(username="una_corda"), {"updated_at": EVENING}
    piece = PieceFactory(name="Scherzo in E major, Op. 54")
    mark = PieceRatingFactory(user=user, appearance=appearance, piece=piece, **moment)
    whole = PerformanceRatingFactory(user=user, appearance=appearance, comment="One.\nTwo.", **moment)
    PieceRatingFactory(approved=True)
    by = "by una_corda, 2027-10-12 17:00"
    assert ratings("list") == (
        f"performance-{whole.pk}  4 of 5  the whole performance  Ewa Nowak, Stage I  {by}\n    One. Two.\n"
        f"piece-{mark.pk}  20 of 25  Scherzo in E major, Op. 54  Ewa Nowak, Stage I  {by}\n"
        "Waiting: 1 of pieces, 1 of performances.\n"
    )


def test_approve_and_reject_accept_several_marks_of_both_kinds(ratings):
    marks, wholes = [PieceRatingFactory() for _ in range(2)], [PerformanceRatingFactory() for _ in range(2)]
    first, second = (f"piece-{mark.pk}" for mark in marks)
    third, fourth = (f"performance-{whole.pk}" for whole in wholes)
    assert ratings("approve", first, third) == (
        f"{first}: Piece rating approved successfully.\n{third}: Performance rating approved successfully.\n"
    )
    assert ratings("reject", second, fourth) == (
        f"{second}: Piece rating rejected successfully.\n{fourth}: Performance rating rejected successfully.\n"
    )
    assert list(PieceRating.objects.values_list("pk", "approved")) == [(marks[0].pk, True)]
    assert list(PerformanceRating.objects.values_list("pk", "approved")) == [(wholes[0].pk, True)]


def test_decided_ratings_and_invalid_arguments_change_no_rating(ratings):
    mark, waiting = PieceRatingFactory(approved=True), PieceRatingFactory(pk=7)
    for word in ("approve", "reject"):
        with pytest.raises(CommandError, match=f"piece-{mark.pk}: This rating has been decided already"):
            ratings(word, f"piece-{mark.pk}")
    with pytest.raises(CommandError, match="decided already"):
        ratings("approve", "performance-987654")
    for words in ((), ("approve",), ("approve", "7"), ("reject", "song-7"), ("applaud",)):
        with pytest.raises((CommandError, SystemExit)):
            ratings(*words)
    assert dict(PieceRating.objects.values_list("pk", "approved")) == {mark.pk: True, waiting.pk: False}
