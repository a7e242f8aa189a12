"""Writes of members' notifications after they were created: seen, and deleted when they are old."""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.accounts.services.accounts import account_lock
from apps.core.events import publish
from apps.notifications.events import NotificationsChanged
from apps.notifications.limits import ANNOUNCEMENT_KEPT, KEPT
from apps.notifications.models import Announcement, CallAlert, Notification


@transaction.atomic
def notifications_see(*, actor: Actor, notification_id: int) -> None:
    """Note that the actor has seen a notification and all older ones, so that no page shows them any more.

    Raises PermissionDenied for an anonymous visitor, ValidationError for an id that is not of the actor's
    notifications. Idempotent.
    """
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to see notifications.")
    own = Notification.objects.filter(user_id=user_id)
    if not own.filter(pk=notification_id).exists():
        raise ValidationError("This notification is not there any more.")
    if own.filter(pk__lte=notification_id, seen_at=None).update(seen_at=Now()):
        publish(NotificationsChanged(user_id))


def notifications_prune() -> int:
    """Delete old rows and return their number.

    They are notifications older than KEPT, announcements finished ANNOUNCEMENT_KEPT ago, and the call alerts of
    sessions that are not live.
    """
    notifications, _ = Notification.objects.filter(created_at__lt=Now() - Value(KEPT)).delete()
    finished = Announcement.objects.filter(finished_at__lt=Now() - Value(ANNOUNCEMENT_KEPT))
    announcements, _ = finished.delete()
    alerts, _ = CallAlert.objects.filter(session__is_live=False).delete()
    return notifications + announcements + alerts
