"""Addresses that may stand in the data: the same patterns check a form and constrain the table.

The patterns are read by Python and by PostgreSQL, so they use only what both understand alike. Which host is our own
only the settings know, so that is checked here alone.
"""

from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator, RegexValidator

from apps.core.limits import ADDRESS_LENGTH

_HOST_LENGTH = 253  # characters (RFC 1035), and each takes at least one
_SIGN = r'[^\s"<>\\\u0001-\u001f\u007f]'
SECURE_ADDRESS = rf"^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#]{_SIGN}*)?$"
_SEGMENT = "[A-Za-z0-9_-][A-Za-z0-9_.-]*"
STATIC_PATH = rf"^/static/({_SEGMENT}/)*{_SEGMENT}$"  # no other of our own: a picture must open no page of this site
PICTURE_ADDRESS = rf"({SECURE_ADDRESS})|({STATIC_PATH})"

_PICTURE_MESSAGE = "A picture needs an https:// address or a static file of this site, such as /static/picture.webp."


def validate_other_host(address: str) -> None:
    """Raise ValidationError for an https:// address of this very site, however a browser would have it spelled."""
    own = {"", _host(settings.PUBLIC_URL), *(_host(f"//{each}") for each in settings.ALLOWED_HOSTS)}
    if address.startswith("https:") and _host(address) in own:
        raise ValidationError(_PICTURE_MESSAGE)


def _host(address: str) -> str:
    """Return the host that a browser would ask, in small ASCII letters, as far as it is a name; else an empty text."""
    try:
        host = normalize("NFKC", unquote(urlsplit(address).hostname or ""))
        if len(host) > _HOST_LENGTH:  # reading such a name takes its length squared
            return ""
        return host.encode("idna").decode().lower().rstrip(".")
    except ValueError:  # no browser would ask any
        return ""


def is_picture_address(address: str) -> bool:
    """Whether an address may be a picture's."""
    try:
        for validate in picture_address:
            validate(address)
    except ValidationError:
        return False
    return True


def is_secure_picture_address(address: str) -> bool:
    """Whether an address may be that of a picture which somebody posts: on another site, over https."""
    return address.startswith("https:") and is_picture_address(address)


picture_address = (
    ProhibitNullCharactersValidator(_PICTURE_MESSAGE),  # the patterns cannot name it: PostgreSQL's texts hold no NUL
    RegexValidator(PICTURE_ADDRESS.replace("$", r"\Z"), _PICTURE_MESSAGE),
    MaxLengthValidator(ADDRESS_LENGTH),
    validate_other_host,
)
