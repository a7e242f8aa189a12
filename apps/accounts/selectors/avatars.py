"""The pictures of those who have none of their own."""

import logging
from dataclasses import asdict, dataclass

from django.db import DatabaseError

from apps.accounts.models import DefaultAvatars
from apps.core.edits.edit_merge import version_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Defaults:
    """Addresses of the default pictures; empty where initials are drawn instead."""

    user_avatar_url: str = ""
    participant_avatar_url: str = ""

    @property
    def version(self) -> str:
        """The version that whoever chooses others has read."""
        return version_of(asdict(self))


def default_avatars() -> Defaults:
    """Return the default pictures chosen last; a read that fails is logged, and initials are drawn. One query."""
    columns = ("user_avatar_url", "participant_avatar_url")
    try:
        row = DefaultAvatars.objects.order_by("-created_at", "-id").values_list(*columns).first()
    except DatabaseError:
        log.exception("default avatars could not be read; initials are drawn")
        return Defaults()
    return Defaults(*row) if row else Defaults()
