"""Test the undo of decisions: which rows it restores and which it leaves."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.data_rights import account_data
from apps.core.audit import audit_list
from apps.ratings.models import DecidedRating, Decision, PerformanceRating, PieceRating
from apps.ratings.services.rating_moderation import decision_undo, decisions_prune, ratings_decide
from apps.ratings.services.removal import appearance_ratings_delete
from apps.ratings.services.submission import ratings_submit
from tests.apps.ratings.deciding import approved, rows, seen
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, ProgramEntryFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_undo_restores_all_rows_once(admin, decision):
    ratings = [*PieceRatingFactory.create_batch(2), *PerformanceRatingFactory.create_batch(2, comment="Żółć “à”")]
    before = rows()
    answer = ratings_decide(actor=admin, decision=decision, seen=seen(*ratings))
    assert rows() != before
    undone = decision_undo(actor=admin, decision_id=answer.id)
    assert undone.sentence_in("en") == "4 ratings wait again."
    assert rows() == before
    with pytest.raises(ValidationError, match="no longer be taken back"):
        decision_undo(actor=admin, decision_id=answer.id)
    assert not DecidedRating.objects.exists()
    assert [entry.action for entry in audit_list()] == ["ratings.undo", f"ratings.{decision}"]
    assert ratings_decide(actor=admin, decision=decision, seen=seen(*ratings)).decided == 4


def test_undo_leaves_deleted_and_changed_marks(admin, fan):
    entry = ProgramEntryFactory()
    appearance_id = entry.session_participant_id
    submit = partial(ratings_submit, actor=fan, session_participant_id=appearance_id, comment="So.")
    submit(pieces={entry.piece_id: 10}, score=3)
    deleted = PieceRatingFactory()
    ratings = [*PieceRating.objects.all(), *PerformanceRating.objects.all()]
    rejected = ratings_decide(actor=admin, decision="reject", seen=seen(*ratings))
    submit(pieces={entry.piece_id: 11}, score=4)
    appearance_ratings_delete(actor=admin, session_participant_id=deleted.session_participant_id)
    deleted.session_participant.delete()
    undone = decision_undo(actor=admin, decision_id=rejected.id)
    assert undone.sentence_in("en") == "3 marks stay as they are: they were changed or deleted since."
    assert list(PieceRating.objects.values_list("score", flat=True)) == [11]
    approve = ratings_decide(actor=admin, decision="approve", seen=seen(*PieceRating.objects.all()))
    submit(pieces={entry.piece_id: 12}, score=4)
    ratings_decide(actor=admin, decision="approve", seen=seen(*PieceRating.objects.all()))
    undone = decision_undo(actor=admin, decision_id=approve.id)
    assert undone.sentence_in("en") == "1 mark stays as it is: it was changed or deleted since."
    assert approved()[0] == [True]


def test_decisions_are_pruned_after_ten_minutes(admin):
    rating = PieceRatingFactory()
    answer = ratings_decide(actor=admin, decision="reject", seen=seen(rating))
    names = str(Decision.objects.get()), str(DecidedRating.objects.get())
    assert names == (f"{answer.id}: rejected", f"piece-{rating.pk}")
    assert decisions_prune() == 0
    Decision.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    with pytest.raises(ValidationError, match="no longer be taken back"):
        decision_undo(actor=admin, decision_id=answer.id)
    decisions_prune()
    assert not DecidedRating.objects.exists()


def test_account_deletion_removes_its_decided_ratings(admin):
    rating = PieceRatingFactory()
    ratings_decide(actor=admin, decision="reject", seen=seen(rating))
    for data in account_data():
        if "decided_ratings.user_id" in data.columns:
            data.on_deletion(rating.user_id)
            data.on_deletion(admin.id)
    assert not DecidedRating.objects.exists()
    assert Decision.objects.get().user_id is None
