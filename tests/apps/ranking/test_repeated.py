"""Test that no ranking contains repeated performances: marks, runs, files, standings, the ledger, program changes."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance
from apps.competition.services.programs import program_entry_remove
from apps.competition.services.repeated import appearance_count
from apps.ranking.counting import Standing
from apps.ranking.enums import AfterClosing, NotCounted
from apps.ranking.ledger import ledger_get
from apps.ranking.selectors import own_standings, places_of_participant, ranking_get, run_get, stage_counting
from apps.ranking.selectors.files import marks_file, ranking_json
from apps.ranking.services import ranking_close, ranking_compute, ranking_reopen
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import give, later, listeners, stage_of
from tests.apps.ranking.test_publication import unpacked
from tests.factories import AppearanceFactory, ProgramEntryFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db
REPEATED = Standing(NotCounted.REPEATED)


@pytest.fixture
def again(appearances):
    """Return a second performance of the first participant, rated by all twelve listeners."""
    first = appearances[0]
    session = SessionFactory(stage=first.session.stage, title="Once more")
    made = AppearanceFactory(session=session, participant=first.participant, is_repeated=True)
    ProgramEntryFactory.create_batch(2, appearance=made)
    for user_id in PieceRating.objects.values_list("user_id", flat=True).distinct():
        PieceRating.objects.bulk_create(
            PieceRating(user_id=user_id, appearance=made, piece_id=piece_id, score=25, approved=True)
            for piece_id in made.program.values_list("piece_id", flat=True)
        )
    return made


def listed(stage_id):
    """Return the performances of the ranking's page, of its table for programs, and of the stored file of marks."""
    page = {row.appearance.id for row in ranking_get(stage_id=stage_id).page().rows}
    table = {row["performer"] for row in ranking_json(stage_id=stage_id)["rows"]}
    return page, table, {line["performer"] for line in unpacked(marks_file(stage_id=stage_id, is_operator=True))}


def test_repeated_performance_is_in_no_ranking(appearances, stage_id, again):
    ranking_compute(stage_id=stage_id)
    page, table, file = listed(stage_id)
    assert page == {each.pk for each in appearances}
    label = f"{again.participant.name} (Once more)"
    assert label not in table | file
    assert len(table) == len(file) == 5
    run = run_get(stage_id=stage_id)
    assert (run.marks, run.not_counted[NotCounted.REPEATED]) == (60, 12)
    assert places_of_participant(participant_id=again.participant_id).keys() == {appearances[0].pk}


def test_choice_of_another_performance_changes_the_next_ranking(appearances, stage_id, again, listener):
    ranking_compute(stage_id=stage_id)
    listener.heard()
    appearance_count(actor=OPERATOR, appearance_id=again.pk)
    assert f"stage.{stage_id}.ratings" in listener.heard()
    every = {again.pk, *(each.pk for each in appearances)}
    assert listed(stage_id)[0] == every, "both until the next computation"
    ranking_compute(stage_id=stage_id)
    assert listed(stage_id)[0] == every - {appearances[0].pk}
    assert places_of_participant(participant_id=again.participant_id)[again.pk].rank == 1


def test_repeated_performance_does_not_count_towards_three(again):
    appearances = stage_of(2)
    (user,) = listeners(1)
    give(user, [again], [25])
    assert own_standings(user_id=user.pk) == {again.pk: REPEATED}
    third = AppearanceFactory(session=appearances[0].session, is_repeated=True)
    ProgramEntryFactory.create_batch(2, appearance=third)
    give(user, [*appearances, third], [3, 4, 5])
    standings = own_standings(user_id=user.pk)
    assert [standings[each.pk] for each in appearances] == [Standing(NotCounted.FEW, missing=1)] * 2
    assert standings[third.pk] == REPEATED
    assert stage_counting(stage_id=third.session.stage_id).not_counted[NotCounted.REPEATED] == 1


def test_repeated_is_the_first_reason():
    (appearance,) = stage_of(1, pieces=5)
    Appearance.objects.update(is_repeated=True)
    for user, pieces in zip(listeners(2), (5, 1), strict=True):
        give(user, [appearance], [10], pieces=pieces, approved=False)
        assert own_standings(user_id=user.pk) == {appearance.pk: REPEATED}


def test_closed_ranking_keeps_the_counted_performance(appearances, stage_id, again):
    ranking_compute(stage_id=stage_id)
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    user_id = PieceRating.objects.values_list("user_id", flat=True).first()
    appearance_count(actor=OPERATOR, appearance_id=again.pk)
    ranking_compute(stage_id=stage_id)
    assert listed(stage_id)[0] == {again.pk, *(each.pk for each in appearances)}
    standings = own_standings(user_id=user_id)
    assert standings[appearances[0].pk].counts
    assert standings[again.pk] == Standing(after_closing=AfterClosing.DUE)
    appearance_count(actor=OPERATOR, appearance_id=appearances[0].pk)
    assert own_standings(user_id=user_id)[again.pk] == REPEATED
    PieceRating.objects.filter(appearance=again).update(updated_at=later(appearances, days=9000))
    assert own_standings(user_id=user_id)[again.pk] == REPEATED, "this reason precedes AfterClosing.GIVEN"
    ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    ranking_compute(stage_id=stage_id)
    assert listed(stage_id)[0] == {each.pk for each in appearances}


def test_ledger_shows_a_repeated_performance_without_a_rank(appearances, again):
    user = UserFactory()
    give(user, [*appearances[:2], again], [10, 12, 25])
    (stage,) = ledger_get(account_id=user.pk)
    shown = {row.place.id: (row.mean, row.rank) for row in stage.rows}
    assert shown == {appearances[0].pk: (10, 2), appearances[1].pk: (12, 1), again.pk: (25, None)}


def test_program_of_a_repeated_performance_changes_without_confirmation(admin):
    (appearance,) = stage_of(1, pieces=3)
    (user,) = listeners(1)
    give(user, [appearance], [10], pieces=1)
    Appearance.objects.update(is_repeated=True)
    last = appearance.program.order_by("order_number").last()
    program_entry_remove(actor=admin, entry_id=last.pk)
    assert appearance.program.count() == 2
