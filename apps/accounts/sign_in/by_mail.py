"""Signing in by what was mailed: a link that signs in, or an address confirmed in the browser that registered.

Such a browser has a cookie with a key of its own, kept as a digest beside the mailed links: it is the account's, works
once and ends with the link that confirms. Whoever holds only one of the two, browser or mail, gets nowhere.
"""

import secrets

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.mail import KEY_BYTES, REGISTERED_BROWSER, link_account, link_create, link_use
from apps.accounts.models import User

METHOD = "mailed_link"  # in allauth's records of a session


def mail_sign_in(request: HttpRequest, user: User, next_path: str) -> HttpResponse:
    """Sign in, or ask for the second factor that the account has; return where it leads."""
    record_authentication(request, user, method=METHOD)
    response: HttpResponse = perform_login(request, Login(user=user, email=user.email, redirect_url=next_path or None))
    return response


def browser_expect(response: HttpResponse, account_id: int | None) -> None:
    """Set the cookie of a browser that registered this account or knew its password before the address is confirmed.

    Without an account, as for an address that has one already, it is a key to nothing: nobody can tell it apart.
    """
    key = secrets.token_urlsafe(KEY_BYTES)
    if account_id is not None:
        key = link_create(purpose=REGISTERED_BROWSER, account_id=account_id)
    response.set_cookie(
        settings.REGISTERED_COOKIE_NAME,
        key,
        max_age=REGISTERED_BROWSER.age,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def browser_is_known(request: HttpRequest, user: User) -> bool:
    """Whether this browser registered this account, or knew its password; nothing changes. One query."""
    key = request.COOKIES.get(settings.REGISTERED_COOKIE_NAME, "")
    return bool(key) and link_account(purpose=REGISTERED_BROWSER, key=key) == user.pk


def browser_prove(request: HttpRequest, user: User) -> bool:
    """Whether this browser registered this account, and may be signed in; that is asked once."""
    if not may_enter(request, user):
        return False
    return link_use(purpose=REGISTERED_BROWSER, key=request.COOKIES.get(settings.REGISTERED_COOKIE_NAME, "")) == user.pk


def may_enter(request: HttpRequest, user: User) -> bool:
    """Whether a confirmed address signs in: never an administrator, nor where an account is signed in already."""
    return not (request.user.is_authenticated or user.is_admin)


def browser_forget(response: HttpResponse) -> None:
    """Have the browser delete the cookie."""
    response.delete_cookie(settings.REGISTERED_COOKIE_NAME, samesite="Lax")
