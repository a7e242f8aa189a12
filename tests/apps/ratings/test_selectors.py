"""Test lists of ratings: their content for each viewer, their order, cursors, and query counts."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.competition.selectors.public.participants import PieceTitle
from apps.core.database.paging import Cursor
from apps.ratings.enums import RatingKind
from apps.ratings.models import RatingSubmission
from apps.ratings.selectors.counts import ratings_of_appearances, waiting_counts
from apps.ratings.selectors.lists import (
    cursor_of,
    ratings_by_id,
    ratings_latest,
    ratings_own_list,
    ratings_public,
    ratings_words,
    words_by_id,
)
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_match_count, ratings_queue
from apps.ratings.selectors.own import OwnPerformance, OwnPiece, OwnRatings, ratings_own
from apps.ratings.selectors.statistics import PieceMark, RatingShown, WholeMark
from tests.factories import (
    EVENING,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

PIECE, PERFORMANCE = RatingKind.PIECE, RatingKind.PERFORMANCE


def names(ratings):
    """Return the author, the appearance and the ids of the marks of pieces and of the whole, for each rating."""
    return [
        (
            rating.author_id,
            rating.appearance_id,
            [mark.id for mark in rating.pieces],
            rating.whole and rating.whole.id,
        )
        for rating in ratings
    ]


def named(user, appearance, *pieces, whole=None):
    return user.pk, appearance.pk, [mark.pk for mark in pieces], whole and whole.pk


def with_marks(ratings):
    """Return these ratings with their public marks."""
    return tuple(ratings_by_id(ids=[rating.id for rating in ratings]).values())


def at(minutes):
    moment = EVENING + timedelta(minutes=minutes)
    return {"created_at": moment, "updated_at": moment}


def test_rating_has_author_participant_pieces_and_whole():
    piece = PieceFactory(name="Nocturne in B major, Op. 9 No. 3", opus="9", number=3, key="B major", title="Nocturne")
    user = UserFactory(username="una_corda", avatar_url="/static/u.svg")
    appearance = AppearanceFactory(participant=ParticipantFactory(avatar_url="/static/z.svg"), session__title="Evening")
    rating = {"user": user, "appearance": appearance, "approved": True}
    mark = PieceRatingFactory(**rating, piece=piece, score=23, **at(0))
    whole = PerformanceRatingFactory(**rating, **at(1))
    title = PieceTitle(piece.pk, piece.name, "etiuda_a", "Fryderyk Chopin", "Nocturne", "B major", 9, 3)
    words = ("The silences were played as well.", "great_performance", False)
    (shown,) = with_marks(ratings_latest())
    assert shown == RatingShown(
        id=RatingSubmission.objects.get().pk,
        at=EVENING + timedelta(minutes=1),
        author_id=user.pk,
        author="una_corda",
        author_avatar_url="/static/u.svg",
        participant_id=appearance.participant_id,
        participant=appearance.participant.name,
        country="Poland",
        participant_avatar_url="/static/z.svg",
        appearance_id=appearance.pk,
        session_id=appearance.session_id,
        session="Evening",
        program_length=1,
        pieces=(PieceMark(mark.pk, 23, True, EVENING, title),),
        whole=WholeMark(whole.pk, 4, True, EVENING + timedelta(minutes=1), *words),
    )
    assert [mark.kind for mark in shown.marks] == [PIECE, PERFORMANCE]


def test_mean_of_pieces_has_one_decimal_rounded_half_away_from_zero():
    for scores, mean in (((), None), ((23,), "23.0"), ((20, 21, 21), "20.7"), ((1, 2, 1, 1), "1.3"), ((7, 8), "7.5")):
        whole = PerformanceRatingFactory()
        for score in scores:
            PieceRatingFactory(user=whole.user, appearance=whole.appearance, score=score)
        (own,) = ratings_own_list(user_id=whole.user_id)
        assert own.mean == (mean and Decimal(mean))


def test_pieces_have_the_order_of_the_program():
    appearance, fan = AppearanceFactory(), UserFactory()
    entries = [ProgramEntryFactory(appearance=appearance) for _ in range(3)]
    marks = [PieceRatingFactory(user=fan, entry=entry) for entry in reversed(entries)]
    (own,) = ratings_own_list(user_id=fan.pk)
    assert [mark.id for mark in own.pieces] == [mark.pk for mark in reversed(marks)]
    assert own.program_length == 3


def test_ratings_latest_returns_five_by_their_newest_approved_mark():
    first = PieceRatingFactory(approved=True, **at(0))
    others = [
        factory(approved=True, **at(1 + number))
        for number, factory in enumerate([PieceRatingFactory, PerformanceRatingFactory] * 3)
    ]
    PieceRatingFactory(**at(99))
    again = {"user": first.user, "appearance": first.appearance}
    newest = PieceRatingFactory(**again, approved=True, **at(50))
    waits = PieceRatingFactory(**again, **at(98))
    PerformanceRatingFactory(**again, **at(97))
    latest = with_marks(ratings_latest())
    assert names(latest[:1]) == [named(first.user, first.appearance, first, newest)]
    assert waits.pk not in [mark.id for mark in latest[0].pieces]
    assert [rating.author_id for rating in latest[1:]] == [rating.user_id for rating in reversed(others[2:])]
    assert len(ratings_latest(limit=2)) == 2


def test_ratings_public_returns_approved_marks_of_the_participant():
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(2)]
    fan = UserFactory()
    shown = [PieceRatingFactory(appearance=place, user=fan, approved=True, **at(1)) for place in appearances]
    for factory in (PieceRatingFactory, PerformanceRatingFactory):
        factory(appearance=appearances[0])
        factory(appearance=appearances[0], user=fan)
        factory(approved=True)
    newest_first = [named(fan, mark.appearance, mark) for mark in reversed(shown)]
    assert names(with_marks(ratings_public(participant_id=participant.pk))) == newest_first


def test_ratings_words_returns_the_newest_approved_comments():
    appearance = AppearanceFactory()
    words = [PerformanceRatingFactory(appearance=appearance, approved=True, **at(n)) for n in range(3)]
    PerformanceRatingFactory(appearance=appearance, **at(9))
    other = AppearanceFactory(participant=appearance.participant)
    PerformanceRatingFactory(appearance=other, approved=True, **at(9))
    newest = ratings_words(appearance_id=appearance.pk, limit=2)
    assert [rating.whole.id for rating in newest] == [words[2].pk, words[1].pk]
    assert tuple(words_by_id(ids=[rating.id for rating in newest]).values()) == newest


def test_ratings_own_list_returns_all_ratings_of_one_account():
    fan, appearance = UserFactory(), AppearanceFactory()
    mark, whole = PieceRatingFactory(user=fan, **at(0)), PerformanceRatingFactory(user=fan, approved=True, **at(1))
    waits = PieceRatingFactory(user=fan, appearance=appearance, **at(2))
    PieceRatingFactory(appearance=appearance, approved=True)
    assert names(ratings_own_list(user_id=fan.pk)) == [
        named(fan, appearance, waits),
        named(fan, whole.appearance, whole=whole),
        named(fan, mark.appearance, mark),
    ]


def test_ratings_queue_is_sorted_by_last_change_and_has_other_marks():
    early = PieceRatingFactory(**at(0))
    changed = PieceRatingFactory(created_at=EVENING - timedelta(days=9), updated_at=EVENING + timedelta(hours=1))
    again = {"user": early.user, "appearance": early.appearance}
    whole = PerformanceRatingFactory(**again, **at(3))
    shown = PieceRatingFactory(**again, approved=True, **at(90))
    PieceRatingFactory(approved=True, **at(3))
    listed = [
        named(changed.user, changed.appearance, changed),
        named(early.user, early.appearance, early, shown, whole=whole),
    ]
    queue = ratings_queue(filters=QueueFilter())
    assert names(queue) == listed
    assert [mark.id for mark in queue[1].waiting(PIECE)] == [early.pk]
    assert [mark.id for mark in queue[1].waiting(*RatingKind)] == [early.pk, whole.pk]
    assert names(ratings_queue(filters=QueueFilter(PERFORMANCE))) == listed[1:]
    assert names(ratings_queue(filters=QueueFilter(), before=cursor_of(queue[0]))) == listed[1:]
    assert waiting_counts() == {PIECE: 2, PERFORMANCE: 1}


def test_pages_continue_within_one_moment_without_gap_or_repetition():
    participant = ParticipantFactory()
    for number in range(12):
        appearance = AppearanceFactory(participant=participant)
        PieceRatingFactory(appearance=appearance, approved=True, **at(number // 4))
    whole = ratings_public(participant_id=participant.pk)
    assert len(whole) == 12
    assert sorted(whole, key=lambda rating: rating.at, reverse=True) == list(whole)
    for limit in (1, 2, 3, 7):
        pages, cursor = [], None
        while page := ratings_public(participant_id=participant.pk, before=cursor, limit=limit):
            pages += page
            cursor = Cursor.read(str(cursor_of(page[-1])))
        assert pages == list(whole), limit


def test_readable_cursors_are_valid_for_postgresql():
    rated = PieceRatingFactory(approved=True).appearance
    for moment in ("2000-10-12T15:00:00+00:00:30.5", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"):
        before = Cursor.read(f"{moment}~{2**63 - 1}")
        assert before
        assert len(ratings_public(participant_id=rated.participant_id, before=before)) == (before.at.year > 2100)


def test_ratings_own_returns_marks_and_recommendations_by_appearance():
    fan, participant = UserFactory(), ParticipantFactory()
    first, second, untouched = (AppearanceFactory(participant=participant) for _ in range(3))
    marks = [PieceRatingFactory(user=fan, appearance=first, score=score) for score in (20, 7)]
    whole = PerformanceRatingFactory(user=fan, appearance=first, approved=True, comment="So.")
    AdvanceRecommendationFactory(user=fan, appearance=second, recommendation="down")
    for factory in (PieceRatingFactory, PerformanceRatingFactory, AdvanceRecommendationFactory):
        factory(appearance=untouched)
        factory(user=fan)
    assert ratings_own(user_id=fan.pk, participant_id=participant.pk) == {
        first.pk: OwnRatings(
            pieces={mark.piece_id: OwnPiece(mark.pk, mark.score, approved=False) for mark in marks},
            overall=OwnPerformance(whole.pk, 4, approved=True, comment="So.", quick_rating="great_performance"),
        ),
        second.pk: OwnRatings(recommendation="down"),
    }


def test_query_counts_do_not_grow_with_rows():
    reads = [
        (1, lambda _: ratings_latest()),
        (5, lambda _: with_marks(ratings_latest())),
        (3, lambda mark: ratings_public(participant_id=mark.appearance.participant_id)),
        (1, lambda mark: ratings_words(appearance_id=mark.appearance_id, limit=50)),
        (4, lambda mark: ratings_own_list(user_id=mark.user_id)),
        (4, lambda _: ratings_queue(filters=QueueFilter())),
        (4, lambda _: ratings_queue(filters=QueueFilter(PERFORMANCE))),
        (3, lambda _: ratings_match_count(filters=QueueFilter(until=EVENING))),
        (2, lambda _: waiting_counts()),
        (1, lambda mark: ratings_own(user_id=mark.user_id, participant_id=mark.appearance.participant_id)),
        (3, lambda mark: ratings_of_appearances(appearance_ids=[mark.appearance_id])),
    ]
    fan, appearance = UserFactory(), AppearanceFactory()
    offenders = []
    for rows in (range(1), range(1, 20)):
        for number in rows:
            mark = PieceRatingFactory(user=fan, appearance=appearance, approved=number % 2 == 0)
            PerformanceRatingFactory(appearance=appearance, approved=number % 2 == 0)
            PerformanceRatingFactory(user=fan)
            PieceRatingFactory()
        for place, (queries, read) in enumerate(reads, 1):
            with CaptureQueriesContext(connection) as captured:
                read(mark)
            if len(captured) != queries:
                offenders.append(f"read {place}: {[query['sql'] for query in captured]}, not {queries}")
    assert not offenders
