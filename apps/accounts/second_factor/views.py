"""Views of second factors: signing in with one, and managing them after a fresh sign-in."""

from collections.abc import Mapping
from functools import wraps
from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url, passthrough_next_redirect_url
from allauth.mfa.base import views as base
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth, flows
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.cache import cache
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import salted_hmac

from apps.accounts.limits import CHALLENGE_AGE
from apps.accounts.second_factor.adapter import INCORRECT, QUESTION, PasskeyQuestion
from apps.accounts.second_factor.reauthentication import (
    ALLOWED,
    View,
    first_factor_allowed,
    fresh_only,
    lacks_proof,
    own_only,
    sent_to,
)
from apps.accounts.selectors.own_account import Factors, factors_get
from apps.accounts.services.factors import factor_changed, factor_note
from apps.accounts.session_store import FACTOR, handle_of
from apps.core.observability import security_count

_SALT = "parterre.passkey"
SIGN_IN_FAILED = "This passkey could not be used here. Please log in another way."
Kind = Authenticator.Type


class AuditedFormView:
    """A form that changes a second factor: the change is audited and published, and other sessions end."""

    action = ""
    success_message = ""
    adds = ""  # the type of the added factor, which counts as proved in this session

    def form_valid(self, form: Any) -> HttpResponse:
        """Store and audit the change in one transaction."""
        view: Any = self
        with transaction.atomic():
            response: HttpResponse = super().form_valid(form)  # type: ignore[misc]  # the view's
            self._note(view.request)
        messages.success(view.request, self.success_message)
        return response

    def _note(self, request: HttpRequest) -> None:
        user: Any = request.user
        if self.adds:
            request.session.pop(ALLOWED, None)
            record_authentication(request, user, FACTOR, type=self.adds)
        request.session.cycle_key()
        factor_changed(account_id=user.pk, action=self.action, keep=handle_of(request.session))


# After the password


class TwoFactorView(PasskeyQuestion, base.AuthenticateView):
    """A code, a recovery code or a passkey, after the password."""

    webauthn_form: Any

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge for the user's passkeys."""
        user = self.stage.login.user
        return auth.begin_authentication(user) if is_mfa_enabled(user, [Kind.WEBAUTHN]) else None

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the error; after a passkey the page is reloaded, since each challenge is used once."""
        if form is self.webauthn_form:
            security_count("second factor refused", account=self.stage.login.user.pk, reason="webauthn")
            messages.error(self.request, " ".join(form.errors.get("credential", [INCORRECT])))
            return HttpResponseRedirect(self.request.path)
        response: HttpResponse = super().form_invalid(form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context with the available methods."""
        user = self.stage.login.user
        self.webauthn_form = None  # allauth's context would create a challenge at each view of the page
        context = super().get_context_data(**kwargs)
        return {
            **context,
            "passkey": is_mfa_enabled(user, [Kind.WEBAUTHN]),
            "code": is_mfa_enabled(user, [Kind.TOTP, Kind.RECOVERY_CODES]),
        }


class PasskeyLoginView(PasskeyQuestion, webauthn.LoginWebAuthnView):
    """Signing in with a passkey alone.

    The challenge is in a signed cookie of its own. In the session it would be a row for each view of the sign-in page,
    and a late answer would replace the session of a sign-in in another tab.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the challenge if the post requests it, else sign in with it; each works once."""
        session, was_modified = request.session, request.session.modified
        is_question = QUESTION in request.POST
        if not is_question and (challenge := _challenge_read(request)):
            session[auth.STATE_SESSION_KEY] = challenge
        response = super().post(request, *args, **kwargs)
        if challenge := session.pop(auth.STATE_SESSION_KEY, None):  # after a sign-in there is none
            session.modified = was_modified
        if not is_question:
            response.delete_cookie(settings.PASSKEY_COOKIE_NAME, samesite="Lax")
        elif challenge:
            _challenge_keep(response, challenge)
        return response

    def passkey_question(self) -> Mapping[str, Any]:
        """Return the challenge for any passkey of this site."""
        return auth.begin_authentication(user=None)

    def form_invalid(self, form: Any) -> HttpResponse:  # noqa: ARG002
        """Redirect to the sign-in with an error message."""
        security_count("sign-in refused", reason="webauthn")
        messages.error(self.request, SIGN_IN_FAILED)
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, reverse("account_login"), "next"))

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in and redirect to the requested page."""
        passkey = form.cleaned_data["credential"]
        login = Login(user=passkey.user, redirect_url=get_next_redirect_url(self.request))
        response: HttpResponse = flows.perform_passwordless_login(self.request, passkey, login)
        return response


def _challenge_keep(response: HttpResponseBase, challenge: Any) -> None:
    response.set_cookie(
        settings.PASSKEY_COOKIE_NAME,
        signing.dumps(challenge, salt=_SALT),
        max_age=CHALLENGE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _challenge_read(request: HttpRequest) -> Any:
    """Return the challenge in the browser's cookie; None without one, or if it was used."""
    signed = request.COOKIES.get(settings.PASSKEY_COOKIE_NAME, "")
    try:
        challenge = signing.loads(signed, salt=_SALT, max_age=CHALLENGE_AGE)
    except signing.BadSignature:
        return None
    name = salted_hmac(_SALT, challenge["challenge"], algorithm="sha256").hexdigest()
    return challenge if cache.add(f"passkey.{name}", 1, CHALLENGE_AGE) else None


