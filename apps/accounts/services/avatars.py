"""Writes of the default pictures."""

from dataclasses import asdict

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, Viewer
from apps.accounts.audit_notes import change_note
from apps.accounts.events import DefaultAvatarsChanged
from apps.accounts.models import DefaultAvatars
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors import default_avatars
from apps.core.edits.edit_merge import Saved, edit_merge
from apps.core.events import publish
from apps.core.permissions import require

_LABELS = {"user_avatar_url": "Picture of listeners", "participant_avatar_url": "Picture of participants"}


@transaction.atomic
def default_avatars_set(
    *, actor: Actor, user_avatar_url: str, participant_avatar_url: str, version: str | None = None
) -> Saved[str]:
    """Choose the default pictures and return the sentence to show.

    `version` is `Defaults.version` as it was read. Raises PermissionDenied, EditConflict, ValidationError unless both
    are given.
    """
    require(is_administrator(actor), "Only administrators choose the default pictures.")
    DefaultAvatars.objects.select_for_update().order_by("-created_at", "-id").first()  # one after the other
    before = asdict(default_avatars())
    given = {"user_avatar_url": user_avatar_url.strip(), "participant_avatar_url": participant_avatar_url.strip()}
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    chosen = DefaultAvatars(**after, updated_by_id=actor.id if isinstance(actor, Viewer) else None)
    if not (chosen.user_avatar_url and chosen.participant_avatar_url):
        raise ValidationError("Both default pictures are needed.")
    chosen.full_clean()
    chosen.save()
    change_note(actor=actor, action="default_avatars.set", subject_id=chosen.pk, before=before, after=after)
    publish(DefaultAvatarsChanged())
    return Saved("Default avatars updated successfully", kept_fields)
