"""Members with preferences, notifications that are due, and sending them in another process."""

import email
import os
from datetime import timedelta
from email.message import Message
from email.policy import default
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from apps.accounts.models import User
from apps.notifications.enums import Kind
from apps.notifications.models import Notification, NotificationPreference
from apps.notifications.services.notices import notices_send
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


def send(_number: int, folder: str) -> bool:
    """Send the due mails in another process; return whether all were sent.

    Each process writes to its own folder: Django names a file by the second and by an address in memory, and both may
    be equal in two processes.
    """
    settings.EMAIL_FILE_PATH = f"{folder}/{os.getpid()}"
    return notices_send() is None


def mails_in(folder: Path) -> list[Message]:
    """Return the mails of all processes; Django ends each with a line of hyphens."""
    texts = [text for path in folder.glob("*/*.log") for text in path.read_bytes().split(b"-" * 79 + b"\n") if text]
    return [email.message_from_bytes(text, policy=default) for text in texts]
