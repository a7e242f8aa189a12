"""Lists of ratings: what is in them for whom, in which order, continued without a gap."""

from datetime import timedelta

import pytest

from apps.competition.selectors import PieceTitle
from apps.core.database.paging import Cursor
from apps.ratings import selectors
from apps.ratings.enums import RatingKind
from apps.ratings.selectors import OwnPerformance, OwnPiece, OwnRatings, RatingShown
from tests.factories import (
    EVENING,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    UserFactory,
)

PIECE, PERFORMANCE = RatingKind.PIECE, RatingKind.PERFORMANCE


def names(ratings):
    return [(rating.kind, rating.id) for rating in ratings]


def at(minutes):
    moment = EVENING + timedelta(minutes=minutes)
    return {"created_at": moment, "updated_at": moment}


@pytest.mark.django_db
def test_a_rating_is_shown_with_who_gave_it_to_whom_and_for_what():
    piece = PieceFactory(name="Nocturne in B major, Op. 9 No. 3", opus="9", number=3, key="B major", title="Nocturne")
    user = UserFactory(username="una_corda", avatar_url="/static/u.svg")
    appearance = AppearanceFactory(participant=ParticipantFactory(avatar_url="/static/z.svg"), session__title="Evening")
    mark = PieceRatingFactory(user=user, session_participant=appearance, piece=piece, score=23, approved=True, **at(0))
    whole = PerformanceRatingFactory(user=user, session_participant=appearance, approved=True, **at(1))
    same = {
        "approved": True,
        "author_id": user.pk,
        "author": "una_corda",
        "author_avatar_url": "/static/u.svg",
        "participant_id": appearance.participant_id,
        "participant": appearance.participant.name,
        "country": "Poland",
        "participant_avatar_url": "/static/z.svg",
        "session_participant_id": appearance.pk,
        "session_id": appearance.session_id,
        "session": "Evening",
    }
    title = PieceTitle(piece.pk, piece.name, "etiuda_a", "Fryderyk Chopin", "Nocturne", "B major", 9, 3)
    words = {"comment": "The silences were played as well.", "quick_rating": "great_performance"}
    assert selectors.ratings_latest() == (
        RatingShown(kind=PERFORMANCE, id=whole.pk, score=4, **at(1), **same, **words),
        RatingShown(kind=PIECE, id=mark.pk, score=23, **at(0), **same, piece=title),
    )


@pytest.mark.django_db
def test_latest_are_the_five_newest_approved_of_both_kinds():
    factories = [PieceRatingFactory, PerformanceRatingFactory] * 4
    ratings = [factory(approved=True, **at(number)) for number, factory in enumerate(factories)]
    PieceRatingFactory(**at(99))
    expected = [rating.pk for rating in reversed(ratings[3:])]
    assert [rating.id for rating in selectors.ratings_latest()] == expected
    assert len(selectors.ratings_latest(limit=2)) == 2


@pytest.mark.django_db
def test_public_ratings_are_the_participants_approved_ones():
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(2)]
    shown = [PieceRatingFactory(session_participant=appearance, approved=True, **at(1)) for appearance in appearances]
    for factory in (PieceRatingFactory, PerformanceRatingFactory):
        factory(session_participant=appearances[0])
        factory(approved=True)
    found = selectors.ratings_public(participant_id=participant.pk)
    assert names(found) == [(PIECE, rating.pk) for rating in reversed(shown)]


@pytest.mark.django_db
def test_own_ratings_are_all_of_one_person():
    fan = UserFactory()
    mine = [PieceRatingFactory(user=fan, **at(0)), PerformanceRatingFactory(user=fan, approved=True, **at(1))]
    PieceRatingFactory(approved=True)
    found = selectors.ratings_own_list(user_id=fan.pk)
    assert names(found) == [(PERFORMANCE, mine[1].pk), (PIECE, mine[0].pk)]


