"""Viewers by account."""

from collections.abc import Collection, Mapping

from django.db.models.functions import Upper

from apps.accounts.actors import STRANGER, Viewer
from apps.accounts.models import User
from apps.accounts.models.user import USERNAME_SKELETON
from apps.accounts.permissions import may_run_the_site
from apps.accounts.validators import username_skeleton


def viewer_get(*, user_id: int | None, session: str = "") -> Viewer:
    """Return the viewer behind an account, in the session of this handle; STRANGER when it is gone or inactive."""
    if user_id is None:
        return STRANGER
    found = User.objects.filter(pk=user_id, is_active=True).first()
    return viewer_of_account(found, session) if found else STRANGER


def viewer_of_account(user: User, session: str = "") -> Viewer:
    """Return the viewer behind an account that was just read. One query, and that for administrators only."""
    may = may_run_the_site(user, session)
    lacks = user.is_admin and not may
    return Viewer(user.pk, user.username, may, user.avatar_url, session, lacks_factor=lacks)


def account_id_get(*, username: str) -> int | None:
    """Return the id of the account with that username, in any case, or None."""
    return User.objects.filter(username__iexact=username).values_list("id", flat=True).first()


def usernames_get(*, user_ids: Collection[int]) -> Mapping[int, str]:
    """Return the usernames of these accounts, by id, those that there are. One query."""
    return dict(User.objects.filter(pk__in=user_ids).values_list("id", "username"))


def usernames_known(*, usernames: Collection[str]) -> frozenset[str]:
    """Return those of these usernames that somebody has, in any case, as they are given. One query."""
    wanted = {name.upper() for name in usernames}
    found = User.objects.alias(upper=Upper("username")).filter(upper__in=wanted)
    known = {name.upper() for name in found.values_list("username", flat=True)}
    return frozenset(name for name in usernames if name.upper() in known)


def username_is_taken(*, username: str) -> bool:
    """Whether somebody has this username or one that looks like it. One query."""
    found = User.objects.alias(skeleton=USERNAME_SKELETON).filter(skeleton=username_skeleton(username))
    return found.filter(username_grandfathered=False).exists()
