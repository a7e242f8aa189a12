"""Patterns and validators of addresses, for forms and for check constraints.

Python and PostgreSQL read the patterns, so they use only what both understand alike. Our own host is in the settings,
so a constraint cannot refuse it; the validator does.
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
STATIC_PATH = rf"^/static/({_SEGMENT}/)*{_SEGMENT}$"  # no other path: a picture must not open a page of this site
PICTURE_ADDRESS = rf"({SECURE_ADDRESS})|({STATIC_PATH})"

_PICTURE_MESSAGE = "A picture needs an https:// address or a static file of this site, such as /static/picture.webp."

SECURE_PICTURE = "A picture needs an https:// address of another site."  # where no static file of ours may be one


def validate_other_host(address: str) -> None:
    """Raise ValidationError for an https:// address of this site, in any spelling that browsers accept."""
    own = {"", _host(settings.PUBLIC_URL), *(_host(f"//{each}") for each in settings.ALLOWED_HOSTS)}
    if address.startswith("https:") and _host(address) in own:
        raise ValidationError(_PICTURE_MESSAGE)


def _host(address: str) -> str:
    """Return the host as browsers read it, in lower-case ASCII; empty when it is no valid name."""
    try:
        host = normalize("NFKC", unquote(urlsplit(address).hostname or ""))
        if len(host) > _HOST_LENGTH:  # encoding takes quadratic time
            return ""
        return host.encode("idna").decode().lower().rstrip(".")
    except ValueError:  # no browser would accept it
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
    ProhibitNullCharactersValidator(_PICTURE_MESSAGE),  # patterns of PostgreSQL cannot contain NUL
    RegexValidator(PICTURE_ADDRESS.replace("$", r"\Z"), _PICTURE_MESSAGE),
    MaxLengthValidator(ADDRESS_LENGTH),
    validate_other_host,
)
