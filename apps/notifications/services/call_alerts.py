"""Writes of call alerts: a member wants to be notified when the next performer of a session is called."""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.accounts.services.accounts import account_lock
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import live_session, session_appearances
from apps.core.events import publish
from apps.notifications.events import CallAlertChanged
from apps.notifications.models import CallAlert

TOLD, UNTOLD = "You will be told.", "You will not be told."


@transaction.atomic
def call_alert_set(*, actor: Actor, session_id: int, is_wanted: bool) -> str:
    """Notify the actor of the next performer of a live session, or not, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor, ValidationError for a session that is not live, while a performer
    is on stage, and after the last one. Idempotent.
    """
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to be told when it begins.")
    if is_wanted:
        alert = {"stay_id": _stay_before(session_id), "created_at": Now(), "told_at": None}
        CallAlert.objects.update_or_create(session_id=session_id, user_id=user_id, defaults=alert)
    else:
        CallAlert.objects.filter(session_id=session_id, user_id=user_id).delete()
    publish(CallAlertChanged(user_id))
    return TOLD if is_wanted else UNTOLD


def _stay_before(session_id: int) -> int:
    """Return the last time on stage before the next performer is called, 0 before the first."""
    session = live_session()
    if session is None or session.id != session_id:
        raise ValidationError("This session is not live.")
    appearances = session_appearances(session_id=session_id)
    if (now := performer(appearances)) is not None:
        raise ValidationError("It has begun: %(name)s is on stage.", params={"name": now.name})
    if following(appearances) is None:
        raise ValidationError("Nobody comes next in this session.")
    last = last_on_stage(appearances)
    return (last.stay_id or 0) if last else 0