@pytest.mark.django_db
def test_what_waits_is_listed_by_its_last_change():
    early, late = PieceRatingFactory(**at(0)), PerformanceRatingFactory(**at(1))
    changed = PieceRatingFactory(created_at=EVENING - timedelta(days=9), updated_at=EVENING + timedelta(hours=1))
    PieceRatingFactory(approved=True, **at(3))
    listed = [(PIECE, changed.pk), (PERFORMANCE, late.pk), (PIECE, early.pk)]
    assert names(selectors.ratings_waiting()) == listed
    assert names(selectors.ratings_waiting(kinds=(PIECE,))) == [listed[0], listed[2]]
    first = selectors.ratings_waiting(limit=1)
    cursor = selectors.cursor_of(first[-1], moment="updated_at")
    assert names(selectors.ratings_waiting(before=cursor)) == listed[1:]
    assert selectors.waiting_counts() == {PIECE: 2, PERFORMANCE: 1}


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_lists_continue_without_gap_or_repetition_also_within_one_moment(limit):
    fan = UserFactory()
    for number in range(4):
        PieceRatingFactory(user=fan, **at(number // 2))
        PerformanceRatingFactory(user=fan, **at(number // 2))
        PieceRatingFactory(user=fan, **at(number // 2))
    whole = selectors.ratings_own_list(user_id=fan.pk)
    assert len(whole) == 12
    assert sorted(whole, key=lambda rating: rating.created_at, reverse=True) == list(whole)
    pages, cursor = [], None
    while page := selectors.ratings_own_list(user_id=fan.pk, before=cursor, limit=limit):
        pages += page
        cursor = Cursor.read(str(selectors.cursor_of(page[-1])), tuple(RatingKind))
    assert pages == list(whole)


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["2000-10-12T15:00:00+00:00:30.5", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"])
def test_whatever_cursor_can_be_read_postgresql_understands(at):
    rated = PieceRatingFactory(approved=True).session_participant
    for kind in RatingKind:
        before = Cursor.read(f"{at}~{kind}~{2**63 - 1}", tuple(RatingKind))
        assert before
        found = selectors.ratings_public(participant_id=rated.participant_id, before=before)
        assert len(found) == (before.at.year > 2100)


@pytest.mark.django_db
def test_the_form_gets_back_what_one_gave():
    fan, participant = UserFactory(), ParticipantFactory()
    first, second, untouched = (AppearanceFactory(participant=participant) for _ in range(3))
    marks = [PieceRatingFactory(user=fan, session_participant=first, score=score) for score in (20, 7)]
    whole = PerformanceRatingFactory(user=fan, session_participant=first, approved=True, comment="So.")
    AdvanceRecommendationFactory(user=fan, session_participant=second, recommendation="down")
    for factory in (PieceRatingFactory, PerformanceRatingFactory, AdvanceRecommendationFactory):
        factory(session_participant=untouched)
        factory(user=fan)
    assert selectors.ratings_own(user_id=fan.pk, participant_id=participant.pk) == {
        first.pk: OwnRatings(
            pieces={mark.piece_id: OwnPiece(mark.pk, mark.score, approved=False) for mark in marks},
            overall=OwnPerformance(whole.pk, 4, approved=True, comment="So.", quick_rating="great_performance"),
        ),
        second.pk: OwnRatings(recommendation="down"),
    }


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [1, 50])
@pytest.mark.parametrize(
    ("queries", "read"),
    [
        (2, lambda _: selectors.ratings_latest()),
        (3, lambda mark: selectors.ratings_public(participant_id=mark.session_participant.participant_id)),
        (2, lambda mark: selectors.ratings_own_list(user_id=mark.user_id)),
        (2, lambda _: selectors.ratings_waiting()),
        (1, lambda _: selectors.ratings_waiting(kinds=(PIECE,))),
        (2, lambda _: selectors.waiting_counts()),
        (
            3,
            lambda mark: selectors.ratings_own(
                user_id=mark.user_id, participant_id=mark.session_participant.participant_id
            ),
        ),
        (3, lambda mark: selectors.ratings_of_appearances(appearance_ids=[mark.session_participant_id])),
    ],
)
def test_reads_take_as_many_queries_for_fifty_rows_as_for_one(django_assert_num_queries, rows, queries, read):
    fan, appearance = UserFactory(), AppearanceFactory()
    for number in range(rows):
        mark = PieceRatingFactory(user=fan, session_participant=appearance, approved=number % 2 == 0)
        PerformanceRatingFactory(session_participant=appearance, approved=number % 2 == 0)
        PerformanceRatingFactory(user=fan)
        PieceRatingFactory()
    with django_assert_num_queries(queries):
        read(mark)
