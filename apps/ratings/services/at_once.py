"""Approval of piece ratings without a moderator, for proven accounts, while the setting is on.

The specification asks for approval by an administrator: the setting is an administrator's decision, off by default.
"""

from datetime import timedelta
from typing import Any

from django.db import connection, transaction

from apps.accounts.actors import OPERATOR, Actor
from apps.accounts.audit_notes import change_note
from apps.core.events import publish
from apps.core.permissions import require
from apps.ratings.enums import RatingKind
from apps.ratings.events import ApprovalSettingChanged
from apps.ratings.limits import PROVEN_FROM, UNREJECTED_FOR
from apps.ratings.models import ApprovalSetting
from apps.ratings.permissions import can_moderate
from apps.ratings.selectors.deciding import pieces_at_once
from apps.ratings.services.verdicts import names_of

REASON = "Setting: approve the piece ratings of proven accounts at once"
TURNED_ON = "Piece ratings of proven accounts are approved at once from now on."
TURNED_OFF = "All ratings wait for a moderator again. What was approved stays approved."
# A submission counts as approved with its mark of the whole performance, which only a moderator approves.
_APPROVE = """
UPDATE piece_ratings SET approved = true
WHERE user_id = %(user)s AND session_participant_id = %(appearance)s AND NOT approved
    AND (SELECT pieces_at_once FROM approval_settings)
    AND (
        SELECT count(*) FROM (
            SELECT FROM performance_ratings WHERE user_id = %(user)s AND approved LIMIT %(proven)s
        ) AS approvals
    ) >= %(proven)s
    AND NOT EXISTS (SELECT FROM rating_drafts WHERE user_id = %(user)s AND rejected_at > now() - %(unrejected)s)
RETURNING id
"""


@transaction.atomic
def pieces_at_once_set(*, actor: Actor, is_on: bool) -> str:
    """Store whether piece ratings of proven accounts are approved at once; return the sentence to show.

    No mark changes. Raises PermissionDenied unless the actor is an administrator.
    """
    require(can_moderate(actor), "Only administrators decide about ratings.")
    ApprovalSetting.objects.bulk_create([ApprovalSetting()], ignore_conflicts=True)
    ApprovalSetting.objects.select_for_update().get()
    before = {"pieces_at_once": pieces_at_once()}
    ApprovalSetting.objects.update(pieces_at_once=is_on)
    after = {"pieces_at_once": is_on}
    change_note(actor=actor, action="ratings.setting", subject_id=None, before=before, after=after)
    publish(ApprovalSettingChanged())
    return TURNED_ON if is_on else TURNED_OFF


def pieces_approve(*, user_id: int, appearance_id: int, participant_id: int) -> bool:
    """Approve the waiting piece ratings of a submission if the setting is on and the account is proven.

    Return whether any was approved. One statement without any, in the transaction that stores the submission and locks
    it. The audit names the setting as the reason, and the performer.
    """
    values: dict[str, Any] = {
        "user": user_id,
        "appearance": appearance_id,
        "proven": PROVEN_FROM,
        "unrejected": timedelta(seconds=UNREJECTED_FOR),
    }
    with connection.cursor() as cursor:
        cursor.execute(_APPROVE, values)
        ids = sorted(pk for (pk,) in cursor.fetchall())
    if ids:
        marks = [f"{RatingKind.PIECE}-{pk}" for pk in ids]
        about: dict[str, Any] = {"count": 1, "pieces": len(ids), "performances": 0, "marks": marks, "reason": REASON}
        name = names_of({participant_id})
        change_note(actor=OPERATOR, action="ratings.at_once", subject_id=appearance_id, name=name, **about)
    return bool(ids)
