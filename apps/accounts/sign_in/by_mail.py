"""Signing in by mail: with a sign-in link, or by confirming an address in the browser that registered it.

Such a browser has a cookie with its own key, stored as a digest like a mailed link. The key belongs to the account,
signs in once and ends with the confirmation. An attacker with only the browser or only the mail cannot sign in. Until
then it shows the page about the registration (`registered.py`).
"""

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.mail import REGISTERED_BROWSER, link_account, link_create, link_use
from apps.accounts.models import User

METHOD = "mailed_link"  # in allauth's records of a session


def mail_sign_in(request: HttpRequest, user: User, next_path: str) -> HttpResponse:
    """Sign in, or ask for the account's second factor; return the redirect."""
    record_authentication(request, user, method=METHOD)
    response: HttpResponse = perform_login(request, Login(user=user, email=user.email, redirect_url=next_path or None))
    return response


def browser_expect(response: HttpResponse, account_id: int, email: str = "") -> None:
    """Set the cookie of a browser that registered this account, or knew its password, before its address is confirmed.

    `email` is the address that was typed; the page about the registration needs it.
    """
    response.set_cookie(
        settings.REGISTERED_COOKIE_NAME,
        link_create(purpose=REGISTERED_BROWSER, account_id=account_id, email=email),
        max_age=REGISTERED_BROWSER.age,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def browser_is_known(request: HttpRequest, user: User) -> bool:
    """Return whether this browser has the cookie of this account; the key is not used up. One query."""
    key = request.COOKIES.get(settings.REGISTERED_COOKIE_NAME, "")
    return bool(key) and link_account(purpose=REGISTERED_BROWSER, key=key) == user.pk


def browser_prove(request: HttpRequest, user: User) -> bool:
    """Use up this browser's key; return whether it is this account's and the account may be signed in."""
    if not may_enter(request, user):
        return False
    return link_use(purpose=REGISTERED_BROWSER, key=request.COOKIES.get(settings.REGISTERED_COOKIE_NAME, "")) == user.pk


def may_enter(request: HttpRequest, user: User) -> bool:
    """Return whether a confirmed address may sign in: not for administrators, and not in a signed-in browser."""
    return not (request.user.is_authenticated or user.is_admin)


def browser_forget(response: HttpResponse) -> None:
    """Delete the cookie in the browser."""
    response.delete_cookie(settings.REGISTERED_COOKIE_NAME, samesite="Lax")
