"""Helpers of the tests: members with choices, and notifications that are due."""

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
    """Return an account with a confirmed address that has chosen e-mails at once, or these choices."""
    user = MemberFactory()
    NotificationPreference.objects.create(user=user, **{"mail": "at_once", **choices})
    return user


def noted(user: User, appearance, kind: Kind = Kind.NOW, *, due=timedelta(0), lasts=timedelta(minutes=10), **more):
    """Return a notification of this appearance; `due` is how long until its e-mail."""
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
    """Send what is due, in a process of its own; return whether nothing is left.

    Each process writes to its own folder: Django names a file by the second and an address in memory, which two
    processes may share.
    """
    settings.EMAIL_FILE_PATH = f"{folder}/{os.getpid()}"
    return notices_send() is None


def mails_in(folder: Path) -> list[Message]:
    """Return the mails of all processes; Django writes a line of hyphens after each."""
    texts = [text for path in folder.glob("*/*.log") for text in path.read_bytes().split(b"-" * 79 + b"\n") if text]
    return [email.message_from_bytes(text, policy=default) for text in texts]
