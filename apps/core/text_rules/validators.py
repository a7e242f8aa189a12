"""Patterns and validators of addresses, for forms and for check constraints.

Python and PostgreSQL read the patterns, so they use only what both understand alike. Our own host is in the settings,
so a constraint cannot refuse it; the validator does.
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator, RegexValidator

from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.hosts import host_read, is_public

_SIGN = r'[^\s"<>\\\u0001-\u001f\u007f]'
SECURE_ADDRESS = rf"^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#]{_SIGN}*)?$"
_SEGMENT = "[A-Za-z0-9_-][A-Za-z0-9_.-]*"
STATIC_PATH = rf"^/static/({_SEGMENT}/)*{_SEGMENT}$"  # no other path: a picture must not open a page of this site
PICTURE_ADDRESS = rf"({SECURE_ADDRESS})|({STATIC_PATH})"

_PICTURE_MESSAGE = "A picture needs an https:// address or a static file of this site, such as /static/picture.webp."
_HOST_MESSAGE = "A picture needs the address of another, public site."

SECURE_PICTURE = "A picture needs an https:// address of another site."  # where no static file of ours may be one


def validate_other_host(address: str) -> None:
    """Raise ValidationError for an https:// address of this site or of the viewer's own network, in any spelling."""
    if not address.startswith("https:"):
        return
    host = host_read(address)
    own = {host_read(settings.PUBLIC_URL), *(host_read(f"//{each}") for each in settings.ALLOWED_HOSTS)}
    if host in own or not is_public(host):
        raise ValidationError(_HOST_MESSAGE)


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
