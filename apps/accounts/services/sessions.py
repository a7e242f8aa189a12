"""Writes of sessions."""

from collections.abc import Sequence
from functools import partial

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Viewer
from apps.accounts.events import AccountChanged
from apps.accounts.models import AuthSession
from apps.accounts.permissions import account_require
from apps.accounts.session_store import REST, RESTS, end_after, ended
from apps.core.events import publish
from apps.core.observability import security_event


@transaction.atomic
def first_sign_in_publish(*, account_id: int) -> None:
    """Publish that the account has its first sign-in: open lists of accounts offer its appointment."""
    publish(AccountChanged(account_id))


@transaction.atomic
def session_end(*, session: SessionBase, account_id: int) -> None:
    """End a session. Its open pages are notified at once."""
    session.flush()
    publish(AccountChanged(account_id))
    transaction.on_commit(partial(security_event, "signed out", account=account_id))


@transaction.atomic
def session_renew(*, session: SessionBase, account_id: int) -> None:
    """Give a session a new key, after a reauthentication. Its pages reconnect with the new cookie."""
    session.cycle_key()
    publish(AccountChanged(account_id))


@transaction.atomic
def session_end_own(*, actor: Viewer, handle: str) -> bool:
    """End one of the actor's sessions and close its pages; return False for an unknown handle.

    Raises PermissionDenied, and ValidationError for a malformed handle.
    """
    account_id = account_require(actor)
    ended, _ = AuthSession.objects.filter(user_id=account_id, handle=handle).delete()
    publish(AccountChanged(account_id))
    return bool(ended)


def session_hold(*, actor: Viewer) -> bool:
    """Keep the actor's session from being deleted until the transaction ends; return whether it is valid. One query.

    For writes of rows that end with the session.
    """
    if actor.id is None or not actor.session:
        return False
    found = AuthSession.objects.select_for_update(no_key=True).filter(user_id=actor.id, handle=actor.session)
    return found.filter(expire_date__gt=Now()).values_list("pk", flat=True).first() is not None


@transaction.atomic
def sessions_end_others(*, actor: Viewer) -> int:
    """End all sessions of the actor except the current one; return their number.

    Raises PermissionDenied, and ValidationError for an actor without a session.
    """
    account_id = account_require(actor)
    ended, _ = AuthSession.objects.filter(user_id=account_id).exclude(handle=actor.session).delete()
    publish(AccountChanged(account_id))
    return ended


@transaction.atomic
def sessions_slide(*, keys: Sequence[str]) -> int:
    """Extend sessions in use that have not been seen lately; return their number."""
    found = AuthSession.objects.filter(RESTS, key__in=keys, expire_date__gt=Now())
    return found.update(seen_at=Now(), expire_date=end_after(REST))


@transaction.atomic
def sessions_prune() -> int:
    """Delete sessions that ended a day ago or earlier; return their number."""
    pruned, _ = ended().delete()
    return pruned
