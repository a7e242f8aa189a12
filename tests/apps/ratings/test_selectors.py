"""Test lists of ratings: their content for each viewer, their order, and pages without a gap."""

from datetime import timedelta
from decimal import Decimal

import pytest

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

PIECE, PERFORMANCE = RatingKind.PIECE, RatingKind.PERFORMANCE


def names(ratings):
    """Return the author, the appearance and the ids of the marks of pieces and of the whole, for each rating."""
    return [
        (each.author_id, each.session_participant_id, [mark.id for mark in each.pieces], each.whole and each.whole.id)
        for each in ratings
    ]


def named(user, appearance, *pieces, whole=None):
    return user.pk, appearance.pk, [mark.pk for mark in pieces], whole and whole.pk


def with_marks(ratings):
    """Return these ratings with their public marks."""
    return tuple(ratings_by_id(ids=[each.id for each in ratings]).values())


def at(minutes):
    moment = EVENING + timedelta(minutes=minutes)
    return {"created_at": moment, "updated_at": moment}


@pytest.mark.django_db
def test_a_rating_is_shown_with_who_gave_it_to_whom_and_for_what():
    piece = PieceFactory(name="Nocturne in B major, Op. 9 No. 3", opus="9", number=3, key="B major", title="Nocturne")
    user = UserFactory(username="una_corda", avatar_url="/static/u.svg")
    appearance = AppearanceFactory(participant=ParticipantFactory(avatar_url="/static/z.svg"), session__title="Evening")
    whose = {"user": user, "session_participant": appearance, "approved": True}
    mark = PieceRatingFactory(**whose, piece=piece, score=23, **at(0))
    whole = PerformanceRatingFactory(**whose, **at(1))
    title = PieceTitle(piece.pk, piece.name, "etiuda_a", "Fryderyk Chopin", "Nocturne", "B major", 9, 3)
    words = ("The silences were played as well.", "great_performance", False)
    [shown] = with_marks(ratings_latest())
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
        session_participant_id=appearance.pk,
        session_id=appearance.session_id,
        session="Evening",
        program_length=1,
        pieces=(PieceMark(mark.pk, 23, True, EVENING, title),),
        whole=WholeMark(whole.pk, 4, True, EVENING + timedelta(minutes=1), *words),
    )
    assert [mark.kind for mark in shown.marks] == [PIECE, PERFORMANCE]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scores", "mean"), [((), None), ((23,), "23.0"), ((20, 21, 21), "20.7"), ((1, 2, 1, 1), "1.3"), ((7, 8), "7.5")]
)
def test_the_mean_is_of_the_pieces_to_one_decimal_half_away_from_zero(scores, mean):
    fan, appearance = UserFactory(), AppearanceFactory()
    PerformanceRatingFactory(user=fan, session_participant=appearance)
    for score in scores:
        PieceRatingFactory(user=fan, session_participant=appearance, score=score)
    [own] = ratings_own_list(user_id=fan.pk)
    assert own.mean == (mean and Decimal(mean))


@pytest.mark.django_db
def test_pieces_stand_in_the_programs_order():
    appearance, fan = AppearanceFactory(), UserFactory()
    entries = [ProgramEntryFactory(session_participant=appearance) for _ in range(3)]
    marks = [PieceRatingFactory(user=fan, entry=entry) for entry in reversed(entries)]
    [own] = ratings_own_list(user_id=fan.pk)
    assert [mark.id for mark in own.pieces] == [mark.pk for mark in reversed(marks)]
    assert own.program_length == 3


@pytest.mark.django_db
def test_latest_are_the_five_newest_by_their_newest_approved_mark():
    first = PieceRatingFactory(approved=True, **at(0))
    others = [
        factory(approved=True, **at(1 + number))
        for number, factory in enumerate([PieceRatingFactory, PerformanceRatingFactory] * 3)
    ]
    PieceRatingFactory(**at(99))
    again = {"user": first.user, "session_participant": first.session_participant}
    newest = PieceRatingFactory(**again, approved=True, **at(50))
    waits = PieceRatingFactory(**again, **at(98))
    PerformanceRatingFactory(**again, **at(97))
    found = with_marks(ratings_latest())
    assert names(found[:1]) == [named(first.user, first.session_participant, first, newest)]
    assert waits.pk not in [mark.id for mark in found[0].pieces]
    assert [rating.author_id for rating in found[1:]] == [rating.user_id for rating in reversed(others[2:])]
    assert len(ratings_latest(limit=2)) == 2


@pytest.mark.django_db
def test_public_ratings_are_the_approved_marks_of_the_participant():
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(2)]
    fan = UserFactory()
    shown = [PieceRatingFactory(session_participant=each, user=fan, approved=True, **at(1)) for each in appearances]
    for factory in (PieceRatingFactory, PerformanceRatingFactory):
        factory(session_participant=appearances[0])
        factory(session_participant=appearances[0], user=fan)
        factory(approved=True)
    found = with_marks(ratings_public(participant_id=participant.pk))
    assert names(found) == [
        named(fan, appearance, mark) for appearance, mark in reversed([*zip(appearances, shown, strict=True)])
    ]


