"""Approval and rejection of one mark, and deletion of one mark or a whole rating."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.core.moderation import Seen
from apps.core.permissions import require
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.permissions import can_delete
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.rating_moderation import MARK_SENTENCES, ratings_decide
from apps.ratings.services.strikes import draft_clear, drafts_keep
from apps.ratings.services.submission import ratings_lock, ratings_of_marks_lock
from apps.ratings.services.verdicts import TABLES, Row, names_of

DELETED = "Rating deleted successfully"
GONE = "This rating has been deleted already."
NOT_OWN = "You can only delete your own ratings."


def mark_approve(*, actor: Actor, kind: RatingKind, mark_id: int, seen_at: datetime | None = None) -> str:
    """Approve a mark, which makes it public, and return the sentence for the moderator.

    `seen_at` is the `updated_at` of the version that the moderator read: no other version is approved. Raises
    PermissionDenied, and ValidationError when the mark has changed since or is decided already.
    """
    ratings_decide(actor=actor, decision=Verdict.APPROVE, seen=[Seen(kind, mark_id, seen_at)])
    return MARK_SENTENCES[kind, Verdict.APPROVE]


def mark_reject(*, actor: Actor, kind: RatingKind, mark_id: int) -> str:
    """Delete a mark that awaits approval and return the sentence for the moderator.

    Raises PermissionDenied, and ValidationError when the mark is decided already.
    """
    ratings_decide(actor=actor, decision=Verdict.REJECT, seen=[Seen(kind, mark_id)])
    return MARK_SENTENCES[kind, Verdict.REJECT]


@transaction.atomic
def rating_delete(*, actor: Actor, appearance_id: int, user_id: int) -> str:
    """Delete a person's rating of a performance with all its marks, approved or not, and return the sentence to show.

    Raises PermissionDenied unless the actor is its author or a moderator, ValidationError when there is none.
    """
    require(can_delete(actor, user_id), NOT_OWN)
    rating = {"user_id": user_id, "appearance_id": appearance_id}
    ratings_lock(**rating)
    marks = [mark for table in TABLES.values() for mark in _marks(table.objects.filter(**rating))]
    return _delete(actor, marks)


@transaction.atomic
def mark_delete(*, actor: Actor, kind: RatingKind, mark_id: int) -> str:
    """Delete one mark of a rating, approved or not, and return the sentence to show.

    Raises PermissionDenied unless the actor is its author or a moderator, ValidationError when there is none.
    """
    ratings_of_marks_lock({kind: [mark_id]})
    marks = _marks(TABLES[kind].objects.filter(pk=mark_id))
    for mark in marks:
        require(can_delete(actor, mark.user_id), NOT_OWN)
    return _delete(actor, marks)


def _marks(found: "QuerySet[Any]") -> list[Row]:
    """Return these marks, locked, with their performances."""
    return list(found.select_for_update(of=("self",)).select_related("appearance").order_by("pk"))


def _delete(actor: Actor, marks: Sequence[Row]) -> str:
    """Delete these marks of one rating, record the audit entry and publish it. Raises ValidationError without marks."""
    if not marks:
        raise ValidationError(GONE)
    names = {kind: [mark for mark in marks if isinstance(mark, table)] for kind, table in TABLES.items()}
    for kind, gone in names.items():
        TABLES[kind].objects.filter(pk__in=[mark.pk for mark in gone]).delete()
    user_id, appearance = marks[0].user_id, marks[0].appearance
    if account_of(actor) == user_id:
        draft_clear(user_id=user_id, appearance_id=appearance.pk, marks=marks)
    else:
        drafts_keep(marks, are_rejected=True)
        change_note(
            actor=actor,
            action="ratings.delete",
            subject_id=appearance.pk,
            name=names_of({appearance.participant_id}),
            before={
                "marks": [f"{kind}-{mark.pk}: {mark.score}" for kind, gone in names.items() for mark in gone],
                "approved": all(mark.approved for mark in marks),
            },
        )
    public, waiting = any(mark.approved for mark in marks), not all(mark.approved for mark in marks)
    ratings_announce((user_id,), (appearance.pk,), public=public, waiting=waiting)
    return DELETED
