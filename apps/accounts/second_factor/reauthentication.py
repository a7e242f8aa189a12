"""Reauthentication before sensitive changes, by password, code, passkey or Google; and the link for a first factor."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.utils import passthrough_next_redirect_url
from allauth.account.views import ReauthenticateView
from allauth.mfa.base import views as base
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.attempts import account_attempt
from apps.accounts.limits import FIRST_FACTOR_MAILS
from apps.accounts.mail import FIRST_FACTOR, link_account, link_use, mail_send
from apps.accounts.models import User
from apps.accounts.permissions import needs_factor
from apps.accounts.requests import document_only, is_fresh
from apps.accounts.second_factor.adapter import INCORRECT, PasskeyQuestion
from apps.accounts.selectors.own_account import factors_get
from apps.accounts.services.sessions import session_renew
from apps.accounts.session_store import factor_proved
from apps.accounts.sign_in.social import google_address
from apps.core.observability import security_count

View = Callable[..., HttpResponseBase]


def lacks_proof(request: HttpRequest) -> bool:
    """Return whether this user's account has a second factor that was not proved in this session."""
    return factors_get(user_id=request.user.pk or 0).is_there and not factor_proved(request.session)


def own_only(view: View) -> View:
    """Return the view for signed-in users; anonymous visitors are sent to sign in and come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return sent_to("account_login", request)
        return view(request, *args, **kwargs)

    return guarded


def fresh_only(view: View) -> View:
    """Return the view for users with a fresh sign-in; others are sent to reauthenticate and come back by GET."""

    @own_only
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_fresh(request):
            return sent_to("account_reauthenticate", request)
        return view(request, *args, **kwargs)

    return guarded


def sent_to(name: str, request: HttpRequest) -> HttpResponseRedirect:
    """Return a redirect to the page of this name, which leads back to the address of `request`."""
    return HttpResponseRedirect(f"{reverse(name)}?{urlencode({'next': request.get_full_path()}, safe='/')}")


Kind = Authenticator.Type


class ReauthenticationMixin:
    """A page that offers every method of reauthentication that the account has."""

    def _check_reauthentication_method_available(self, request: HttpRequest) -> None:
        """Allow the page in any case, because it lists the available methods."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context: the available methods, and whether the account has a passkey."""
        view: Any = self
        user = view.request.user
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # the view's
        is_linked = SocialAccount.objects.filter(user_id=user.pk).exists()
        by_factor = lacks_proof(view.request)  # if so, neither password nor Google is enough
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
        """Continue with a new session key, because a copy of the old one must not count as reauthenticated."""
        view: Any = self
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]  # the view's
        session_renew(session=view.request.session, account_id=view.request.user.pk)
        return response


class AgainView(ReauthenticationMixin, ReauthenticateView):
    """Reauthentication by password."""


class CodeAgainView(ReauthenticationMixin, base.ReauthenticateView):
    """Reauthentication by code."""


class PasskeyAgainView(PasskeyQuestion, ReauthenticationMixin, webauthn.ReauthenticateWebAuthnView):
    """Reauthentication by passkey; its button is on the page of the password."""

    template_name = AgainView.template_name

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge for the user's passkeys."""
        user = self.request.user
        return auth.begin_authentication(user) if is_mfa_enabled(user, [Kind.WEBAUTHN]) else None

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Redirect to the page with the button."""
        return self._back()

    def form_invalid(self, form: Any) -> HttpResponse:  # noqa: ARG002
        """Redirect to the page with the button, with an error message."""
        security_count("second factor refused", account=self.request.user.pk, reason="webauthn")
        messages.error(self.request, INCORRECT)
        return self._back()

    def _back(self) -> HttpResponse:
        page = reverse("account_reauthenticate")
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, page, "next"))


again = own_only(AgainView.as_view())
code_again = own_only(CodeAgainView.as_view())
passkey_again = own_only(PasskeyAgainView.as_view())


ALLOWED = "first_factor_allowed"  # session key, set by the mailed link until a factor is set up
SENT = "A link is on its way to your address. Please open it in this browser."
NOW = "Now you can set up a passkey or an authenticator app."


def first_factor_allowed(request: HttpRequest, user: User) -> bool:
    """Return whether the user may set up a first second factor in this session."""
    return not needs_factor(user) or bool(request.session.get(ALLOWED))


@require_POST
@own_only
def send(request: HttpRequest) -> HttpResponse:
    """Mail the link for a first factor if the account needs it."""
    user = request.user
    if isinstance(user, User) and needs_factor(user) and not factors_get(user_id=user.pk).is_there:
        try:
            account_attempt(FIRST_FACTOR_MAILS, account_id=user.pk)
        except ValidationError as error:
            messages.error(request, error.messages[0])
        else:
            mail_send(name="first_factor", to=user.email)
            messages.success(request, SENT)
    return HttpResponseRedirect(reverse("mfa_index"))


@document_only
@own_only
def first_factor(request: HttpRequest) -> HttpResponse:
    """Show a button for the mailed link, since mail programs open links too. A post allows a first factor."""
    key = request.GET.get("key", "")
    if link_account(purpose=FIRST_FACTOR, key=key) != request.user.pk:
        return render(request, "mfa/first_factor_unusable.html")
    if request.method != "POST":
        return render(request, "mfa/first_factor.html")
    if link_use(purpose=FIRST_FACTOR, key=key) is None:  # a concurrent request used the link
        return render(request, "mfa/first_factor_unusable.html")
    request.session[ALLOWED] = True
    messages.success(request, NOW)
    return HttpResponseRedirect(reverse("mfa_index"))
