"""Notifications by mail: all that are due to a member go into one mail, queued with the row that says so."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction

from apps.accounts.mail import mail_send
from apps.accounts.selectors.own_account import Recipient, recipients_get
from apps.core.database.fields import database_now
from apps.notifications.enums import Kind, MailChoice
from apps.notifications.limits import NOTICES_AT_ONCE
from apps.notifications.links import page_of
from apps.notifications.models import Notification
from apps.notifications.selectors.preferences import DEFAULTS, preferences_get
from apps.notifications.unsubscribing import unsubscribe_address, unsubscribe_headers
from apps.notifications.wording import sentences
from apps.notifications.zones import zone_of

# The member with the longest wait whose account no other transaction has locked: a sender, or the member's own change.
_TAKE = """
SELECT account.id FROM notifications AS due JOIN users AS account ON account.id = due.user_id
WHERE due.mail_due_at <= now() ORDER BY due.mail_due_at LIMIT 1 FOR NO KEY UPDATE OF account SKIP LOCKED
"""


def notices_send() -> timedelta | None:
    """Mail the notifications that are due, one mail a member; return how long until the next, None without one.

    Each member is one transaction, which queues the mail and marks its notifications. The result is not above zero if
    another transaction has locked a member, and after NOTICES_AT_ONCE members while others wait.
    """
    for _ in range(NOTICES_AT_ONCE):
        if not _member_send():
            break
    next_at = Notification.objects.filter(mail_due_at__isnull=False).order_by("mail_due_at")
    following = next_at.values_list("mail_due_at", flat=True).first()
    return following - database_now() if following else None


@transaction.atomic
def _member_send() -> bool:
    """Mail what is due to one member; return whether there was one."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE)
        found = cursor.fetchone()
    if found is None:
        return False
    (user_id,) = found
    now = database_now()
    due = Notification.objects.filter(user_id=user_id, mail_due_at__lte=now)
    rows = list(due.select_for_update(no_key=True).order_by("created_at", "id"))
    preferences = preferences_get(user_id=user_id) if rows else DEFAULTS
    recipient = recipients_get(user_ids=[user_id]).get(user_id)
    if recipient is not None and preferences.mail != MailChoice.NEVER:
        lines = _lines([row for row in rows if row.expires_at > now], preferences.time_zone)
        if lines:
            _queue(user_id, recipient, lines)
    Notification.objects.filter(pk__in=[row.pk for row in rows]).update(mail_due_at=None)
    return True


def _lines(rows: Sequence[Notification], time_zone: str) -> list[dict[str, str]]:
    """Return the lines of a mail: performer, sentence and address; of equal sentences the last one."""
    said = sentences(rows, language=settings.LANGUAGE_CODE, zone=zone_of(time_zone))
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        if words := said.get(row.pk):
            lines.pop(words.text, None)
            lines[words.text] = {"name": words.name, "text": words.text, "link": settings.PUBLIC_URL + _page_of(row)}
    return list(lines.values())


def _page_of(row: Notification) -> str:
    return page_of(
        kind=Kind(row.kind), participant_id=row.participant_id, session_id=row.session_id, stage_id=row.stage_id
    )


def _queue(user_id: int, recipient: Recipient, lines: Sequence[dict[str, str]]) -> None:
    names = list(dict.fromkeys(line["name"] for line in lines))
    mail_send(
        name="notifications",
        to=recipient.email,
        username=recipient.username,
        first=names[0],
        others=len(names) - 1,
        lines=list(lines),
        unsubscribe=unsubscribe_address(user_id),
        headers=unsubscribe_headers(user_id),
    )
