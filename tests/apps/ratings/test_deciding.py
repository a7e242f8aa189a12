"""Test moderators' decisions: selections, all matching ratings, and the published topics."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from apps.accounts.models import User
from apps.core.audit import audit_list
from apps.ratings.enums import ApprovalFilter
from apps.ratings.models import Decision, PerformanceRating, PieceRating
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last
from apps.ratings.services.moderation import mark_delete
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from tests.apps.ratings.deciding import PIECE, approved, rows, seen
from tests.factories import (
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_selection_of_both_kinds_is_decided_and_nothing_else(admin, decision):
    marks, wholes = PieceRatingFactory.create_batch(3), PerformanceRatingFactory.create_batch(3)
    answer = ratings_decide(actor=admin, decision=decision, seen=seen(*marks[:2], wholes[0]))
    assert (answer.decided, answer.others, answer.changed) == (3, 0, 0)
    assert approved() == (
        [[True, True, False], [True, False, False]] if decision == "approve" else [[False], [False] * 2]
    )
    assert answer.sentence_in("en") == ("3 ratings approved." if decision == "approve" else "3 ratings rejected.")
    (noted,) = audit_list()
    names = [f"piece-{marks[0].pk}", f"piece-{marks[1].pk}", f"performance-{wholes[0].pk}"]
    whose = ", ".join(sorted(each.session_participant.participant.name for each in (*marks[:2], wholes[0])))
    assert (noted.user_id, noted.action, noted.details) == (
        admin.id,
        f"ratings.{decision}",
        {"name": whose, "count": 3, "pieces": 2, "performances": 1, "marks": names},
    )


def test_a_single_one_is_told_in_the_words_of_the_specification(admin):
    for rating, kind in ((PieceRatingFactory(), "Piece"), (PerformanceRatingFactory(), "Performance")):
        answer = ratings_decide(actor=admin, decision="approve", seen=seen(rating))
        assert answer.sentence_in("en") == f"{kind} rating approved successfully"


def test_what_others_decided_and_what_changed_is_left_and_counted(admin):
    mine, theirs, gone, changed = PieceRatingFactory.create_batch(4)
    asked = seen(mine, theirs, gone, changed)
    PieceRating.objects.filter(pk=theirs.pk).update(approved=True)
    gone.delete()
    PieceRating.objects.filter(pk=changed.pk).update(updated_at=timezone.now() + timedelta(seconds=1))
    answer = ratings_decide(actor=admin, decision="reject", seen=asked)
    assert answer.sentence_in("en") == (
        "1 rating rejected. 2 marks had been decided already. 1 mark changed since and still waits."
    )
    assert set(PieceRating.objects.values_list("pk", flat=True)) == {theirs.pk, changed.pk}


def test_nothing_left_to_decide_is_said(admin):
    rating = PieceRatingFactory()
    asked = seen(rating)
    PieceRating.objects.update(updated_at=timezone.now())
    with pytest.raises(ValidationError, match="has changed since"):
        ratings_decide(actor=admin, decision="approve", seen=asked)
    PieceRating.objects.update(approved=True)
    with pytest.raises(ValidationError, match="decided already"):
        ratings_decide(actor=admin, decision="approve", seen=asked)
    for wrong in ({"seen": []}, {"seen": asked * 1001}, {"seen": asked, "decision": "shred"}):
        with pytest.raises(ValidationError):
            ratings_decide(**{"actor": admin, "decision": "approve", **wrong})
    assert not Decision.objects.exists()


def test_all_that_match_is_decided_and_nothing_that_came_later(admin):
    appearance = AppearanceFactory()
    low = [PieceRatingFactory(session_participant=appearance, score=score) for score in (1, 2)]
    PieceRatingFactory(session_participant=appearance, score=20)
    PieceRatingFactory(score=1)
    until = timezone.now()
    PieceRatingFactory(session_participant=appearance, score=1, updated_at=until + timedelta(seconds=1))
    filters = QueueFilter(kind=PIECE, session_id=appearance.session_id, score_to=5, show=ApprovalFilter.ALL)
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)
    assert answer.sentence_in("en") == "2 ratings rejected."
    assert PieceRating.objects.count() == 3
    assert not PieceRating.objects.filter(pk__in=[each.pk for each in low]).exists()
    with pytest.raises(ValidationError, match="Nothing that waits matches"):
        ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)


@pytest.mark.parametrize("many", [30, 300])
def test_a_batch_takes_as_many_queries_however_many_it_has(admin, django_assert_num_queries, many):
    entry = ProgramEntryFactory()
    appearance, piece = entry.session_participant, entry.piece
    users = User.objects.bulk_create(UserFactory.build_batch(many))
    PieceRating.objects.bulk_create(
        PieceRating(user=user, session_participant=appearance, piece=piece, score=20) for user in users
    )
    with django_assert_num_queries(19):
        answer = ratings_decide_matching(actor=admin, decision="approve", filters=QueueFilter(), until=timezone.now())
    assert answer.decided == many


def test_more_than_one_statement_holds_is_decided_too(admin, monkeypatch):
    for module in ("verdicts", "rating_moderation"):
        monkeypatch.setattr(f"apps.ratings.services.{module}.AT_ONCE", 2)
    monkeypatch.setattr("apps.ratings.services.rating_moderation.MATCHED", 4)
    for whole in PerformanceRatingFactory.create_batch(5):
        PieceRatingFactory.create_batch(2, user=whole.user, session_participant=whole.session_participant)
    before = rows()
    both = QueueFilter(both=True)
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=both, until=timezone.now())
    assert answer.decided == 4
    assert [len(each) for each in rows()] == [2, 1]
    assert decision_undo(actor=admin, decision_id=answer.id).back == 4
    assert rows() == before


@pytest.mark.parametrize(("both", "left"), [(False, [2, 3]), (True, [2, 2])])
def test_all_that_match_are_decided_with_the_whole_performance_if_one_likes(admin, both, left):
    wholes = PerformanceRatingFactory.create_batch(3)
    for whole, score in zip(wholes, (3, 3, 20), strict=True):
        PieceRatingFactory.create_batch(2, user=whole.user, session_participant=whole.session_participant, score=score)
    PieceRating.objects.filter(user=wholes[0].user).update(approved=True)
    filters = QueueFilter(score_to=5, both=both)
    answer = ratings_decide_matching(actor=admin, decision="approve", filters=filters, until=timezone.now())
    assert (answer.decided, answer.sentence_in("en")) == (1, "1 rating approved.")
    assert [sum(not each for each in table) for table in approved()] == left
    assert [wholes[1].pk] * both == [
        pk for pk, is_shown in PerformanceRating.objects.values_list("pk", "approved") if is_shown
    ]
    (noted,) = audit_list()
    assert (noted.details["count"], noted.details["pieces"], noted.details["performances"]) == (1, 2, int(both))


def test_the_pieces_of_one_rating_are_told_in_the_words_of_the_specification(admin):
    whole = PerformanceRatingFactory()
    marks = PieceRatingFactory.create_batch(3, user=whole.user, session_participant=whole.session_participant)
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(*marks))
    assert answer.sentence_in("en") == "Piece rating approved successfully"
    assert decision_undo(actor=admin, decision_id=answer.id).sentence_in("en") == "1 rating waits again."
    answer = ratings_decide(actor=admin, decision="reject", seen=seen(*marks, whole))
    assert answer.sentence_in("en") == "Piece rating rejected successfully. And the whole performance."
    assert decision_last(user_id=admin.id).count == 1


def test_nobody_else_decides_or_takes_back(nobody):
    rating = PieceRatingFactory()
    for refused in (
        partial(ratings_decide, decision="approve", seen=seen(rating)),
        partial(ratings_decide_matching, decision="reject", filters=QueueFilter(), until=timezone.now()),
        partial(decision_undo, decision_id=1),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators decide"):
            refused(actor=nobody)
    assert approved() == [[False], []]


def test_a_moderator_who_deletes_an_approved_rating_is_noted_and_an_author_is_not(admin):
    rating, own = PieceRatingFactory(approved=True, score=3), PieceRatingFactory()
    mark_delete(actor=admin, kind=PIECE, mark_id=rating.pk)
    mark_delete(actor=viewer_of(own.user), kind=PIECE, mark_id=own.pk)
    (noted,) = audit_list()
    before = {"marks": [f"piece-{rating.pk}: 3"], "approved": True}
    assert noted.details == {"before": before, "name": rating.session_participant.participant.name}


def test_a_rejection_and_its_undo_are_heard_by_moderators_and_authors_and_nobody_else(listener):
    admin = viewer_of(UserFactory(is_admin=True))
    rating = PieceRatingFactory()
    stage = f"stage.{rating.session_participant.session.stage_id}.ratings"
    private = {"ratings.waiting", f"account.{rating.user_id}.ratings", stage}
    answer = ratings_decide(actor=admin, decision="reject", seen=seen(rating))
    assert listener.heard() == private
    decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == private
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(rating))
    appearance = rating.session_participant
    public = {
        "ratings.latest",
        f"session_participant.{appearance.pk}.ratings",
        f"participant.{appearance.participant_id}.ratings",
        f"author.{rating.user_id}.ratings",
        *(f"piece.{entry.piece_id}" for entry in appearance.program.all()),
    }
    assert listener.heard() == private | public
    decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == private | public
