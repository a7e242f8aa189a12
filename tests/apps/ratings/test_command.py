"""Test `manage.py ratings`: an operator's input and the terminal's output."""

import pytest
from django.core.management import CommandError, call_command

from apps.ratings.models import PerformanceRating, PieceRating
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
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


def test_list_shows_what_waits_with_its_name_and_comment(ratings):
    appearance = AppearanceFactory(
        session__title="Stage I", participant=ParticipantFactory(first_name="Ewa", second_name="Nowak")
    )
    user, moment = UserFactory(username="una_corda"), {"updated_at": EVENING}
    piece = PieceFactory(name="Scherzo in E major, Op. 54")
    mark = PieceRatingFactory(user=user, session_participant=appearance, piece=piece, **moment)
    whole = PerformanceRatingFactory(user=user, session_participant=appearance, comment="One.\nTwo.", **moment)
    PieceRatingFactory(approved=True)
    by = "by una_corda, 2027-10-12 17:00"
    assert ratings("list") == (
        f"performance-{whole.pk}  4 of 5  the whole performance  Ewa Nowak, Stage I  {by}\n    One. Two.\n"
        f"piece-{mark.pk}  20 of 25  Scherzo in E major, Op. 54  Ewa Nowak, Stage I  {by}\n"
        "Waiting: 1 of pieces, 1 of performances.\n"
    )


def test_approve_and_reject_take_several_of_both_kinds(ratings):
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


def test_what_was_decided_is_said_and_stays(ratings):
    mark = PieceRatingFactory(approved=True)
    for word in ("approve", "reject"):
        with pytest.raises(CommandError, match=f"piece-{mark.pk}: This rating has been decided already"):
            ratings(word, f"piece-{mark.pk}")
    with pytest.raises(CommandError, match="decided already"):
        ratings("approve", "performance-987654")
    assert PieceRating.objects.get().approved


@pytest.mark.parametrize("words", [(), ("approve",), ("approve", "7"), ("reject", "song-7"), ("applaud",)])
def test_what_it_does_not_understand_it_does_not_do(ratings, words):
    mark = PieceRatingFactory(pk=7)
    with pytest.raises((CommandError, SystemExit)):
        ratings(*words)
    mark.refresh_from_db()
    assert not mark.approved
