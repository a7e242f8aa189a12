"""Signing in with Google: views."""

import logging
from urllib.parse import urlencode

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.generic.base import View

from apps.accounts import attempts
from apps.accounts.sign_in.clients import client_of
from apps.accounts.sign_in.document_only import document_only
from apps.accounts.sign_in.next_path import with_next
from apps.accounts.sign_in.social import GOOGLE, GoogleAdapter, failed

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
        return render(request, "socialaccount/callback.html")
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
