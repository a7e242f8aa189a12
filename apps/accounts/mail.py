"""Mails: written as text and HTML, sent by threads, so that no answer's time tells whether one is sent.

A mail that the server does not take is tried again after a second and after five, then given up and logged. Nothing of
a mail is stored.
"""

import logging
import smtplib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.utils.translation import override

log = logging.getLogger(__name__)
THREADS = 2
PAUSE = 0.2  # seconds after which a mail is written: the answer is on its way first
AGAIN = (1.0, 5.0)  # seconds before the next tries
FOLDER = "account/email"


class MailsEnded(Exception):
    """The process is about to end and takes no more mails."""


_executor = ThreadPoolExecutor(THREADS, "mail")
_waiting: set["Future[None]"] = set()


def mail_send(*, name: str, to: str, language: str = settings.LANGUAGE_CODE, **context: str) -> None:
    """Send the mail of this name when the transaction commits; `context` is what its templates show.

    Raises MailsEnded.
    """
    transaction.on_commit(lambda: mail_later(lambda: _send(name, to, language, context)))


def mail_later(work: Callable[[], None]) -> None:
    """Do what belongs to a mail in one of its threads, a little later; raises MailsEnded."""
    due = time.monotonic() + PAUSE
    try:
        future = _executor.submit(_run, work, due)
    except RuntimeError as error:
        raise MailsEnded from error
    _waiting.add(future)
    future.add_done_callback(_waiting.discard)


def mails_settle(seconds: float = 10.0) -> bool:
    """Wait until what was asked for is sent or given up; returns whether it was in time."""
    deadline = time.monotonic() + seconds
    while _waiting and time.monotonic() < deadline:
        wait(tuple(_waiting), timeout=deadline - time.monotonic())
    return not _waiting


def _run(work: Callable[[], None], due: float) -> None:
    time.sleep(max(0.0, due - time.monotonic()))
    try:
        work()
    except Exception:
        log.exception("a mail could not be sent")
    finally:
        connection.close()  # back to the pool


def _send(name: str, to: str, language: str, context: dict[str, str]) -> None:
    message = _written(name, to, language, context)
    for pause in (*AGAIN, None):
        try:
            message.send()
        except (smtplib.SMTPException, OSError):
            if pause is None:
                raise
            time.sleep(pause)
        else:
            return


def _written(name: str, to: str, language: str, context: dict[str, str]) -> EmailMultiAlternatives:
    shown = {"site": settings.PUBLIC_URL, "language": language, "to": to, **context}
    with override(language):
        subject = " ".join(render_to_string(f"{FOLDER}/{name}_subject.txt", shown).split())
        message = EmailMultiAlternatives(subject, render_to_string(f"{FOLDER}/{name}_message.txt", shown), to=[to])
        message.attach_alternative(render_to_string(f"{FOLDER}/{name}_message.html", shown), "text/html")
    return message