@pytest.mark.django_db
def test_words_are_the_newest_approved_ones_of_the_performance():
    appearance = AppearanceFactory()
    words = [PerformanceRatingFactory(session_participant=appearance, approved=True, **at(n)) for n in range(3)]
    PerformanceRatingFactory(session_participant=appearance, **at(9))
    other = AppearanceFactory(participant=appearance.participant)
    PerformanceRatingFactory(session_participant=other, approved=True, **at(9))
    found = ratings_words(appearance_id=appearance.pk, limit=2)
    assert [each.whole.id for each in found] == [words[2].pk, words[1].pk]
    assert tuple(words_by_id(ids=[each.id for each in found]).values()) == found


@pytest.mark.django_db
def test_own_ratings_are_all_of_one_person():
    fan, appearance = UserFactory(), AppearanceFactory()
    mark, whole = PieceRatingFactory(user=fan, **at(0)), PerformanceRatingFactory(user=fan, approved=True, **at(1))
    waits = PieceRatingFactory(user=fan, session_participant=appearance, **at(2))
    PieceRatingFactory(session_participant=appearance, approved=True)
    assert names(ratings_own_list(user_id=fan.pk)) == [
        named(fan, appearance, waits),
        named(fan, whole.session_participant, whole=whole),
        named(fan, mark.session_participant, mark),
    ]


@pytest.mark.django_db
def test_what_waits_is_listed_by_its_last_change_with_its_other_marks():
    early = PieceRatingFactory(**at(0))
    changed = PieceRatingFactory(created_at=EVENING - timedelta(days=9), updated_at=EVENING + timedelta(hours=1))
    again = {"user": early.user, "session_participant": early.session_participant}
    whole = PerformanceRatingFactory(**again, **at(3))
    shown = PieceRatingFactory(**again, approved=True, **at(90))
    PieceRatingFactory(approved=True, **at(3))
    listed = [
        named(changed.user, changed.session_participant, changed),
        named(early.user, early.session_participant, early, shown, whole=whole),
    ]
    found = ratings_queue(filters=QueueFilter())
    assert names(found) == listed
    assert [mark.id for mark in found[1].waiting(PIECE)] == [early.pk]
    assert [mark.id for mark in found[1].waiting(*RatingKind)] == [early.pk, whole.pk]
    assert names(ratings_queue(filters=QueueFilter(PERFORMANCE))) == listed[1:]
    assert names(ratings_queue(filters=QueueFilter(), before=cursor_of(found[0]))) == listed[1:]
    assert waiting_counts() == {PIECE: 2, PERFORMANCE: 1}


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_lists_continue_without_gap_or_repetition_also_within_one_moment(limit):
    participant = ParticipantFactory()
    for number in range(12):
        appearance = AppearanceFactory(participant=participant)
        PieceRatingFactory(session_participant=appearance, approved=True, **at(number // 4))
    whole = ratings_public(participant_id=participant.pk)
    assert len(whole) == 12
    assert sorted(whole, key=lambda rating: rating.at, reverse=True) == list(whole)
    pages, cursor = [], None
    while page := ratings_public(participant_id=participant.pk, before=cursor, limit=limit):
        pages += page
        cursor = Cursor.read(str(cursor_of(page[-1])))
    assert pages == list(whole)


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["2000-10-12T15:00:00+00:00:30.5", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"])
def test_whatever_cursor_can_be_read_postgresql_understands(at):
    rated = PieceRatingFactory(approved=True).session_participant
    before = Cursor.read(f"{at}~{2**63 - 1}")
    assert before
    found = ratings_public(participant_id=rated.participant_id, before=before)
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
    assert ratings_own(user_id=fan.pk, participant_id=participant.pk) == {
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
        (1, lambda _: ratings_latest()),
        (5, lambda _: with_marks(ratings_latest())),
        (3, lambda mark: ratings_public(participant_id=mark.session_participant.participant_id)),
        (1, lambda mark: ratings_words(appearance_id=mark.session_participant_id, limit=50)),
        (4, lambda mark: ratings_own_list(user_id=mark.user_id)),
        (4, lambda _: ratings_queue(filters=QueueFilter())),
        (4, lambda _: ratings_queue(filters=QueueFilter(PERFORMANCE))),
        (3, lambda _: ratings_match_count(filters=QueueFilter(until=EVENING))),
        (2, lambda _: waiting_counts()),
        (
            1,
            lambda mark: ratings_own(user_id=mark.user_id, participant_id=mark.session_participant.participant_id),
        ),
        (3, lambda mark: ratings_of_appearances(appearance_ids=[mark.session_participant_id])),
    ],
)
@pytest.mark.long
def test_reads_take_as_many_queries_for_fifty_rows_as_for_one(django_assert_num_queries, rows, queries, read):
    fan, appearance = UserFactory(), AppearanceFactory()
    for number in range(rows):
        mark = PieceRatingFactory(user=fan, session_participant=appearance, approved=number % 2 == 0)
        PerformanceRatingFactory(session_participant=appearance, approved=number % 2 == 0)
        PerformanceRatingFactory(user=fan)
        PieceRatingFactory()
    with django_assert_num_queries(queries):
        read(mark)
