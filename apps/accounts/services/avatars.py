"""Writes of the default pictures."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, Viewer
from apps.accounts.events import DefaultAvatarsChanged
from apps.accounts.models import DefaultAvatars
from apps.accounts.permissions import is_administrator
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.permissions import require


@transaction.atomic
def default_avatars_set(*, actor: Actor, user_avatar_url: str, participant_avatar_url: str) -> str:
    """Choose the pictures of those who have none, and return what to say.

    Raises PermissionDenied, ValidationError unless both are given.
    """
    require(is_administrator(actor), "Only administrators choose the default pictures.")
    by = actor.id if isinstance(actor, Viewer) else None
    chosen = DefaultAvatars(
        user_avatar_url=user_avatar_url.strip(),
        participant_avatar_url=participant_avatar_url.strip(),
        updated_by_id=by,
    )
    if not (chosen.user_avatar_url and chosen.participant_avatar_url):
        raise ValidationError("Both default pictures are needed.")
    chosen.full_clean()
    chosen.save()
    audit_record(user_id=by, action="default_avatars.set", subject="default_avatars", subject_id=chosen.pk)
    publish(DefaultAvatarsChanged())
    return "Default avatars updated successfully"
