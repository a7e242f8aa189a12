"""The client of a request, for rate limits."""

from django.http import HttpRequest

from apps.core.observability import address_key


def client_of(request: HttpRequest) -> str:
    """Return the client as rate limits count it. Behind a proxy the server has copied X-Real-IP to REMOTE_ADDR."""
    return address_key((request.META.get("REMOTE_ADDR", ""),))
