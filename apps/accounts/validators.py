"""The rules of usernames and passwords, with the specification's sentences (section 5)."""

from functools import cache
from itertools import zip_longest
from typing import Any

from anyascii import anyascii
from django.contrib.auth.password_validation import CommonPasswordValidator as Common
from django.core.exceptions import ValidationError

from apps.accounts.limits import PASSWORD_SHORTEST, USERNAME_LONGEST, USERNAME_SHORTEST, WORD_SHORTEST

USERNAME = rf"^[A-Za-z][A-Za-z0-9_-]{{{USERNAME_SHORTEST - 1},{USERNAME_LONGEST - 1}}}$"
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# Characters that look alike (Unicode TR 39, limited to usernames); the database folds in the same steps.
ALIKE, INTO = "01i-_", "oll"  # one by one; hyphens and underscores are dropped
ALIKE_PAIRS = (("rn", "m"), ("vv", "w"))
# Names that imply the site itself or a deleted account.
_RESERVED = (
    "admin administrator anonymous everybody formermember guest help jury mail moderator nobody parterre postmaster "
    "press root security staff support system webmaster"
)
TAKEN = "This username is already taken."
RESERVED = "This username is reserved. Please choose another one."
_SITE_WORDS = ("parterre", "chopin")
# Beginnings of likely passwords of this audience, removed in this order, so longer ones come first.
_FIELD_WORDS = sorted(
    "accompanist arpeggio ballad ballada ballade barcarolle bechstein boesendorfer cantabile competition composer "
    "concert concerto conservatory contest crescendo etiuda etiudy etude etudes fantasia fantasie fazioli festival "
    "fortepian fortissimo frederic fryderyk grandpiano impromptu jury kawai keyboard klavier koncert konkurs "
    "maestro major mazurek mazurka mazurki melody minor moderato music musician muzyka nocturne nocturnes nokturn "
    "nokturny opus orchestra pedal performance pianista pianist pianists piano pianissimo polonaise polonez poland "
    "polska preludium prelude preludes recital rondo rubato scherzo session sonata stage steinway tarantella "
    "virtuoso walc waltz waltzes warsaw warszawa yamaha zelazowa".split(),
    key=len,
    reverse=True,
)
_LEET = str.maketrans("013457@$!", "oieastasi")


def username_skeleton(username: str) -> str:
    """Return the same text for usernames that look alike, such as `Adm1n` and `ad-min`."""
    signs = str.maketrans(dict(zip_longest(ALIKE, INTO)))
    skeleton = username.lower().translate(signs)
    for pair, sign in ALIKE_PAIRS:
        skeleton = skeleton.replace(pair, sign)
    return skeleton


RESERVED_SKELETONS = tuple(username_skeleton(name) for name in _RESERVED.split())


def validate_username(username: str) -> None:
    """Raise ValidationError with the first rule that `username` breaks; uniqueness is not checked."""
    if len(username) < USERNAME_SHORTEST:
        raise ValidationError("Username must be at least 3 characters long")
    if len(username) > USERNAME_LONGEST:
        raise ValidationError("Username must be no more than 20 characters long")
    if not set(username) <= _ALLOWED:
        raise ValidationError("Username can only contain letters, numbers, underscores, and hyphens")
    if username[0] in "0123456789_-":
        raise ValidationError("Username must start with a letter")
    if username_skeleton(username) in RESERVED_SKELETONS:
        raise ValidationError(RESERVED)


class LongEnough:
    """Refuses short passwords."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - Django's signature
        """Raise ValidationError for a password that is too short."""
        if len(password) < PASSWORD_SHORTEST:
            raise ValidationError("Password must be at least 6 characters", code="password_too_short")

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must be at least 6 characters"


class Uncommon:
    """Refuses the most common passwords (Django's list)."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - Django's signature
        """Raise ValidationError for a common password."""
        if password.lower().strip() in _common():
            raise ValidationError(
                "This password is one of the most common. Please choose another one.", code="password_too_common"
            )

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must not be one of the most common"


@cache
def _common() -> frozenset[str]:
    return frozenset(Common().passwords)


class Impersonal:
    """Refuses passwords with the user's name or address, or a word of the site."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError for a password that contains the name, the address or a word of the site."""
        local, _, domain = str(getattr(user, "email", "")).partition("@")
        words = (str(getattr(user, "username", "")), local, domain, *_SITE_WORDS)
        if any(len(word) >= WORD_SHORTEST and _plain(word) in _plain(password) for word in words):
            raise ValidationError(
                "Password must not contain your name, your address or the name of this site",
                code="password_too_personal",
            )

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must not contain your name, your address or the name of this site"


class Original:
    """Refuses musical terms with only digits and punctuation around them."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - Django's signature
        """Raise ValidationError for a password such as `Pianist7` or `n0cturne-op.9`."""
        if any(_is_field_words(reading) for reading in (password.lower(), _plain(password))):
            raise ValidationError(
                "Password must be more than a word of music or of this competition. Please add words of your own.",
                code="password_too_near",
            )

    def get_help_text(self) -> str:
        """Return the rule."""
        return "Password must be more than a word of music or of this competition"


def _is_field_words(text: str) -> bool:
    """Return whether the text has a musical term and, besides such terms, fewer than WORD_SHORTEST letters."""
    letters = "".join(sign for sign in anyascii(text).lower() if sign.isalpha())
    left = letters
    for word in _FIELD_WORDS:
        left = left.replace(word, "")
    return left != letters and len(left) < WORD_SHORTEST


def _plain(text: str) -> str:
    """Return `text` in lower case, with look-alike digits and signs replaced by letters, such as 1 by i."""
    return text.lower().translate(_LEET)
