"""What a browser sends with a command, checked for its shape before a service sees it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from django.core.exceptions import ValidationError

from apps.core.limits import ID_DIGITS
from apps.core.text_rules.characters import UNSTORABLE, is_storable

NUMBER_LENGTH = 20  # characters of a typed number
PATH_LENGTH = 2048  # characters of an address with its query
OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)
UNREADABLE = "This page and the server no longer understand each other. Please reload the page."


@dataclass(frozen=True, slots=True)
class Arguments:
    """The argument that the markup names and the fields that were typed; both come from a stranger.

    Every method raises ValidationError: with the field's name for what the person can mend, without one for what no
    client of ours sends.
    """

    argument: str
    fields: Mapping[str, Any]

    def id(self, part: int = 0) -> int:
        """The id that stands in the argument, such as 17 of "17:up"."""
        word = self._part(part)
        if not (word.isascii() and word.isdigit() and 0 < len(word) <= ID_DIGITS and int(word)):
            _unreadable()
        return int(word)

    def word(self, part: int, choices: Sequence[str]) -> str:
        """The word that stands in the argument, one of `choices`."""
        word = self._part(part)
        if word not in choices:
            _unreadable()
        return word

    def text(self, name: str, longest: int) -> str:
        """A field's text without blanks around it, at most `longest` characters; empty when there is none."""
        value = self.fields.get(name, "")
        if not isinstance(value, str):
            _unreadable()
        if not is_storable(value):
            raise ValidationError({name: UNSTORABLE})
        text = value.replace("\r\n", "\n").strip()
        if len(text) > longest:
            message = ValidationError("Please write at most %(longest)d characters.", params={"longest": longest})
            raise ValidationError({name: message})
        return text

    def number(self, name: str, least: int, most: int) -> int | None:
        """A whole number from `least` to `most`, or None when nothing was given."""
        text = self.text(name, NUMBER_LENGTH)
        if not text:
            return None
        digits = text.removeprefix("-")
        value = int(text) if digits.isascii() and digits.isdigit() else None
        if value is None or not least <= value <= most:
            params = {"least": least, "most": most}
            message = ValidationError("Please give a whole number from %(least)d to %(most)d.", params=params)
            raise ValidationError({name: message})
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """One of `choices`, or an empty text when none was chosen."""
        value = self.fields.get(name, "")
        if value != "" and value not in choices:
            _unreadable()
        return str(value)

    def several(self, name: str, most: int) -> tuple[str, ...]:
        """The values of a field that repeats, such as of boxes that are ticked: at most so many, none without it."""
        value = self.fields.get(name, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or len(values) > most or not all(isinstance(each, str) for each in values):
            _unreadable()
        if not is_storable(values):
            _unreadable()
        return tuple(values)

    def path(self, name: str) -> str:
        """The address of a page of this site in a field, with its query; empty where it is none of ours."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) and is_own_path(value) else ""

    def flag(self, name: str) -> bool:
        """Whether a box was ticked."""
        return name in self.fields

    def _part(self, part: int) -> str:
        words = self.argument.split(":")
        return words[part] if part < len(words) else ""


def is_own_path(address: str) -> bool:
    """Whether this is a path of our own, with its query: no browser takes it for another site's."""
    return len(address) <= PATH_LENGTH and "\\" not in address and OWN_PATH.fullmatch(address) is not None


def _unreadable() -> NoReturn:
    raise ValidationError(UNREADABLE)
