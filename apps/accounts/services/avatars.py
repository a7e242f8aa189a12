"""Writes of the default pictures."""

from collections.abc import Mapping
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

    Without both the drawn ones stand again. `version` is `Defaults.version` as it was read. Raises PermissionDenied,
    EditConflict, ValidationError when one alone is given.
    """
    require(is_administrator(actor), "Only administrators choose the default pictures.")
    DefaultAvatars.objects.select_for_update().order_by("-created_at", "-id").first()  # one after the other
    before = asdict(default_avatars())
    given = {"user_avatar_url": user_avatar_url.strip(), "participant_avatar_url": participant_avatar_url.strip()}
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    chosen = _store(actor, after) if any(after.values()) else None
    if chosen is None:
        DefaultAvatars.objects.all().delete()
    subject_id = chosen.pk if chosen else None
    change_note(actor=actor, action="default_avatars.set", subject_id=subject_id, before=before, after=after)
    publish(DefaultAvatarsChanged())
    return Saved("Default avatars updated successfully", kept_fields)


def _store(actor: Actor, pictures: Mapping[str, str]) -> DefaultAvatars:
    """Store both pictures and return their row. Raises ValidationError, at the one that is missing."""
    missing = {name: "Both default pictures are needed." for name, address in pictures.items() if not address}
    if missing:
        raise ValidationError(missing)
    chosen = DefaultAvatars(**pictures, updated_by_id=actor.id if isinstance(actor, Viewer) else None)
    chosen.full_clean()
    chosen.save()
    return chosen
