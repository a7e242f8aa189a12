"""Mails of accounts: their texts, the outbox that sends them, and the one-time links in them."""

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.utils.translation import override

from apps.accounts.models import Mail, OneTimeLink, User
from apps.accounts.session_store import later
from apps.core.database.fields import DATABASE_AWAY, is_due
from apps.core.limits import DAY, HOUR

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a one-time link, and its lifetime in seconds."""

    name: str
    age: int
    is_mailed: bool = True


PASSWORD_RESET = Purpose("password_reset", HOUR)
EMAIL_CONFIRMATION = Purpose("email_confirmation", DAY)
FIRST_FACTOR = Purpose("first_factor", HOUR)
SIGN_IN = Purpose("sign_in", HOUR)
REGISTERED_BROWSER = Purpose("registered_browser", DAY, is_mailed=False)  # the key of a cookie
EXPIRED_LIFETIME = timedelta(days=1)  # between the end of a link and its deletion


def link_create(*, purpose: Purpose, account_id: int, next_path: str = "", email: str = "") -> str:
    """Store a new link of this account and return its key, which only the mail or cookie contains.

    `next_path` is the page to open after the link has been used. A mailed link works as long as `email` is the
    account's address. The cookie of a browser that registered keeps the typed address as `email`.
    """
    key = secrets.token_urlsafe(KEY_BYTES)
    ends = later(Now(), Value(timedelta(seconds=purpose.age)))
    OneTimeLink.objects.create(
        digest=_digest(key),
        purpose=purpose.name,
        user_id=account_id,
        expires_at=ends,
        next_path=next_path,
        email=email,
    )
    return key


def link_account(*, purpose: Purpose, key: str) -> int | None:
    """Return the id of the active account of a valid link, else None; the link stays valid. One query."""
    return links_usable(purpose, key).values_list("user_id", flat=True).first()


def link_next_path(*, purpose: Purpose, key: str) -> str:
    """Return the final page of a valid link, empty without one. One query."""
    return links_usable(purpose, key).values_list("next_path", flat=True).first() or ""


@transaction.atomic
def link_use(*, purpose: Purpose, key: str) -> int | None:
    """Use a link, and invalidate every other of its purpose; return the account's id, None for an invalid link."""
    account_id = link_account(purpose=purpose, key=key)
    if account_id is None:
        return None
    User.objects.select_for_update(no_key=True).filter(pk=account_id).first()  # serialises uses of an account's links
    if not links_usable(purpose, key).exists():
        return None
    OneTimeLink.objects.filter(user_id=account_id, purpose=purpose.name).delete()
    return account_id


def links_forget(*, account_id: int, purpose: Purpose) -> None:
    """Delete this account's links of this purpose."""
    OneTimeLink.objects.filter(user_id=account_id, purpose=purpose.name).delete()


@transaction.atomic
def links_prune() -> int:
    """Delete links a day after their end; return their number.

    An expired link is refused; one that a wrong clock showed as expired works when the clock is right.
    """
    pruned, _ = OneTimeLink.objects.filter(expires_at__lt=Now() - EXPIRED_LIFETIME).delete()
    return pruned


def links_usable(purpose: Purpose, key: str) -> "QuerySet[OneTimeLink]":
    """Return the valid link with this key as a query set of at most one row."""
    digest = _digest(key)
    found = OneTimeLink.objects.filter(digest=digest, purpose=purpose.name, expires_at__gt=Now(), user__is_active=True)
    return found.filter(Q(email="") | Q(email=F("user__email"))) if purpose.is_mailed else found


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()


FOLDER = "account/email"

AUTOMATIC = {"Auto-Submitted": "auto-generated"}  # RFC 3834: no absence notice is sent in reply
HEADERS = "headers"  # the key of a context for a mail's own headers
TemplateContext = Mapping[str, Any]


def mail_messages(*, name: str, to: str, language: str, context: TemplateContext) -> list[EmailMultiAlternatives]:
    """Return the mails of this name to this address, an empty list for an address that must not get one.

    `context` is for the templates. `next` in it is the final page of a link. It is stored with the link and never
    appears in the mail, because an anonymous visitor may have chosen it. `headers` in it are the mail's own, by name.
    """
    make = LINKED.get(name)
    found = make(to, context.get("next", "")) if make else [{}]
    return [_message(name, to, {"language": language, **context, **more}) for more in found]


