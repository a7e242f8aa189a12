"""Signing in with Google: allauth's adapters, checks of the ID token, creation of accounts, and views."""

import logging
import secrets
from functools import cache
from typing import Any
from urllib.parse import urlencode

import jwt
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.google.provider import GoogleProvider
from allauth.socialaccount.providers.google.views import GoogleOAuth2Adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.generic.base import View

from apps.accounts import attempts
from apps.accounts.models import User
from apps.accounts.requests import client_of, document_only, next_path, next_path_set, with_next
from apps.accounts.selectors.people import account_id_find
from apps.accounts.services.factors import account_create_linked
from apps.core.observability import security_count
from apps.core.text_rules import is_picture_address

GOOGLE = "google"
ERROR = "Error during login. Please try again."
SIGNED_BY = ["RS256"]  # Google's signature algorithm
CLAIMS = ["iss", "aud", "sub", "iat", "exp"]  # required claims of an ID token
CLOCKS_DIFFER = 60  # seconds by which Google's clock and this machine's may differ
KEYS_KEPT = 3_600.0  # seconds; for an unknown key they are fetched again, at most twice a minute
NONCE_BYTES = 16
TAKEN = "There is an account with this address already. Please log in with its password."


def failed(request: HttpRequest, words: str = ERROR) -> HttpResponse:
    """Return the page with the error, which continues to the sign-in."""
    form = forms.Form({})
    form.add_error(None, words)
    return render(
        request, "socialaccount/failed.html", {"form": form, "onward": with_next(reverse("account_login"), request)}
    )


class GoogleAdapter(GoogleOAuth2Adapter):
    """Google's endpoints, from the settings."""

    @property
    def authorize_url(self) -> str:
        """The address at which users confirm the sign-in."""
        return str(settings.GOOGLE.authorize_url)

    @property
    def access_token_url(self) -> str:
        """The address that exchanges the answer's code."""
        return str(settings.GOOGLE.token_url)

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:  # noqa: ARG002 - allauth's signature, as below
        """Return the callback's address, always on the public host."""
        return f"{settings.PUBLIC_URL}{reverse('google_callback')}"

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> SocialLogin:  # noqa: ARG002
        """Return the login of the ID token, without reading other data. Raises OAuth2Error."""
        claims = id_token_claims(kwargs["response"].get("id_token") or "", audience=app.client_id)
        login: SocialLogin = self.get_provider().sociallogin_from_response(request, claims)
        login.nonce = claims.get("nonce")
        return login


def id_token_claims(id_token: str, *, audience: str) -> dict[str, Any]:
    """Return the claims of an ID token, verified with Google's keys; each token works once. Raises OAuth2Error.

    OpenID Connect Core 1.0, 3.1.3.7: signature, issuer, audience and times are checked; the caller compares the nonce.
    """
    try:
        claims = jwt.decode(
            id_token,
            _keys(settings.GOOGLE.keys_url).get_signing_key_from_jwt(id_token),
            algorithms=SIGNED_BY,
            audience=audience,
            issuer=settings.GOOGLE.issuer,
            leeway=CLOCKS_DIFFER,
            options={"require": CLAIMS},
        )
    except jwt.PyJWTError as error:
        raise OAuth2Error("Invalid id_token") from error
    if claims["aud"] not in (audience, [audience]):  # refused if it is for another client too
        raise OAuth2Error("Invalid id_token")
    jwtkit.verify_jti(claims)
    return dict(claims)


@cache
def _keys(address: str) -> jwt.PyJWKClient:
    """Return the client for Google's public keys, which are fetched on demand and cached."""
    return jwt.PyJWKClient(address, lifespan=KEYS_KEPT, timeout=settings.SOCIALACCOUNT_REQUESTS_TIMEOUT)