# The user's own factors


@own_only
def overview(request: HttpRequest) -> HttpResponse:
    """Show the user's second factors."""
    user: Any = request.user
    shown = {"factors": _factors(request), "allowed": first_factor_allowed(request, user)}
    return render(request, "mfa/index.html", shown)


@own_only
def passkeys(request: HttpRequest) -> HttpResponse:
    """Show the user's passkeys."""
    return render(request, "mfa/webauthn/authenticator_list.html", {"factors": _factors(request)})


def _factors(request: HttpRequest) -> Factors:
    return factors_get(user_id=request.user.pk or 0)


class AppView(AuditedFormView, totp.ActivateTOTPView):
    """Setting up an authenticator app, from the secret to the first code."""

    action, success_message, adds = "app.add", "Codes from your app are asked from now on.", Kind.TOTP.value

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context with the secret."""
        context = super().get_context_data(**kwargs)
        form = context["form"]
        return {**context, "secret": form.secret, "signed_secret": form.signed_secret}


class AppOffView(AuditedFormView, totp.DeactivateTOTPView):
    """Removing the authenticator app."""

    action, success_message = "app.remove", "Codes from your app are no longer asked."


def codes_shown(request: HttpRequest) -> HttpResponse:
    """Show the unused recovery codes."""
    return render(request, "mfa/recovery_codes/index.html", {"unused_codes": _unused_codes(request)})


def codes_file(request: HttpRequest) -> HttpResponse:
    """Return the unused recovery codes as a text file."""
    headers = {"Content-Disposition": 'attachment; filename="recovery-codes.txt"'}
    text = "".join(f"{code}\n" for code in _unused_codes(request))
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


def _unused_codes(request: HttpRequest) -> list[str]:
    """Return the user's unused recovery codes.

    Raises Http404. allauth's own views would write to the database on GET.
    """
    stored = Authenticator.objects.filter(user_id=request.user.pk, type=Kind.RECOVERY_CODES).first()
    if stored is None:
        raise Http404
    unused: list[str] = stored.wrap().get_unused_codes()
    return unused


class CodesNewView(AuditedFormView, codes.GenerateRecoveryCodesView):
    """Creating new recovery codes."""

    action, success_message = "codes.renew", "These are your new recovery codes. The old ones no longer work."


class PasskeyAddView(PasskeyQuestion, AuditedFormView, webauthn.AddWebAuthnView):
    """Adding a passkey, which can also sign in without a password."""

    action, success_message, adds = "passkey.add", "Your passkey works from now on.", Kind.WEBAUTHN.value

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context, without the challenge that allauth creates at each view of the page."""
        return super(webauthn.AddWebAuthnView, self).get_context_data(**kwargs)

    def passkey_question(self) -> Mapping[str, Any]:
        """Return the challenge for a new passkey."""
        return auth.begin_registration(self.request.user, passwordless=True)


class OnePasskey:
    """A view of one of the user's passkeys, identified by `key` in the address."""

    def get_object(self, queryset: Any = None) -> Authenticator:  # noqa: ARG002
        """Return the passkey. Raises Http404."""
        view: Any = self
        key = view.request.GET.get("key", "")
        passkey: Authenticator | None = view.get_queryset().filter(pk=key).first() if key.isdecimal() else None
        if passkey is None:
            raise Http404
        return passkey

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context with the passkey's name."""
        view: Any = self
        return {**super().get_context_data(**kwargs), "name": view.object.wrap().name}  # type: ignore[misc]


class PasskeyNameView(AuditedFormView, OnePasskey, webauthn.EditWebAuthnView):
    """Renaming a passkey."""

    action, success_message = "passkey.rename", "The passkey has its new name."

    def _note(self, request: HttpRequest) -> None:
        factor_note(account_id=request.user.pk or 0, action=self.action)


class PasskeyRemoveView(AuditedFormView, OnePasskey, webauthn.RemoveWebAuthnView):
    """Removing a passkey."""

    action, success_message = "passkey.remove", "The passkey no longer works here."


def _own(view: View) -> View:
    """Return the view for a fresh sign-in that proved the account's factor; a 404 redirects to the overview."""

    @fresh_only
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if lacks_proof(request):
            return sent_to("account_reauthenticate", request)
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return HttpResponseRedirect(reverse("mfa_index"))

    return guarded


def _own_new(view: View) -> View:
    """Return the view for users who may set up a factor; an administrator's first one requires a mailed link."""

    @wraps(view)
    def allowed(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user: Any = request.user
        if not (_factors(request).is_there or first_factor_allowed(request, user)):
            return HttpResponseRedirect(reverse("mfa_index"))
        return view(request, *args, **kwargs)

    return _own(allowed)


two_factor = TwoFactorView.as_view()
passkey_login = PasskeyLoginView.as_view()
app = _own_new(AppView.as_view())
app_off = _own(AppOffView.as_view())
codes_left = _own(codes_shown)
codes_new = _own(CodesNewView.as_view())
codes_download = _own(codes_file)
passkey_add = _own_new(PasskeyAddView.as_view())
passkey_name = _own(PasskeyNameView.as_view())
passkey_remove = _own(PasskeyRemoveView.as_view())
