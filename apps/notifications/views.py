"""The page that ends the mails of a member, by the signed link in each of them (RFC 8058)."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.accounts.attempts import client_attempt
from apps.accounts.requests import client_of, document_only
from apps.accounts.selectors.own_account import address_get
from apps.core.rate_limits import TooMany
from apps.notifications.limits import FORGED_UNSUBSCRIBES
from apps.notifications.services.preferences import notices_end
from apps.notifications.unsubscribing import address_masked, unsubscribe_account

HEADERS = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}  # the address is a secret of the member


@csrf_exempt  # the signed key is the permission: mail programs post without a cookie
@require_http_methods(["GET", "HEAD", "POST"])
@document_only
def unsubscribe(request: HttpRequest) -> HttpResponseBase:
    """Show a button, since mail programs open links too. A post ends the mails, however often it is sent."""
    user_id = unsubscribe_account(request.GET.get("key", ""))
    address = address_get(user_id=user_id) if user_id else ""
    if user_id is None or not address:
        return _with_headers(_unusable(request))
    if request.method == "POST":
        notices_end(user_id=user_id)
    context = {"address": address_masked(address), "is_done": request.method == "POST"}
    return _with_headers(render(request, "notifications/unsubscribe.html", context))


def _unusable(request: HttpRequest) -> HttpResponse:
    """Return the page for a link that this site has not made, or whose account is deleted; posts are counted."""
    try:
        if request.method == "POST":
            client_attempt(FORGED_UNSUBSCRIBES, client=client_of(request))
    except TooMany:
        return render(request, "429.html", status=429)
    return render(request, "notifications/unsubscribe_unusable.html", status=404)


def _with_headers(response: HttpResponse) -> HttpResponse:
    for name, value in HEADERS.items():
        response.headers[name] = value
    return response
