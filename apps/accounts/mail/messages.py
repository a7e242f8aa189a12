"""Mails as text and HTML; links are made only when a mail is sent, so that none waits in a table."""

from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import override

from apps.accounts.mail.one_time_links import (
    EMAIL_CONFIRMATION,
    FIRST_FACTOR,
    PASSWORD_RESET,
    SIGN_IN,
    Purpose,
    link_create,
)

FOLDER = "account/email"

TemplateContext = Mapping[str, str]


def mail_messages(*, name: str, to: str, language: str, context: TemplateContext) -> list[EmailMultiAlternatives]:
    """Return the mails of this name to this address, none where it should get none; `context` is for the templates.

    `next` in it is where a link leads in the end: its row keeps that, so a mail says nothing that a stranger chose.
    """
    make = LINKED.get(name)
    found = make(to, context.get("next", "")) if make else [{}]
    return [_message(name, to, {"language": language, **context, **more}) for more in found]


def _reset(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a link for a new password, if somebody who may sign in has this address."""
    for user in filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True):
        yield {"link": _link("/reset-password", PASSWORD_RESET, user.pk, next_path), "username": user.username}


def _confirmation(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a link that confirms this address, unless it is confirmed."""
    for address in EmailAddress.objects.filter(email=email, verified=False).select_related("user"):
        link = _link("/verify-email", EMAIL_CONFIRMATION, address.user_id, next_path)
        yield {"link": link, "username": address.user.username}


def _first_factor(email: str, _next_path: str) -> Iterator[TemplateContext]:
    """Yield a link that allows a first second factor, if this address is somebody's and confirmed."""
    for address in EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).select_related("user"):
        yield {"link": first_factor_address(account_id=address.user_id), "username": address.user.username}


def first_factor_address(*, account_id: int) -> str:
    """Return the address of a new link with which this account's owner may set up a first second factor."""
    return _link("/first-factor", FIRST_FACTOR, account_id)


def _sign_in(email: str, next_path: str) -> Iterator[TemplateContext]:
    """Yield a link that signs in, if this address is confirmed: unconfirmed, it may be a stranger who registered it."""
    for address in EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).select_related("user"):
        yield {"link": _link("/login/link/use", SIGN_IN, address.user_id, next_path), "username": address.user.username}


def _link(path: str, purpose: Purpose, account_id: int, next_path: str = "") -> str:
    key = link_create(purpose=purpose, account_id=account_id, next_path=next_path)
    return f"{settings.PUBLIC_URL}{path}?{urlencode({'key': key})}"


def _message(name: str, to: str, more: TemplateContext) -> EmailMultiAlternatives:
    context = {"site": settings.PUBLIC_URL, "to": to, **more}
    with override(context["language"]):
        subject = " ".join(render_to_string(f"{FOLDER}/{name}_subject.txt", context).split())
        message = EmailMultiAlternatives(subject, render_to_string(f"{FOLDER}/{name}_message.txt", context), to=[to])
        message.attach_alternative(render_to_string(f"{FOLDER}/{name}_message.html", context), "text/html")
    return message


LINKED: Mapping[str, Callable[[str, str], Iterator[TemplateContext]]] = {
    "password_reset_key": _reset,
    "email_confirmation": _confirmation,
    "first_factor": _first_factor,
    "sign_in_link": _sign_in,
}
