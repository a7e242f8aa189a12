"""allauth's adapter: this site's sentences, addresses, limits and services."""

import logging
from typing import Any, ClassVar
from urllib.parse import unquote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import identify_hasher, make_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts import attempts
from apps.accounts.mail import PASSWORD_RESET, links_forget, mail_send
from apps.accounts.requests import client_of, is_fresh, message_to, next_path, with_next
from apps.accounts.selectors.people import account_id_find
from apps.accounts.selectors.sessions import username_is_taken, viewer_get
from apps.accounts.services.profile import password_renew, password_set
from apps.accounts.services.sessions import first_sign_in_publish, session_end
from apps.accounts.session_store import handle_of
from apps.accounts.sign_in.by_mail import browser_expect
from apps.accounts.sign_in.known_browsers import browser_known, browser_remember
from apps.accounts.sign_in.passwords import Busy, Hasher, password_normal
from apps.accounts.validators import TAKEN, LongEnough, validate_username
from apps.core.database.autocommit_pool import BUSY
from apps.core.limits import ADDRESS_LENGTH
from apps.core.observability import security_count
from apps.core.rate_limits import TooMany

log = logging.getLogger(__name__)
UNCONFIRMED = "Your password is right, but your address is not confirmed yet."
OFTEN = frozenset(("too_many_login_attempts", "rate_limited"))
CHANGES = frozenset(
    ("totp_activated", "totp_deactivated", "webauthn_added", "webauthn_removed", "recovery_codes_generated")
)  # of second factors
MAILS = {  # allauth's mails that share a text
    "password_reset": "password_changed",
    "password_set": "password_changed",
    **dict.fromkeys(CHANGES, "factors_changed"),
}


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter for accounts."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "Invalid login credentials. Please try again.",
        "too_many_login_attempts": "Too many attempts. Please try again later.",
        "rate_limited": "Too many attempts. Please try again later.",
        "username_taken": TAKEN,
        "incorrect_password": "Incorrect password.",
    }

    # Sentences and addresses

    def is_ajax(self, request: HttpRequest) -> bool:  # noqa: ARG002 - allauth's signature, as in all methods below
        """Return False: answers are never JSON."""
        return False

    def is_safe_url(self, url: str) -> bool:
        """Return whether `url` is a path of this site, even after being unquoted twice."""
        plain = unquote(unquote(url))
        if not url.startswith("/") or len(url) > ADDRESS_LENGTH:
            return False
        if any(not sign.isprintable() or sign == "\\" for sign in plain):
            return False
        return all(url_has_allowed_host_and_scheme(address, allowed_hosts=None) for address in (url, plain))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client as rate limits count it."""
        return client_of(request)

    def respond_email_verification_sent(
        self,
        request: HttpRequest,
        user: AbstractBaseUser | None,
    ) -> HttpResponseRedirect:
        """Redirect to the page about the link that was sent.

        A cookie allows the link to sign in when it is opened in this browser. A browser that has sent the password may
        also change the address (`registered.py`).
        """
        email = ""
        if request.path == reverse("account_login"):
            email = request.POST.get("login", "")
            message_to(request, UNCONFIRMED, email=email, level=messages.ERROR)
        response = HttpResponseRedirect(with_next(reverse("account_email_verification_sent"), request))
        if user is not None:
            browser_expect(response, user.pk, attempts.folded_address(email))
        return response

    # Rules

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002
        """Return `username` if it is valid and, unless `shallow`, not taken. Raises ValidationError."""
        validate_username(username)
        if not shallow and username_is_taken(username=username):
            raise self.validation_error("username_taken")
        return username

    def clean_password(self, password: str, user: Any = None) -> str:
        """Return `password` if it is valid. Raises ValidationError; for a short password with the length rule alone."""
        normal = password_normal(password)
        LongEnough().validate(normal)
        return str(super().clean_password(normal, user))

    # Limits

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Return the error of this code in this site's words. The security log counts allauth's own limits."""
        if code in OFTEN:
            security_count("limit reached", reason=code)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt.

        Raises TooMany. An unexpected error while counting is logged, and the sign-in is allowed.
        """
        email = str(credentials.get("email", ""))
        try:
            self._login_failed_rl_usage = attempts.sign_in_attempt(
                email=email, client=client_of(request), browser=browser_known(request, email)
            )
        except ValidationError:
            raise
        except BUSY as error:  # under overload, guesses must not pass uncounted
            raise TooMany(0) from error
        except Exception:
            log.exception("a sign-in was not counted")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the account with this password, or None. Raises Busy, which does not count as an attempt."""
        try:
            user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        except Busy:
            self._rollback_login_failed_rl_usage()
            raise
        if user is not None and request.user.pk is None:
            self._password_renew(user, str(credentials.get("password", "")))
        return user

    def _password_renew(self, user: Any, password: str) -> None:
        """Replace the hash of a right password if it was made before passwords were normalised. Raises Busy."""
        hasher = identify_hasher(user.password)
        if isinstance(hasher, Hasher) and not hasher.is_of_normal(password, user.password):
            user.password = password_renew(account_id=user.pk, proved=user.password, encoded=make_password(password))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password in the security log."""
        event = "reauthentication refused" if request.user.pk else "sign-in refused"
        account = account_id_find(name=str(credentials.get("email", "")))
        security_count(event, account=account, reason="wrong password" if account else "unknown address")

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        attempts.sign_in_forgive(email=str(credentials.get("email", "")), client=client_of(request))

    # Signing in and out, passwords

    def login(self, request: HttpRequest, user: Any) -> None:
        """Begin a session; the first one of an account is published."""
        is_first = user.last_login is None
        super().login(request, user)
        if is_first:
            first_sign_in_publish(account_id=user.pk)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Redirect after a sign-in, and remember the browser."""
        response = super().post_login(request, user, **kwargs)
        browser_remember(request, response, user.email)
        links_forget(account_id=user.pk, purpose=PASSWORD_RESET)  # no longer needed
        return response

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page after a sign-in; administrators without a second factor are sent to set one up."""
        url = str(super().get_login_redirect_url(request))
        if request.session.modified:
            request.session.save()  # the viewer's rights are read from it
        viewer = viewer_get(user_id=request.user.pk, session=handle_of(request.session))
        return reverse("mfa_index") if viewer.lacks_factor else url

    def is_reauthentication_required(self, *, app: str, **_: Any) -> bool:  # noqa: ARG002
        """Return whether the password is required again: only if the sign-in is not fresh."""
        return not is_fresh(self.request)

    def logout(self, request: HttpRequest) -> None:
        """End the session."""
        if request.user.pk is not None:
            session_end(session=request.session, account_id=request.user.pk)

    def set_password(self, user: Any, password: str, link: str = "") -> None:
        """Store a new password and use up `link`; every session of the account ends."""
        user.password = password_set(account_id=user.pk, encoded=make_password(password), link=link).password

    # Mails

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one of allauth's mails with this site's template."""
        name = template_prefix.rpartition("/")[2]
        more = {"change": name} if name in CHANGES else {}
        username = getattr(context.get("user"), "username", "")
        mail_send(name=MAILS.get(name, name), to=email, username=username, **more)

    def send_confirmation_mail(
        self,
        request: HttpRequest,
        emailconfirmation: Any,
        signup: bool,  # noqa: ARG002, FBT001 - allauth's signature
    ) -> None:
        """Send the link that confirms an address."""
        mail_send(name="email_confirmation", to=emailconfirmation.email_address.email, next=next_path(request))

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Notify an account's owner about a change of sign-in methods."""
        to = email or EmailAddress.objects.get_primary_email(user)
        if to:
            self.send_mail(template_prefix, to, {"user": user, **(context or {})})
