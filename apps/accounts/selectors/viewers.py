"""Who looks."""

from apps.accounts.actors import STRANGER, Viewer
from apps.accounts.models import User


def viewer_get(*, user_id: int | None) -> Viewer:
    """Return the viewer behind an account, or STRANGER when there is none or it is inactive."""
    if user_id is None:
        return STRANGER
    columns = ("id", "username", "is_admin", "avatar_url")
    found = User.objects.filter(pk=user_id, is_active=True).values_list(*columns).first()
    return Viewer(*found) if found else STRANGER


def account_id_get(*, username: str) -> int | None:
    """Return the id of the account with that username, in any case, or None."""
    return User.objects.filter(username__iexact=username).values_list("id", flat=True).first()
