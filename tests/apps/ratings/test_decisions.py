"""Test decisions of moderators: selections, all matching ratings, undo, topics, and race conditions."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.core.audit import audit_list
from apps.core.moderation import DecisionResult
from apps.ratings.enums import ApprovalFilter
from apps.ratings.models import DecidedRating, Decision, PerformanceRating, PieceRating
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last
from apps.ratings.services.moderation import mark_delete
from apps.ratings.services.rating_moderation import (
    decision_undo,
    decisions_prune,
    ratings_decide,
    ratings_decide_matching,
)
from apps.ratings.services.removal import appearance_ratings_delete
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.apps.ratings.deciding import PIECE, TABLES, approved, rows, seen
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
def test_decision_changes_only_the_selected_marks(admin, decision):
    marks, wholes = PieceRatingFactory.create_batch(3), PerformanceRatingFactory.create_batch(3)
    answer = ratings_decide(actor=admin, decision=decision, seen=seen(*marks[:2], wholes[0]))
    assert (answer.decided, answer.others, answer.changed) == (3, 0, 0)
    assert approved() == (
        [[True, True, False], [True, False, False]] if decision == "approve" else [[False], [False] * 2]
    )
    assert answer.sentence_in("en") == ("3 ratings approved." if decision == "approve" else "3 ratings rejected.")
    (entry,) = audit_list()
    names = [f"piece-{marks[0].pk}", f"piece-{marks[1].pk}", f"performance-{wholes[0].pk}"]
    performers = sorted(mark.appearance.participant.name for mark in (*marks[:2], wholes[0]))
    counts = {"count": 3, "pieces": 2, "performances": 1}
    assert (entry.user_id, entry.action) == (admin.id, f"ratings.{decision}")
    assert entry.details == {"name": ", ".join(performers), **counts, "marks": names}


def test_decided_deleted_and_changed_marks_are_skipped_and_counted(admin):
    waiting, approved, deleted, changed = PieceRatingFactory.create_batch(4)
    marks = seen(waiting, approved, deleted, changed)
    PieceRating.objects.filter(pk=approved.pk).update(approved=True)
    deleted.delete()
    PieceRating.objects.filter(pk=changed.pk).update(updated_at=timezone.now() + timedelta(seconds=1))
    answer = ratings_decide(actor=admin, decision="reject", seen=marks)
    assert answer.sentence_in("en") == (
        "1 rating rejected. 2 marks had been decided already. 1 mark changed since and still waits."
    )
    assert set(PieceRating.objects.values_list("pk", flat=True)) == {approved.pk, changed.pk}


def test_decision_without_waiting_marks_is_refused(admin):
    marks = seen(PieceRatingFactory())
    decide = partial(ratings_decide, actor=admin, decision="approve", seen=marks)
    PieceRating.objects.update(updated_at=timezone.now())
    with pytest.raises(ValidationError, match="has changed since"):
        decide()
    PieceRating.objects.update(approved=True)
    with pytest.raises(ValidationError, match="decided already"):
        decide()
    for values in ({"seen": []}, {"seen": marks * 1001}, {"decision": "shred"}):
        with pytest.raises(ValidationError):
            decide(**values)
    assert not Decision.objects.exists()


def test_matching_decision_skips_newer_marks(admin):
    appearance = AppearanceFactory()
    low = [PieceRatingFactory(appearance=appearance, score=score) for score in (1, 2)]
    PieceRatingFactory(appearance=appearance, score=20)
    PieceRatingFactory(score=1)
    until = timezone.now()
    PieceRatingFactory(appearance=appearance, score=1, updated_at=until + timedelta(seconds=1))
    filters = QueueFilter(kind=PIECE, session_id=appearance.session_id, score_to=5, show=ApprovalFilter.ALL)
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)
    assert answer.sentence_in("en") == "2 ratings rejected."
    assert PieceRating.objects.count() == 3
    assert not PieceRating.objects.filter(pk__in=[mark.pk for mark in low]).exists()
    with pytest.raises(ValidationError, match="Nothing that waits matches"):
        ratings_decide_matching(actor=admin, decision="reject", filters=filters, until=until)


def test_query_count_does_not_grow_with_the_marks(admin, django_assert_num_queries):
    entry = ProgramEntryFactory()
    columns = {"appearance": entry.appearance, "piece": entry.piece, "score": 20}
    for count in (30, 150):
        users = User.objects.bulk_create(UserFactory.build_batch(count))
        PieceRating.objects.bulk_create(PieceRating(user=user, **columns) for user in users)
        approve = partial(ratings_decide_matching, actor=admin, decision="approve", filters=QueueFilter())
        with django_assert_num_queries(19):
            answer = approve(until=timezone.now())
        assert answer.decided == count


def test_marks_beyond_the_size_of_a_statement_are_decided(admin, monkeypatch):
    for module in ("verdicts", "rating_moderation"):
        monkeypatch.setattr(f"apps.ratings.services.{module}.AT_ONCE", 2)
    monkeypatch.setattr("apps.ratings.services.rating_moderation.MATCHED", 4)
    for whole in PerformanceRatingFactory.create_batch(5):
        PieceRatingFactory.create_batch(2, user=whole.user, appearance=whole.appearance)
    before = rows()
    both = QueueFilter(both=True)
    answer = ratings_decide_matching(actor=admin, decision="reject", filters=both, until=timezone.now())
    assert answer.decided == 4
    assert [len(table) for table in rows()] == [2, 1]
    assert decision_undo(actor=admin, decision_id=answer.id).back == 4
    assert rows() == before


@pytest.mark.parametrize(("both", "left"), [(False, [2, 3]), (True, [2, 2])])
def test_matching_decision_includes_the_whole_performance_on_request(admin, both, left):
    wholes = PerformanceRatingFactory.create_batch(3)
    for whole, score in zip(wholes, (3, 3, 20), strict=True):
        PieceRatingFactory.create_batch(2, user=whole.user, appearance=whole.appearance, score=score)
    PieceRating.objects.filter(user=wholes[0].user).update(approved=True)
    filters = QueueFilter(score_to=5, both=both)
    answer = ratings_decide_matching(actor=admin, decision="approve", filters=filters, until=timezone.now())
    assert (answer.decided, answer.sentence_in("en")) == (1, "1 rating approved.")
    assert [table.count(False) for table in approved()] == left
    assert list(PerformanceRating.objects.filter(approved=True)) == [wholes[1]] * both
    (entry,) = audit_list()
    assert (entry.details["count"], entry.details["pieces"], entry.details["performances"]) == (1, 2, int(both))


def test_answer_about_one_rating_has_the_words_of_the_specification(admin):
    for rating, kind in ((PieceRatingFactory(), "Piece"), (PerformanceRatingFactory(), "Performance")):
        answer = ratings_decide(actor=admin, decision="approve", seen=seen(rating))
        assert answer.sentence_in("en") == f"{kind} rating approved successfully"
    whole = PerformanceRatingFactory()
    marks = PieceRatingFactory.create_batch(3, user=whole.user, appearance=whole.appearance)
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(*marks))
    assert answer.sentence_in("en") == "Piece rating approved successfully"
    assert decision_undo(actor=admin, decision_id=answer.id).sentence_in("en") == "1 rating waits again."
    answer = ratings_decide(actor=admin, decision="reject", seen=seen(*marks, whole))
    assert answer.sentence_in("en") == "Piece rating rejected successfully. And the whole performance."
    assert decision_last(user_id=admin.id).count == 1


def test_audit_has_deletions_by_moderators_and_not_by_authors(admin):
    rating, own = PieceRatingFactory(approved=True, score=3), PieceRatingFactory()
    mark_delete(actor=admin, kind=PIECE, mark_id=rating.pk)
    mark_delete(actor=viewer_of(own.user), kind=PIECE, mark_id=own.pk)
    (entry,) = audit_list()
    before = {"marks": [f"piece-{rating.pk}: 3"], "approved": True}
    assert entry.details == {"before": before, "name": rating.appearance.participant.name}


def test_rejection_publishes_private_topics_and_approval_also_public_ones(listener, admin):
    rating = PieceRatingFactory()
    stage = f"stage.{rating.appearance.session.stage_id}.ratings"
    waiting = {"ratings.waiting", f"session_participant.{rating.appearance_id}.waiting"}
    private = {*waiting, f"account.{rating.user_id}.ratings", stage}
    answer = ratings_decide(actor=admin, decision="reject", seen=seen(rating))
    assert listener.heard() == private
    decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == private
    answer = ratings_decide(actor=admin, decision="approve", seen=seen(rating))
    appearance = rating.appearance
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
    appearance_id = entry.appearance_id
    submit = partial(ratings_submit, actor=fan, appearance_id=appearance_id, comment="So.")
    submit(pieces={entry.piece_id: 10}, score=3)
    deleted = PieceRatingFactory()
    ratings = [*PieceRating.objects.all(), *PerformanceRating.objects.all()]
    rejected = ratings_decide(actor=admin, decision="reject", seen=seen(*ratings))
    submit(pieces={entry.piece_id: 11}, score=4)
    appearance_ratings_delete(actor=admin, appearance_id=deleted.appearance_id)
    deleted.appearance.delete()
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("second", ["approve", "reject"])
def test_concurrent_decisions_decide_each_rating_once(admin, second):
    other = viewer_of(UserFactory(is_admin=True))
    for _ in range(2):
        ratings = [*PieceRatingFactory.create_batch(8), *PerformanceRatingFactory.create_batch(8)]
        answers = run_together(
            partial(ratings_decide, actor=admin, decision="approve", seen=seen(*ratings)),
            partial(ratings_decide, actor=other, decision=second, seen=seen(*reversed(ratings))),
        )
        decided = [answer.decided for answer in answers if isinstance(answer, DecisionResult)]
        messages = [answer.messages for answer in answers if isinstance(answer, ValidationError)]
        assert sum(decided) == 16
        assert messages in ([], [["This rating has been decided already."]])
        left = sum(len(table) for table in approved())
        rejected = answers[1].decided if second == "reject" and isinstance(answers[1], DecisionResult) else 0
        assert left == 16 - rejected
        for table in TABLES:
            table.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_concurrent_matching_decisions_leave_changed_ratings_waiting(admin):
    entries = [ProgramEntryFactory() for _ in range(3)]
    fans = [viewer_of(UserFactory()) for _ in range(3)]

    def submit(fan, entry, score):
        return ratings_submit(
            actor=fan,
            appearance_id=entry.appearance_id,
            pieces={entry.piece_id: score},
            score=3,
            comment=f"{score}.",
        )

    for turn in range(2):
        for fan in fans:
            for entry in entries:
                submit(fan, entry, 1 + turn * 2)
        every = partial(ratings_decide_matching, actor=admin, filters=QueueFilter(), until=timezone.now())
        answers = run_together(
            partial(every, decision="approve"),
            partial(every, decision="reject"),
            *(partial(submit, fan, entries[0], 2 + turn * 2) for fan in fans),
        )
        assert all(isinstance(answer, DecisionResult | ValidationError | str) for answer in answers)
        shown = PieceRating.objects.filter(approved=True).values_list("score", flat=True)
        assert set(shown) <= {1 + turn * 2}  # a changed rating waits, in either order
