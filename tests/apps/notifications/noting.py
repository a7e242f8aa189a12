"""Members with preferences, and notifications that are due."""

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.notifications.enums import Kind
from apps.notifications.models import Notification, NotificationPreference
from tests.factories import MemberFactory


def member(**choices) -> User:
    """Return an account with a confirmed address; it has chosen e-mails at once unless `choices` differ."""
    user = MemberFactory()
    NotificationPreference.objects.create(user=user, **{"mail": "at_once", **choices})
    return user


def noted(user: User, appearance, kind: Kind = Kind.NOW, *, due=timedelta(0), lasts=timedelta(minutes=10), **more):
    """Return a notification of this appearance; `due` is the time until its e-mail."""
    now = timezone.now()
    fields = {
        "participant_id": appearance.participant_id,
        "session_id": appearance.session_id,
        "occasion": f"session.{appearance.session_id}",
        "mail_due_at": now + due,
        "expires_at": now + lasts,
    }
    return Notification.objects.create(user=user, kind=kind, **fields | more)
