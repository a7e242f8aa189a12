"""What mails say: text and HTML, with links that are made only now, so that none of them waits in a table."""

from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

from allauth.account.forms import default_token_generator
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import override

from .links import SIGN_IN, link_create

FOLDER = "account/email"

Shown = Mapping[str, str]


def letters(*, name: str, to: str, language: str, shown: Shown) -> list[EmailMultiAlternatives]:
    """Return the mails of this name to this address, none where its owner is to get none; `shown` is for templates."""
    make = LINKED.get(name)
    found = make(to) if make else [{}]
    return [_written(name, to, {"language": language, **shown, **more}) for more in found]


def _reset(email: str) -> Iterator[Shown]:
    """Yield a link for a new password, if somebody who may sign in has this address."""
    for user in filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True):
        key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
        yield {"link": _link("/reset-password", key), "username": user.username}


def _confirmation(email: str) -> Iterator[Shown]:
    """Yield a link that confirms this address, if it waits for that."""
    for address in EmailAddress.objects.filter(email=email, verified=False).select_related("user"):
        yield {"link": _link("/verify-email", EmailConfirmationHMAC(address).key), "username": address.user.username}


def _sign_in(email: str) -> Iterator[Shown]:
    """Yield a link that signs in, if this address is somebody's and confirmed: else who typed it first would gain."""
    for address in EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).select_related("user"):
        key = link_create(purpose=SIGN_IN, account_id=address.user_id)
        yield {"link": _link("/login/link/use", key), "username": address.user.username}


def _link(path: str, key: str) -> str:
    return f"{settings.PUBLIC_URL}{path}?{urlencode({'key': key})}"


def _written(name: str, to: str, more: Shown) -> EmailMultiAlternatives:
    shown = {"site": settings.PUBLIC_URL, "to": to, **more}
    with override(shown["language"]):
        subject = " ".join(render_to_string(f"{FOLDER}/{name}_subject.txt", shown).split())
        message = EmailMultiAlternatives(subject, render_to_string(f"{FOLDER}/{name}_message.txt", shown), to=[to])
        message.attach_alternative(render_to_string(f"{FOLDER}/{name}_message.html", shown), "text/html")
    return message


LINKED: Mapping[str, Callable[[str], Iterator[Shown]]] = {
    "password_reset_key": _reset,
    "email_confirmation": _confirmation,
    "sign_in_link": _sign_in,
}
