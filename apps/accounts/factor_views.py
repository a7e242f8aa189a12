"""Second factors: asked after the password, and looked after by their owner, who has to have proved who it is."""

import json
from functools import wraps
from typing import Any

from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url, passthrough_next_redirect_url
from allauth.account.views import ReauthenticateView
from allauth.mfa.base import views as base
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth, flows
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from apps.core.security_log import security_count

from .factors import INCORRECT
from .fresh import View, fresh_only, own_only
from .google import google_address
from .selectors import Factors, factors_get
from .services import factor_changed

SIGN_IN_FAILED = "This passkey could not be used here. Please log in another way."
Kind = Authenticator.Type


def _options(user: Any) -> str:
    """Return what a browser is asked for a passkey with; nothing where `user` has none."""
    return json.dumps(auth.begin_authentication(user)) if is_mfa_enabled(user, [Kind.WEBAUTHN]) else ""


class Noted:
    """A form about a second factor: what it did is said, noted and told in one transaction."""

    action = ""
    said = ""

    def form_valid(self, form: Any) -> HttpResponse:
        """Do it."""
        view: Any = self
        with transaction.atomic():
            response: HttpResponse = super().form_valid(form)  # type: ignore[misc]  # the view's
            factor_changed(account_id=view.request.user.pk, action=self.action)
        messages.success(view.request, self.said)
        return response


# After the password


class TwoFactorView(base.AuthenticateView):
    """A code, a recovery code or a passkey, after the password."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Say what is wrong; a passkey is asked for anew, since each question is asked once."""
        if form is self.webauthn_form:
            security_count("second factor refused", account=self.stage.login.user.pk, reason="webauthn")
            messages.error(self.request, " ".join(form.errors.get("credential", [INCORRECT])))
            return HttpResponseRedirect(self.request.path)
        response: HttpResponse = super().form_invalid(form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the screen is made of."""
        user = self.stage.login.user
        context = super().get_context_data(**kwargs)
        return {**context, "passkey": _options(user), "code": is_mfa_enabled(user, [Kind.TOTP, Kind.RECOVERY_CODES])}


class PasskeyLoginView(webauthn.LoginWebAuthnView):
    """Signing in with a passkey and nothing else."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Return what the browser is asked with; the script of the entrance fetches it."""
        return JsonResponse(auth.begin_authentication(user=None))

    def form_invalid(self, form: Any) -> HttpResponse:  # noqa: ARG002
        """Say that it did not work."""
        security_count("sign-in refused", reason="webauthn")
        messages.error(self.request, SIGN_IN_FAILED)
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, reverse("account_login"), "next"))

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, and go on to where one was."""
        passkey = form.cleaned_data["credential"]
        login = Login(user=passkey.user, redirect_url=get_next_redirect_url(self.request))
        response: HttpResponse = flows.perform_passwordless_login(self.request, passkey, login)
        return response


# Before what matters


class Asked:
    """Asking once more, in whichever way somebody can answer."""

    def _check_reauthentication_method_available(self, request: HttpRequest) -> None:
        """Show the page in any case: it says which ways there are."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the screen is made of."""
        view: Any = self
        user = view.request.user
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # the view's
        is_linked = SocialAccount.objects.filter(user_id=user.pk).exists()
        return {
            **context,
            "ways": {
                "password": user.has_usable_password(),
                "code": is_mfa_enabled(user, [Kind.TOTP, Kind.RECOVERY_CODES]),
                "google": google_address("google_login") if is_linked else "",
            },
            "passkey": _options(user),
        }


class AgainView(Asked, ReauthenticateView):
    """The password once more."""


class CodeAgainView(Asked, base.ReauthenticateView):
    """A code instead."""


