"""Whose browser a request is, for counting: the address that the server believes."""

from django.http import HttpRequest

from apps.core.observability.client_addresses import address_key


def client_of(request: HttpRequest) -> str:
    """Return what a request's client is counted as; behind a proxy the server has put X-Real-IP in its place."""
    return address_key((request.META.get("REMOTE_ADDR", ""),))
