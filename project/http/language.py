"""The language of an answer; passed on explicitly from here, never ambient."""

from django.conf import settings
from django.http import HttpRequest


def language_of(_headers: list[tuple[bytes, bytes]]) -> str:
    """Return the language for these request headers: the site's, as long as it has one."""
    return str(settings.LANGUAGE_CODE)


def request_language(request: HttpRequest) -> str:
    """Return the language for a request of Django's."""
    return language_of(
        [(name.lower().encode(), text.encode("latin1", "replace")) for name, text in request.headers.items()]
    )
