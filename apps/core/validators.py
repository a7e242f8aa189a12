"""Addresses that may stand in the data: the same patterns check a form and constrain the table.

The patterns are read by Python and by PostgreSQL, so they use only what both understand alike.
"""

from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator, RegexValidator

ADDRESS_LENGTH = 2048  # characters
_SIGN = r'[^\s"<>\\\u0001-\u001f\u007f]'
SECURE_ADDRESS = rf"^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#]{_SIGN}*)?$"
OWN_PATH = rf"^/([^/\s\"<>\\\u0001-\u001f\u007f]{_SIGN}*)?$"
PICTURE_ADDRESS = rf"({SECURE_ADDRESS})|({OWN_PATH})"

_PICTURE_MESSAGE = "A picture needs an https:// address or a path of this site, such as /static/picture.webp."
picture_address = (
    ProhibitNullCharactersValidator(_PICTURE_MESSAGE),  # the patterns cannot name it: PostgreSQL's texts hold no NUL
    RegexValidator(PICTURE_ADDRESS.replace("$", r"\Z"), _PICTURE_MESSAGE),
    MaxLengthValidator(ADDRESS_LENGTH),
)
