"""In which language somebody is answered; passed on explicitly from here, never ambient."""

from django.conf import settings
from django.http import HttpRequest


def language_of(_headers: list[tuple[bytes, bytes]]) -> str:
    """The language for these request headers: the site's, as long as it has one."""
    return str(settings.LANGUAGE_CODE)


def request_language(request: HttpRequest) -> str:
    """The language for a request of Django's."""
    return language_of(
        [(name.lower().encode(), text.encode("latin1", "replace")) for name, text in request.headers.items()]
    )
