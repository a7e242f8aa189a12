"""The client of a request, for counting."""

from django.http import HttpRequest

from apps.core.observability import address_key


def client_of(request: HttpRequest) -> str:
    """Return the client as it is counted; behind a proxy the server has put X-Real-IP into REMOTE_ADDR."""
    return address_key((request.META.get("REMOTE_ADDR", ""),))
