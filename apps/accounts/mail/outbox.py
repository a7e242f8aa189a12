"""Mails: stored in the transaction that asks for them, sent by threads, tried again until the mail server takes them.

They stand in a table until then, so that a killed process loses none: any process sends what is due. Threads send
them, so that the time of an answer does not tell whether a mail is sent.
"""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from apps.accounts.mail.messages import mail_messages
from apps.accounts.models import Mail
from apps.core.database.errors import DATABASE_AWAY

log = logging.getLogger(__name__)
THREADS = 2
PAUSE = 0.2  # seconds before a mail is written, so that the answer is sent first
AGAIN = (1.0, 5.0, 60.0, 600.0, 3_600.0)  # seconds before each next try; after the last one the mail is deleted
SERIOUS = 3  # failed tries after which a mail is an error
SOON = 60.0  # seconds; every process looks each minute for what is due later
LEASE = timedelta(seconds=60)  # after which another process may take the mail of one that died

_executor = ThreadPoolExecutor(THREADS, "mail")


def mail_send(*, name: str, to: str, language: str = settings.LANGUAGE_CODE, **context: str) -> None:
    """Store the mail of this name, to be sent when the transaction commits; `context` is for its templates."""
    Mail.objects.create(name=name, recipient=to, language=language, context=context)
    transaction.on_commit(lambda: mails_wake(PAUSE))


def mails_wake(pause: float = 0.0) -> None:
    """Send what is due in a thread, after `pause` seconds; a process that ends leaves it to another one."""
    due = time.monotonic() + pause
    with suppress(RuntimeError):  # the process ends
        _executor.submit(_run, due)


def mails_forget(*, to: str) -> None:
    """Delete the mails that wait for this address."""
    Mail.objects.filter(recipient__iexact=to).delete()


def _run(due: float) -> None:
    time.sleep(max(0.0, due - time.monotonic()))
    try:
        while mail := _mail_take():
            _deliver(mail)
    except DATABASE_AWAY as error:  # the database is away, which /readyz says; they wait there
        log.warning("the mails that wait could not be read: %s", error)
    except Exception:
        log.exception("the mails that wait could not be read")
    finally:
        connection.close()  # back to the pool


@transaction.atomic
def _mail_take() -> Mail | None:
    """Return the mail that is due longest, or None; for LEASE no other process takes it."""
    due = Mail.objects.select_for_update(skip_locked=True).filter(due_at__lte=Now()).order_by("due_at", "id")
    mail = due.first()
    if mail is not None:
        Mail.objects.filter(pk=mail.pk).update(due_at=Now() + LEASE, tries=F("tries") + 1)
        mail.tries += 1
    return mail


def _deliver(mail: Mail) -> None:
    try:
        for message in mail_messages(name=mail.name, to=mail.recipient, language=mail.language, context=mail.context):
            message.send()
    except Exception as error:  # noqa: BLE001 - one that fails must not stop the others
        _put_off(mail, error)
    else:
        mail.delete()


def _put_off(mail: Mail, error: Exception) -> None:
    pause = AGAIN[mail.tries - 1] if mail.tries <= len(AGAIN) else None
    level = logging.ERROR if pause is None or mail.tries >= SERIOUS else logging.WARNING
    log.log(level, "a mail could not be sent (%s, try %d)", mail.name, mail.tries, exc_info=error)
    if pause is None:
        mail.delete()
        return
    Mail.objects.filter(pk=mail.pk).update(due_at=Now() + timedelta(seconds=pause))
    if pause < SOON:
        mails_wake(pause)
