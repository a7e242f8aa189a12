"""allauth's adapters for Google: whom an ID token names, and when an account is created."""

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
from apps.accounts.selectors.people import account_id_find
from apps.accounts.services.factors import account_create_linked
from apps.accounts.sign_in.clients import client_of
from apps.accounts.sign_in.document_only import document_only
from apps.accounts.sign_in.next_path import next_path, next_path_set, with_next
from apps.core.observability import security_count
from apps.core.text_rules import is_picture_address

GOOGLE = "google"
ERROR = "Error during login. Please try again."
SIGNED_BY = ["RS256"]  # how Google signs
CLAIMS = ["iss", "aud", "sub", "iat", "exp"]  # what an ID token says in any case
CLOCKS_DIFFER = 60  # seconds that Google's clock and this machine's may be apart
KEYS_KEPT = 3_600.0  # seconds; for one that is not among them they are fetched again, twice a minute at most
NONCE_BYTES = 16
TAKEN = "There is an account with this address already. Please log in with its password."


def failed(request: HttpRequest, words: str = ERROR) -> HttpResponse:
    """Return the page with the error, which goes on to the sign-in."""
    form = forms.Form({})
    form.add_error(None, words)
    return render(
        request, "socialaccount/failed.html", {"form": form, "onward": with_next(reverse("account_login"), request)}
    )


class GoogleAdapter(GoogleOAuth2Adapter):
    """Google's endpoints, as the settings name them."""

    @property
    def authorize_url(self) -> str:
        """Where people confirm the sign-in."""
        return str(settings.GOOGLE.authorize_url)

    @property
    def access_token_url(self) -> str:
        """Where the answer's code is exchanged."""
        return str(settings.GOOGLE.token_url)

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:  # noqa: ARG002 - as all below, allauth's signature
        """Return the callback's address, always on the public one."""
        return f"{settings.PUBLIC_URL}{reverse('google_callback')}"

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> SocialLogin:  # noqa: ARG002
        """Return the login that the ID token names; nothing else is read. Raises OAuth2Error."""
        claims = id_token_claims(kwargs["response"].get("id_token") or "", audience=app.client_id)
        login: SocialLogin = self.get_provider().sociallogin_from_response(request, claims)
        login.nonce = claims.get("nonce")
        return login


def id_token_claims(id_token: str, *, audience: str) -> dict[str, Any]:
    """Return the claims of an ID token, verified with Google's keys; each token works once. Raises OAuth2Error.

    OpenID Connect Core 1.0, 3.1.3.7: signature, issuer, audience and times; the caller compares the nonce.
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
    if claims["aud"] not in (audience, [audience]):  # for another client as well
        raise OAuth2Error("Invalid id_token")
    jwtkit.verify_jti(claims)
    return dict(claims)


@cache
def _keys(address: str) -> jwt.PyJWKClient:
    """Return Google's public keys, fetched when they are needed and kept for a while."""
    return jwt.PyJWKClient(address, lifespan=KEYS_KEPT, timeout=settings.SOCIALACCOUNT_REQUESTS_TIMEOUT)


class Google(GoogleProvider):
    """Google as a provider; only its number of the person is stored."""

    oauth2_adapter_class = GoogleAdapter

    def get_redirect_from_request_kwargs(self, request: HttpRequest) -> dict[str, Any]:
        """Return the arguments of the redirect; it is always a sign-in, whatever the address asks for."""
        nonce = secrets.token_urlsafe(NONCE_BYTES)  # kept with the state, and repeated by the ID token
        asked = {**self.get_auth_params(), "nonce": nonce}
        return {
            "process": AuthProcess.LOGIN,
            "next_url": next_path(request),
            "auth_params": asked,
            "nonce": nonce,
        }

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return what is stored of Google's answer: nothing."""
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return address and picture for a new account."""
        return {"email": data.get("email"), "picture": data.get("picture")}

    def extract_email_addresses(self, data: dict[str, Any]) -> Any:
        """Return the address, confirmed only if Google says so."""
        return super().extract_email_addresses({**data, "email_verified": data.get("email_verified") in (True, "true")})


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """allauth's adapter for accounts of providers."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Google:
        """Return Google; raises SocialApp.DoesNotExist when this site has no account there."""
        return Google(request, app=self.get_app(request, provider=provider, client_id=client_id))

    def list_apps(self, request: HttpRequest, provider: str | None = None, client_id: str | None = None) -> list[Any]:
        """Return this site's accounts at providers; they come from the settings, never from rows."""
        found = super().list_apps(request, provider, client_id) if settings.GOOGLE.is_there else []
        return [app for app in found if app.pk is None]

    def on_authentication_error(self, request: HttpRequest, provider: Any, error: Any = None, **more: Any) -> None:  # noqa: ARG002
        """Show that it failed: refused, used twice, begun in another browser, or Google does not answer."""
        reason = type(more.get("exception")).__name__ if more.get("exception") else error
        security_count("sign-in refused", reason=f"google: {reason}")
        _next_path_keep(request, (more.get("extra_context") or {}).get("state"))
        raise ImmediateHttpResponse(failed(request))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Allow a linked account or a new address; an address that has an account must sign in by password."""
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
        """Fill in a new account's picture."""
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
    """Keep where the sign-in leads, as it was said when it began: Google's answer does not say it."""
    next_path_set(request, str((state or {}).get("next") or ""))


def _picture(address: str) -> str:
    """Return the address if it may be somebody's picture, else an empty text."""
    return address if address.startswith("https://") and is_picture_address(address) else ""


log = logging.getLogger(__name__)
NOT_STARTED = "Failed to sign in with Google. Please try again."
NOT_STARTED_AT_ALL = "Unexpected error during login. Please try again."
NOT_STARTED_NEW = "Failed to sign in with Google"
UNEXPECTED = "Unexpected error. Redirecting to login..."
ANSWER = ("state", "code", "error")  # the parameters of Google's answer that are read
FINISH = "finish"  # in the address once the page "Finalizing login..." is shown

_finish = OAuth2CallbackView.adapter_view(GoogleAdapter)


def google_address(name: str) -> str:
    """Return where a screen's Google button is posted to; empty when the site has no account at Google."""
    return reverse(name) if settings.GOOGLE.is_there else ""


class StartView(View):
    """Begins a sign-in, by POST with a token, so that no other site can sign somebody in as somebody else."""

    entrance = "account_login"
    failed = NOT_STARTED
    failed_unexpectedly = NOT_STARTED_AT_ALL

    def get(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the page with the button."""
        return self._back(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Send the browser to Google."""
        try:
            attempts.google_attempt(client=client_of(request))
            response: HttpResponse = get_adapter(request).get_provider(request, GOOGLE).redirect_from_request(request)
        except ValidationError as error:
            sentence = " ".join(error.messages)
        except SocialApp.DoesNotExist:
            sentence = self.failed
        except Exception:
            log.exception("a way to Google could not be begun")
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
    """Show "Finalizing login...", which redirects here with FINISH; then finish the sign-in."""
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
        log.exception("a sign-in with Google broke off")
        return failed(request, UNEXPECTED)
    return response