class Google(GoogleProvider):
    """Google as a provider; only Google's id of the account is stored."""

    oauth2_adapter_class = GoogleAdapter

    def get_redirect_from_request_kwargs(self, request: HttpRequest) -> dict[str, Any]:
        """Return the arguments of the redirect. The process is always a sign-in, independent of the request."""
        nonce = secrets.token_urlsafe(NONCE_BYTES)  # stored with the state, and repeated in the ID token
        auth_params = {**self.get_auth_params(), "nonce": nonce}
        return {
            "process": AuthProcess.LOGIN,
            "next_url": next_path(request),
            "auth_params": auth_params,
            "nonce": nonce,
        }

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return an empty dict: no part of Google's answer is stored."""
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return address and picture for a new account."""
        return {"email": data.get("email"), "picture": data.get("picture")}

    def extract_email_addresses(self, data: dict[str, Any]) -> Any:
        """Return the address, as confirmed only if Google has confirmed it."""
        return super().extract_email_addresses({**data, "email_verified": data.get("email_verified") in (True, "true")})


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """allauth's adapter for accounts of providers."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Google:
        """Return Google. Raises SocialApp.DoesNotExist if it is not configured."""
        return Google(request, app=self.get_app(request, provider=provider, client_id=client_id))

    def list_apps(self, request: HttpRequest, provider: str | None = None, client_id: str | None = None) -> list[Any]:
        """Return the configured providers; they come from the settings, never from rows."""
        apps = super().list_apps(request, provider, client_id) if settings.GOOGLE.is_there else []
        return [app for app in apps if app.pk is None]

    def on_authentication_error(self, request: HttpRequest, provider: Any, error: Any = None, **more: Any) -> None:  # noqa: ARG002
        """Show the error: refused, used twice, started in another browser, or no answer from Google."""
        reason = type(more.get("exception")).__name__ if more.get("exception") else error
        security_count("sign-in refused", reason=f"google: {reason}")
        _next_path_keep(request, (more.get("extra_context") or {}).get("state"))
        raise ImmediateHttpResponse(failed(request))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Allow a linked account or a new address; an address with an account must sign in by password."""
        _next_path_keep(request, sociallogin.state)
        if not sociallogin.nonce or sociallogin.nonce != sociallogin.state.get("nonce"):
            security_count("sign-in refused", reason="google: another nonce")
            raise ImmediateHttpResponse(failed(request))
        if sociallogin.is_existing:
            return
        address = next(iter(sociallogin.email_addresses), None)
        if address is None:
            raise ImmediateHttpResponse(failed(request))
        if address.verified and account_id_find(name=address.email) is not None:
            messages.error(request, TAKEN)
            raise ImmediateHttpResponse(HttpResponseRedirect(with_next(reverse("account_login"), request)))

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Set a new account's picture."""
        user: User = super().populate_user(request, sociallogin, data)
        user.avatar_url = _picture(str(data.get("picture") or ""))
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:  # noqa: ARG002
        """Create the account at the first sign-in."""
        [address, *_] = sociallogin.email_addresses
        user = account_create_linked(
            provider=sociallogin.account.provider,
            uid=sociallogin.account.uid,
            email=address.email,
            is_verified=address.verified,
            avatar_url=sociallogin.user.avatar_url,
        )
        sociallogin.user = sociallogin.account.user = user
        return user


def _next_path_keep(request: HttpRequest, state: dict[str, Any] | None) -> None:
    """Restore the page after the sign-in from the state, because Google's answer does not contain it."""
    next_path_set(request, str((state or {}).get("next") or ""))


def _picture(address: str) -> str:
    """Return the address if it is valid for a picture, else an empty text."""
    return address if address.startswith("https://") and is_picture_address(address) else ""


log = logging.getLogger(__name__)
NOT_STARTED = "Failed to sign in with Google. Please try again."
NOT_STARTED_AT_ALL = "Unexpected error during login. Please try again."
NOT_STARTED_NEW = "Failed to sign in with Google"
UNEXPECTED = "Unexpected error. Redirecting to login..."
ANSWER = ("state", "code", "error")  # the parameters of Google's answer that are read
FINISH = "finish"  # in the address of the second step, after the page "Finalizing login..."

_finish = OAuth2CallbackView.adapter_view(GoogleAdapter)


def google_address(name: str) -> str:
    """Return the address of a screen's Google button; empty if Google is not configured."""
    return reverse(name) if settings.GOOGLE.is_there else ""


class StartView(View):
    """Starts a sign-in, by POST with a CSRF token, so that another site cannot sign a user in to a foreign account."""

    entrance = "account_login"
    failed = NOT_STARTED
    failed_unexpectedly = NOT_STARTED_AT_ALL

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the page with the button."""
        return self._back(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Redirect the browser to Google."""
        try:
            attempts.google_attempt(client=client_of(request))
            response: HttpResponse = get_adapter(request).get_provider(request, GOOGLE).redirect_from_request(request)
        except ValidationError as error:
            sentence = " ".join(error.messages)
        except SocialApp.DoesNotExist:
            sentence = self.failed
        except Exception:
            log.exception("the redirect to Google failed")
            sentence = self.failed_unexpectedly
        else:
            return response
        messages.error(request, sentence)
        return self._back(request)

    def _back(self, request: HttpRequest) -> HttpResponse:
        return HttpResponseRedirect(with_next(reverse(self.entrance), request))


start = StartView.as_view()
start_new = StartView.as_view(entrance="account_signup", failed=NOT_STARTED_NEW, failed_unexpectedly=NOT_STARTED_NEW)


@document_only
@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Show "Finalizing login...", which redirects here with FINISH; then complete the sign-in."""
    answer = {name: request.GET[name] for name in ANSWER if name in request.GET}
    if not {"code", "error"} & set(answer):
        return render(request, "socialaccount/callback.html", {"onward": "/"} if request.user.is_authenticated else {})
    if not settings.GOOGLE.is_there:
        return failed(request)
    if FINISH not in request.GET:
        onward = f"{request.path}?{urlencode({**answer, FINISH: '1'})}"
        return render(request, "socialaccount/callback.html", {"onward": onward})
    try:
        response: HttpResponse = _finish(request)
    except Exception:
        log.exception("the sign-in with Google failed")
        return failed(request, UNEXPECTED)
    return response
