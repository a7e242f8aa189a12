"""Test the state of a performance for a member at every step from the first mark to the one that counts."""

from datetime import timedelta

import pytest
from django.db.models import F

from apps.accounts.models import User
from apps.ranking.own_states import own_states
from apps.ratings.enums import PerformanceState, RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.covering import ears_first_set, stage_figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_approve, mark_reject
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from tests.components.conftest import busy_session_with
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    ProgramEntryFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db


def test_state_follows_each_step_of_a_rating(django_assert_num_queries):
    """The account is two days old; marks of three performances count."""
    moderator, user = viewer_of(UserFactory(is_admin=True)), UserFactory()
    User.objects.filter(pk=user.pk).update(created_at=F("created_at") - timedelta(days=2))
    fan, appearances = viewer_of(user), busy_session_with(3, is_live=False).appearances
    first = appearances[0]
    session = first.session_id
    pieces = list(first.program.values_list("piece_id", flat=True))

    def state():
        own = own_states(user_id=fan.id, session_id=session)[first.pk]
        return own.state, own.marked

    def keep(**strikes):
        rating_keep(actor=fan, appearance_id=first.pk, strikes=Strikes(**strikes))

    def submit(appearance, mark):
        marks = dict.fromkeys(appearance.program.values_list("piece_id", flat=True), mark)
        ratings_submit(actor=fan, appearance_id=appearance.pk, pieces=marks, score=3, comment="So.")

    def approve():
        for kind, table in ((RatingKind.PIECE, PieceRating), (RatingKind.PERFORMANCE, PerformanceRating)):
            for mark in table.objects.filter(approved=False):
                mark_approve(actor=moderator, kind=kind, mark_id=mark.pk)

    assert state() == (PerformanceState.UNHEARD, 0)
    keep(comment=("Only words", 0))
    assert state() == (PerformanceState.UNHEARD, 0)
    keep(pieces={pieces[0]: (20, 0)})
    assert state() == (PerformanceState.MARKED, 1)
    submit(first, 20)
    assert state() == (PerformanceState.SUBMITTED, 2)
    keep(pieces={pieces[1]: (21, 0)})
    assert state() == (PerformanceState.CHANGED, 2)
    keep(pieces={pieces[1]: (20, 0)})
    approve()
    assert state() == (PerformanceState.SHOWN, 2)
    for number, other in enumerate(appearances[1:]):
        submit(other, 10 + number)
    approve()
    with django_assert_num_queries(6):
        assert state() == (PerformanceState.COUNTS, 2)
    keep(score=(5, 0))
    own = own_states(user_id=fan.id, session_id=session)[first.pk]
    assert (own.state, own.standing.mark) == (PerformanceState.CHANGED, 20.0)
    ratings_submit(actor=fan, appearance_id=first.pk, pieces={pieces[0]: 20}, score=5, comment="So.")
    assert state() == (PerformanceState.SUBMITTED, 2)
    mark_reject(actor=moderator, kind=RatingKind.PERFORMANCE, mark_id=PerformanceRating.objects.get(score=5).pk)
    assert state() == (PerformanceState.CHANGED, 2)


def test_performance_that_has_not_begun_is_to_come():
    entry = ProgramEntryFactory(appearance__session__starts_at=EVENING)
    user = UserFactory()
    PieceRating.objects.create(user=user, appearance=entry.appearance, piece=entry.piece, score=3, approved=True)
    [own] = own_states(user_id=user.pk, session_id=entry.appearance.session_id).values()
    assert own.state == PerformanceState.TO_COME


def test_new_performances_are_covered_while_blind_first_is_on():
    fan, session, person = viewer_of(UserFactory()), SessionFactory(), ParticipantFactory()
    pages = ({"session_id": session.pk}, {"participant_id": person.pk}, {"stage_id": session.stage_id})
    assert [own_states(user_id=fan.id, **page).covers_more for page in pages] == [True] * 3
    first = AppearanceFactory(session=session, participant=person)
    stage_figures_show(actor=fan, stage_id=session.stage_id)
    # a performer may play in another stage
    assert [own_states(user_id=fan.id, **page).covers_more for page in pages] == [False, True, False]
    assert not own_states(user_id=fan.id, participant_id=person.pk)[first.pk].is_covered
    ears_first_set(actor=fan, ears_first=False)
    assert [own_states(user_id=fan.id, **page).covers_more for page in pages] == [False] * 3