class PasskeyAgainView(Asked, webauthn.ReauthenticateWebAuthnView):
    """A passkey instead; the button for it is on the page of the password."""

    template_name = AgainView.template_name

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Show where the button is."""
        return self._asked_again()

    def form_invalid(self, form: Any) -> HttpResponse:  # noqa: ARG002
        """Say that it did not work."""
        security_count("second factor refused", account=self.request.user.pk, reason="webauthn")
        messages.error(self.request, INCORRECT)
        return self._asked_again()

    def _asked_again(self) -> HttpResponse:
        page = reverse("account_reauthenticate")
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, page, "next"))


# One's own


@own_only
def overview(request: HttpRequest) -> HttpResponse:
    """Show what stands beside the password."""
    return render(request, "mfa/index.html", {"factors": _factors(request)})


@own_only
def passkeys(request: HttpRequest) -> HttpResponse:
    """Show one's passkeys."""
    return render(request, "mfa/webauthn/authenticator_list.html", {"factors": _factors(request)})


def _factors(request: HttpRequest) -> Factors:
    return factors_get(user_id=request.user.pk or 0)


class AppView(Noted, totp.ActivateTOTPView):
    """An authenticator app, from the secret to the first code."""

    action, said = "app.add", "Codes from your app are asked from now on."

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the screen is made of."""
        context = super().get_context_data(**kwargs)
        return {**context, "secret": context["form"].secret}


class AppOffView(Noted, totp.DeactivateTOTPView):
    """Doing without the app."""

    action, said = "app.remove", "Codes from your app are no longer asked."


class CodesView(codes.ViewRecoveryCodesView):
    """The recovery codes that are left."""


class CodesNewView(Noted, codes.GenerateRecoveryCodesView):
    """Other recovery codes."""

    action, said = "codes.renew", "These are your new recovery codes. The old ones no longer work."


class PasskeyAddView(Noted, webauthn.AddWebAuthnView):
    """A new passkey: one with which one can sign in without a password, too."""

    action, said = "passkey.add", "Your passkey works from now on."

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the screen is made of."""
        context = super(webauthn.AddWebAuthnView, self).get_context_data(**kwargs)
        return {**context, "passkey": json.dumps(auth.begin_registration(self.request.user, passwordless=True))}


class OnePasskey:
    """One of one's own passkeys, named by `key` in the address."""

    def get_object(self, queryset: Any = None) -> Authenticator:  # noqa: ARG002
        """Return it. Raises Http404."""
        view: Any = self
        key = view.request.GET.get("key", "")
        found: Authenticator | None = view.get_queryset().filter(pk=key).first() if key.isdecimal() else None
        if found is None:
            raise Http404
        return found

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the screen is made of."""
        view: Any = self
        return {**super().get_context_data(**kwargs), "name": view.object.wrap().name}  # type: ignore[misc]


class PasskeyNameView(Noted, OnePasskey, webauthn.EditWebAuthnView):
    """Another name for a passkey."""

    action, said = "passkey.rename", "The passkey has its new name."


class PasskeyRemoveView(Noted, OnePasskey, webauthn.RemoveWebAuthnView):
    """Doing without a passkey."""

    action, said = "passkey.remove", "The passkey no longer works here."


def _own(view: View) -> View:
    """Let in whoever has proved lately who it is; what is not there leads back to what is."""

    @fresh_only
    @wraps(view)
    def found(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return HttpResponseRedirect(reverse("mfa_index"))

    return found


two_factor = TwoFactorView.as_view()
passkey_login = PasskeyLoginView.as_view()
again = own_only(AgainView.as_view())
code_again = own_only(CodeAgainView.as_view())
passkey_again = own_only(PasskeyAgainView.as_view())
app = _own(AppView.as_view())
app_off = _own(AppOffView.as_view())
codes_left = _own(CodesView.as_view())
codes_new = _own(CodesNewView.as_view())
codes_download = _own(codes.download_recovery_codes)
passkey_add = _own(PasskeyAddView.as_view())
passkey_name = _own(PasskeyNameView.as_view())
passkey_remove = _own(PasskeyRemoveView.as_view())
