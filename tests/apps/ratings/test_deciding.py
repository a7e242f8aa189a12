"""Moderators at work: selections, all that match, two at once, and what they take back."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from apps.accounts.models import User
from apps.core.audit import audit_list
from apps.ratings import selectors
from apps.ratings.enums import RatingKind, Shown
from apps.ratings.models import DecidedRating, Decision, PerformanceRating, PieceRating
from apps.ratings.selectors import QueueFilter
from apps.ratings.services import (
    Decided,
    RatingSeen,
    decision_undo,
    decisions_prune,
    place_ratings_delete,
    rating_delete,
    ratings_decide,
    ratings_decide_matching,
    ratings_submit,
)
from tests.apps.conftest import run_together
from tests.factories import (
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    PlaceFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db
PIECE, PERFORMANCE = RatingKind.PIECE, RatingKind.PERFORMANCE
TABLES = (PieceRating, PerformanceRating)


def seen(*ratings):
    return [
        RatingSeen(PIECE if isinstance(each, PieceRating) else PERFORMANCE, each.pk, each.updated_at)
        for each in ratings
    ]


def rows():
    """Return everything that both tables hold."""
    return [list(table.objects.order_by("pk").values()) for table in TABLES]


def approved():
    return [list(table.objects.order_by("pk").values_list("approved", flat=True)) for table in TABLES]


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_selection_of_both_kinds_is_decided_and_nothing_else(admin, decision):
    marks, wholes = PieceRatingFactory.create_batch(3), PerformanceRatingFactory.create_batch(3)
    answer = ratings_decide(actor=admin, decision=decision, ratings=seen(*marks[:2], wholes[0]))
    assert (answer.decided, answer.others, answer.changed) == (3, 0, 0)
    assert approved() == (
        [[True, True, False], [True, False, False]] if decision == "approve" else [[False], [False] * 2]
    )
    assert answer.said_in("en") == ("3 ratings approved." if decision == "approve" else "3 ratings rejected.")
    (noted,) = audit_list()
    names = [f"piece-{marks[0].pk}", f"piece-{marks[1].pk}", f"performance-{wholes[0].pk}"]
    assert (noted.user_id, noted.action, noted.details) == (
        admin.id,
        f"ratings.{decision}",
        {"count": 3, "ratings": names},
    )


def test_a_single_one_is_told_in_the_words_of_the_specification(admin):
    for rating, kind in ((PieceRatingFactory(), "Piece"), (PerformanceRatingFactory(), "Performance")):
        answer = ratings_decide(actor=admin, decision="approve", ratings=seen(rating))
        assert answer.said_in("en") == f"{kind} rating approved successfully"


def test_what_others_decided_and_what_changed_is_left_and_counted(admin):
    mine, theirs, gone, changed = PieceRatingFactory.create_batch(4)
    asked = seen(mine, theirs, gone, changed)
    PieceRating.objects.filter(pk=theirs.pk).update(approved=True)
    gone.delete()
    PieceRating.objects.filter(pk=changed.pk).update(updated_at=timezone.now() + timedelta(seconds=1))
    answer = ratings_decide(actor=admin, decision="reject", ratings=asked)
    assert answer.said_in("en") == "1 rating rejected. 2 had been decided already. 1 changed since and still waits."
    assert set(PieceRating.objects.values_list("pk", flat=True)) == {theirs.pk, changed.pk}


def test_nothing_left_to_decide_is_said(admin):
    rating = PieceRatingFactory()
    asked = seen(rating)
    PieceRating.objects.update(updated_at=timezone.now())
    with pytest.raises(ValidationError, match="has changed since"):
        ratings_decide(actor=admin, decision="approve", ratings=asked)
    PieceRating.objects.update(approved=True)
    with pytest.raises(ValidationError, match="decided already"):
        ratings_decide(actor=admin, decision="approve", ratings=asked)
    for wrong in ({"ratings": []}, {"ratings": asked * 1001}, {"ratings": asked, "decision": "shred"}):
        with pytest.raises(ValidationError):
            ratings_decide(**{"actor": admin, "decision": "approve", **wrong})
    assert not Decision.objects.exists()


def test_all_that_match_is_decided_and_nothing_that_came_later(admin):
    place = PlaceFactory()
    low = [PieceRatingFactory(session_participant=place, score=score) for score in (1, 2)]
    PieceRatingFactory(session_participant=place, score=20)
    PieceRatingFactory(score=1)
    until = timezone.now()
    PieceRatingFactory(session_participant=place, score=1, updated_at=until + timedelta(seconds=1))
    filters = QueueFilter(kind=PIECE, session_id=place.session_id, score_to=5, show=Shown.ALL)
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)
    assert answer.said_in("en") == "2 ratings rejected."
    assert PieceRating.objects.count() == 3
    assert not PieceRating.objects.filter(pk__in=[each.pk for each in low]).exists()
    with pytest.raises(ValidationError, match="Nothing that waits matches"):
        ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)


@pytest.mark.parametrize("many", [30, 300])
def test_a_batch_takes_as_many_queries_however_many_it_has(admin, django_assert_num_queries, many):
    place, piece = PlaceFactory(), PieceFactory()
    users = User.objects.bulk_create(UserFactory.build_batch(many))
    PieceRating.objects.bulk_create(
        PieceRating(user=user, session_participant=place, piece=piece, score=20) for user in users
    )
    with django_assert_num_queries(14):
        answer = ratings_decide_matching(actor=admin, decision="approve", filters=QueueFilter(), until=timezone.now())
    assert answer.decided == many


def test_more_than_one_statement_holds_is_decided_too(admin, monkeypatch):
    monkeypatch.setattr("apps.ratings.services.verdicts.AT_ONCE", 2)
    monkeypatch.setattr("apps.ratings.services.undoing.AT_ONCE", 2)
    monkeypatch.setattr("apps.ratings.services.deciding.MATCHED", 6)
    for factory in (PieceRatingFactory, PerformanceRatingFactory):
        factory.create_batch(5)
    before = rows()
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=QueueFilter(), until=timezone.now())
    assert answer.decided == 6
    assert [len(each) for each in rows()] == [0, 4]
    assert decision_undo(actor=admin, decision_id=answer.id).back == 6
    assert rows() == before


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_decision_is_taken_back_once_and_everything_is_as_it_was(admin, decision):
    ratings = [*PieceRatingFactory.create_batch(2), *PerformanceRatingFactory.create_batch(2, comment="Żółć “à”")]
    before = rows()
    answer = ratings_decide(actor=admin, decision=decision, ratings=seen(*ratings))
    assert rows() != before
    undone = decision_undo(actor=admin, decision_id=answer.id)
    assert undone.said_in("en") == "4 ratings wait again."
    assert rows() == before
    with pytest.raises(ValidationError, match="no longer be taken back"):
        decision_undo(actor=admin, decision_id=answer.id)
    assert not DecidedRating.objects.exists()
    assert [each.action for each in audit_list()] == ["ratings.undo", f"ratings.{decision}"]
    assert ratings_decide(actor=admin, decision=decision, ratings=seen(*ratings)).decided == 4


def test_an_undo_leaves_what_was_deleted_changed_or_rated_anew(admin):
    entry, fan = ProgramEntryFactory(), viewer_of(UserFactory())
    place_id = entry.session_participant_id
    submit = partial(ratings_submit, actor=fan, session_participant_id=place_id, comment="So.")
    submit(pieces={entry.piece_id: 10}, score=3)
    elsewhere = PieceRatingFactory()
    ratings = [*PieceRating.objects.all(), *PerformanceRating.objects.all()]
    rejected = ratings_decide(actor=admin, decision="reject", ratings=seen(*ratings))
    submit(pieces={entry.piece_id: 11}, score=4)
    place_ratings_delete(actor=admin, session_participant_id=elsewhere.session_participant_id)
    elsewhere.session_participant.delete()
    undone = decision_undo(actor=admin, decision_id=rejected.id)
    assert undone.said_in("en") == "3 stay as they are: they were changed or deleted since."
    assert list(PieceRating.objects.values_list("score", flat=True)) == [11]
    approve = ratings_decide(actor=admin, decision="approve", ratings=seen(*PieceRating.objects.all()))
    submit(pieces={entry.piece_id: 12}, score=4)
    ratings_decide(actor=admin, decision="approve", ratings=seen(*PieceRating.objects.all()))
    undone = decision_undo(actor=admin, decision_id=approve.id)
    assert undone.said_in("en") == "1 stays as it is: it was changed or deleted since."
    assert approved()[0] == [True]


def test_decisions_are_forgotten_after_ten_minutes(admin):
    rating = PieceRatingFactory()
    answer = ratings_decide(actor=admin, decision="reject", ratings=seen(rating))
    assert [str(each) for each in (Decision.objects.get(), DecidedRating.objects.get())] == [
        f"{answer.id}: rejected",
        f"piece-{rating.pk}",
    ]
    assert decisions_prune() == 0
    Decision.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    with pytest.raises(ValidationError, match="no longer be taken back"):
        decision_undo(actor=admin, decision_id=answer.id)
    decisions_prune()
    assert not DecidedRating.objects.exists()


def test_whoever_leaves_is_not_kept_by_an_undo(admin):
    from apps.accounts.leaving import belongings

    rating = PieceRatingFactory()
    ratings_decide(actor=admin, decision="reject", ratings=seen(rating))
    for each in belongings():
        if "decided_ratings.user_id" in each.columns:
            each.leave(rating.user_id)
            each.leave(admin.id)
    assert not DecidedRating.objects.exists()
    assert Decision.objects.get().user_id is None


def test_nobody_else_decides_or_takes_back(nobody):
    rating = PieceRatingFactory()
    for refused in (
        partial(ratings_decide, decision="approve", ratings=seen(rating)),
        partial(ratings_decide_matching, decision="reject", filters=QueueFilter(), until=timezone.now()),
        partial(decision_undo, decision_id=1),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators decide"):
            refused(actor=nobody)
    assert approved() == [[False], []]


def test_a_moderator_who_deletes_an_approved_rating_is_noted_and_an_author_is_not(admin):
    rating, own = PieceRatingFactory(approved=True, score=3), PieceRatingFactory()
    rating_delete(actor=admin, kind=PIECE, rating_id=rating.pk)
    rating_delete(actor=viewer_of(own.user), kind=PIECE, rating_id=own.pk)
    (noted,) = audit_list()
    assert noted.details == {"before": {"kind": "piece", "score": 3, "approved": True}}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("second", ["approve", "reject"])
def test_two_who_decide_the_same_at_once_decide_each_once(admin, second):
    other = viewer_of(UserFactory(is_admin=True))
    for _ in range(4):
        ratings = [*PieceRatingFactory.create_batch(8), *PerformanceRatingFactory.create_batch(8)]
        answers = run_together(
            partial(ratings_decide, actor=admin, decision="approve", ratings=seen(*ratings)),
            partial(ratings_decide, actor=other, decision=second, ratings=seen(*reversed(ratings))),
        )
        decided = [answer.decided for answer in answers if isinstance(answer, Decided)]
        told = [answer.messages for answer in answers if isinstance(answer, ValidationError)]
        assert sum(decided) == 16
        assert told in ([], [["This rating has been decided already."]])
        left = sum(len(each) for each in approved())
        rejected = answers[1].decided if second == "reject" and isinstance(answers[1], Decided) else 0
        assert left == 16 - rejected
        for table in TABLES:
            table.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_all_that_match_decided_by_two_and_rated_anew_meanwhile(admin):
    entries = [ProgramEntryFactory() for _ in range(3)]
    fans = [viewer_of(UserFactory()) for _ in range(3)]

    def submit(fan, entry, score):
        return ratings_submit(
            actor=fan,
            session_participant_id=entry.session_participant_id,
            pieces={entry.piece_id: score},
            score=3,
            comment=f"{score}.",
        )

    for turn in range(3):
        for fan in fans:
            for entry in entries:
                submit(fan, entry, 1 + turn * 2)
        every = partial(ratings_decide_matching, actor=admin, filters=QueueFilter(), until=timezone.now())
        answers = run_together(
            partial(every, decision="approve"),
            partial(every, decision="reject"),
            *(partial(submit, fan, entries[0], 2 + turn * 2) for fan in fans),
        )
        assert all(isinstance(answer, Decided | ValidationError | str) for answer in answers)
        shown = PieceRating.objects.filter(approved=True).values_list("score", flat=True)
        assert set(shown) <= {1 + turn * 2}  # what was rated anew waits, whoever came first


def test_a_rejection_and_its_undo_are_heard_by_moderators_and_authors_and_nobody_else(listener):
    admin = viewer_of(UserFactory(is_admin=True))
    rating = PieceRatingFactory()
    private = {"ratings.waiting", f"account.{rating.user_id}.ratings"}
    answer = ratings_decide(actor=admin, decision="reject", ratings=seen(rating))
    assert listener.heard() == private
    decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == private
    answer = ratings_decide(actor=admin, decision="approve", ratings=seen(rating))
    place = rating.session_participant
    public = {
        "ratings.latest",
        f"session_participant.{place.pk}.ratings",
        f"participant.{place.participant_id}.ratings",
    }
    assert listener.heard() == private | public
    decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == private | public


def test_the_queue_is_narrowed_by_everything_a_moderator_asks(django_assert_num_queries):
    place = PlaceFactory(participant=ParticipantFactory(second_name="Łęcka"))
    new = UserFactory(username="una_corda")
    old = UserFactory(username="row_g")
    User.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    mark = PieceRatingFactory(session_participant=place, user=new, score=25)
    whole = PerformanceRatingFactory(user=old, comment="Like weather.", score=2)
    shown = PerformanceRatingFactory(user=old, approved=True)

    def found(**narrow):
        filters = QueueFilter(**narrow)
        ids = {(each.kind, each.id) for each in selectors.ratings_queue(filters=filters)}
        assert selectors.ratings_matching(filters=filters) == len(ids)
        return ids

    a, b, c = (PIECE, mark.pk), (PERFORMANCE, whole.pk), (PERFORMANCE, shown.pk)
    assert found() == {a, b}
    assert found(kind=PIECE) == {a}
    assert found(show=Shown.APPROVED) == {c}
    assert found(show=Shown.ALL) == {a, b, c}
    assert found(participant_id=place.participant_id) == {a}
    assert found(session_id=whole.session_participant.session_id) == {b}
    assert found(score_from=3) == {a}
    assert found(score_to=2) == {b}
    assert found(text="lecka") == {a}
    assert found(text="WEATHER like") == {b}
    assert found(text="corda łęcka") == {a}
    assert found(text="%") == found(text="corda weather") == set()
    assert found(new_accounts=True) == {a}
    with django_assert_num_queries(2):
        selectors.ratings_queue(filters=QueueFilter(text="a", new_accounts=True, session_id=1))
    first = selectors.ratings_queue(filters=QueueFilter(), limit=1)
    cursor = selectors.cursor_of(first[-1], moment=QueueFilter().moment)
    rest = selectors.ratings_queue(filters=QueueFilter(), before=cursor)
    assert {each.kind for each in (*first, *rest)} == {PIECE, PERFORMANCE}