def _reset(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a link for a new password for each active account with this address."""
    for user in filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True):
        yield {"link": _link("/reset-password", PASSWORD_RESET, user, next_path), "username": user.username}


def _confirmation(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a link that confirms this address, unless it is confirmed."""
    for address in EmailAddress.objects.filter(email=email, verified=False).select_related("user"):
        link = _link("/verify-email", EMAIL_CONFIRMATION, address.user, next_path)
        yield {"link": link, "username": address.user.username}


def _first_factor(email: str, _next_path: str) -> Iterator[TemplateContext]:
    """Yield a link that allows a first second factor, for the active account with this confirmed address."""
    for address in EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).select_related("user"):
        yield {"link": _link("/first-factor", FIRST_FACTOR, address.user), "username": address.user.username}


def first_factor_address(*, account_id: int) -> str:
    """Return the address of a new link that allows this account's owner to set up a first second factor."""
    return _link("/first-factor", FIRST_FACTOR, User.objects.get(pk=account_id))


def _sign_in(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a sign-in link for a confirmed address; a stranger may have registered an unconfirmed one."""
    for address in EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).select_related("user"):
        yield {"link": _link("/login/link/use", SIGN_IN, address.user, next_path), "username": address.user.username}


def _link(path: str, purpose: Purpose, user: User, next_path: str = "") -> str:
    """Return the address of a new link, which works as long as the account has the address that it has here."""
    key = link_create(purpose=purpose, account_id=user.pk, next_path=next_path, email=user.email)
    return f"{settings.PUBLIC_URL}{path}?{urlencode({'key': key})}"


def _message(name: str, to: str, more: TemplateContext) -> EmailMultiAlternatives:
    context = {"site": settings.PUBLIC_URL, "to": to, **more}
    with override(context["language"]):
        subject = " ".join(render_to_string(f"{FOLDER}/{name}_subject.txt", context).split())
        text = render_to_string(f"{FOLDER}/{name}_message.txt", context)
        message = EmailMultiAlternatives(subject, text, to=[to], headers={**AUTOMATIC, **context.get(HEADERS, {})})
        message.attach_alternative(render_to_string(f"{FOLDER}/{name}_message.html", context), "text/html")
    return message


LINKED: Mapping[str, Callable[[str, str], Iterator[TemplateContext]]] = {
    "password_reset_key": _reset,
    "email_confirmation": _confirmation,
    "first_factor": _first_factor,
    "sign_in_link": _sign_in,
}


log = logging.getLogger(__name__)
THREADS = 2
PAUSE = 0.2  # seconds before a mail is sent, so that the answer is sent first
AGAIN = (1.0, 5.0, 60.0, 600.0, 3_600.0)  # seconds before each retry; after the last one the mail is deleted
SERIOUS = 3  # failed attempts from which the log level is ERROR
SOON = 60.0  # seconds; later retries are found by the check that every process makes each minute
LEASE = timedelta(seconds=60)  # after which another process may send the mail of a crashed one
LATEST = timedelta(hours=1)  # until a mail is due; a later time was stored by a clock that was ahead

_executor = ThreadPoolExecutor(THREADS, "mail")


def mail_send(*, name: str, to: str, language: str = settings.LANGUAGE_CODE, **context: Any) -> None:
    """Store a mail to be sent after the transaction commits; `context` is for its templates, as JSON.

    `headers` in it are the mail's own headers, by name.
    """
    Mail.objects.create(name=name, recipient=to, language=language, context=context)
    transaction.on_commit(lambda: mails_wake(PAUSE))


def mails_wake(pause: float = 0.0) -> None:
    """Send the due mails in a thread, after `pause` seconds; a stopping process leaves them to another one."""
    due = time.monotonic() + pause
    with suppress(RuntimeError):  # the process is stopping
        _executor.submit(_run, due)


def mails_forget(*, to: str) -> None:
    """Delete the queued mails to this address."""
    Mail.objects.filter(recipient__iexact=to).delete()


def _run(due: float) -> None:
    time.sleep(max(0.0, due - time.monotonic()))
    try:
        while mail := _mail_take():
            _deliver(mail)
    except DATABASE_AWAY as error:  # the database is unavailable, which /readyz reports; the mails stay queued
        log.warning("queued mails could not be read: %s", error)
    except Exception:
        log.exception("queued mails could not be read")
    finally:
        connection.close()  # back to the pool


@transaction.atomic
def _mail_take() -> Mail | None:
    """Return the mail that is due longest, or None. Other processes do not take it during LEASE."""
    due = Mail.objects.select_for_update(skip_locked=True).filter(is_due("due_at", LATEST))
    mail = due.order_by("due_at", "id").first()
    if mail is not None:
        Mail.objects.filter(pk=mail.pk).update(due_at=Now() + LEASE, tries=F("tries") + 1)
        mail.tries += 1
    return mail


def _deliver(mail: Mail) -> None:
    try:
        for message in mail_messages(name=mail.name, to=mail.recipient, language=mail.language, context=mail.context):
            message.send()
    except Exception as error:  # noqa: BLE001 - a failing mail must not block the others
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
