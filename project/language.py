"""In which language somebody is answered; passed on explicitly from here, never ambient."""

from django.conf import settings


def language_of(_headers: list[tuple[bytes, bytes]]) -> str:
    """The language for these request headers: the site's, as long as it has one."""
    return str(settings.LANGUAGE_CODE)
