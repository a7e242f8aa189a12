"""Reauthentication, before changes that matter: by password, code, passkey or Google."""

from collections.abc import Mapping
from typing import Any

from allauth.account.utils import passthrough_next_redirect_url
from allauth.account.views import ReauthenticateView
from allauth.mfa.base import views as base
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.accounts.second_factor.adapter import INCORRECT
from apps.accounts.second_factor.freshness import lacks_proof, own_only
from apps.accounts.second_factor.passkey_challenges import PasskeyQuestion
from apps.accounts.services import session_renew
from apps.accounts.sign_in.google import google_address
from apps.core.observability.security_log import security_count

Kind = Authenticator.Type


class ReauthenticationMixin:
    """A page that offers every way of reauthentication that the account has."""

    def _check_reauthentication_method_available(self, request: HttpRequest) -> None:
        """Show the page in any case: it says which ways there are."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the screen's context."""
        view: Any = self
        user = view.request.user
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # the view's
        is_linked = SocialAccount.objects.filter(user_id=user.pk).exists()
        by_factor = lacks_proof(view.request)  # then neither password nor Google is enough
        return {
            **context,
            "ways": {
                "password": user.has_usable_password() and not by_factor,
                "code": is_mfa_enabled(user, [Kind.TOTP, Kind.RECOVERY_CODES]),
                "google": google_address("google_login") if is_linked and not by_factor else "",
            },
            "passkey": is_mfa_enabled(user, [Kind.WEBAUTHN]),
        }

    def form_valid(self, form: Any) -> HttpResponse:
        """Go on, with a new session key: a copy of the old one must not count as reauthenticated."""
        view: Any = self
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]  # the view's
        session_renew(session=view.request.session, account_id=view.request.user.pk)
        return response


class AgainView(ReauthenticationMixin, ReauthenticateView):
    """The password once more."""


class CodeAgainView(ReauthenticationMixin, base.ReauthenticateView):
    """A code instead."""


class PasskeyAgainView(PasskeyQuestion, ReauthenticationMixin, webauthn.ReauthenticateWebAuthnView):
    """A passkey instead; the button for it is on the page of the password."""

    template_name = AgainView.template_name

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge for one of this person's passkeys."""
        user = self.request.user
        return auth.begin_authentication(user) if is_mfa_enabled(user, [Kind.WEBAUTHN]) else None

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Redirect to the page with the button."""
        return self._back()

    def form_invalid(self, form: Any) -> HttpResponse:  # noqa: ARG002
        """Say that it did not work."""
        security_count("second factor refused", account=self.request.user.pk, reason="webauthn")
        messages.error(self.request, INCORRECT)
        return self._back()

    def _back(self) -> HttpResponse:
        page = reverse("account_reauthenticate")
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, page, "next"))


again = own_only(AgainView.as_view())
code_again = own_only(CodeAgainView.as_view())
passkey_again = own_only(PasskeyAgainView.as_view())
