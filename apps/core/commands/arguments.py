"""The arguments of commands, checked for type and length."""

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
    """The argument in the markup and the fields of the form; anybody can send anything.

    Every method raises ValidationError: with the field's name where the person can correct it, without one where our
    client would never send it.
    """

    argument: str
    fields: Mapping[str, Any]

    def id(self, part: int = 0) -> int:
        """Return the id in a part of the argument, such as 17 in "17:up"."""
        word = self._part(part)
        if not (word.isascii() and word.isdigit() and 0 < len(word) <= ID_DIGITS and int(word)):
            _unreadable()
        return int(word)

    def word(self, part: int, choices: Sequence[str]) -> str:
        """Return the word in a part of the argument, one of `choices`."""
        word = self._part(part)
        if word not in choices:
            _unreadable()
        return word

    def text(self, name: str, longest: int) -> str:
        """Return a field's text, stripped, at most `longest` characters; empty when there is none."""
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

    def number(
        self, name: str, least: int, most: int, sentence: str = "Please give a whole number from %(least)d to %(most)d."
    ) -> int | None:
        """Return a whole number from `least` to `most`, or None when nothing was given.

        `sentence` is what is said to whoever gave something else.
        """
        text = self.text(name, NUMBER_LENGTH)
        if not text:
            return None
        digits = text.removeprefix("-")
        value = int(text) if digits.isascii() and digits.isdigit() else None
        if value is None or not least <= value <= most:
            message = ValidationError(sentence, params={"least": least, "most": most})
            raise ValidationError({name: message})
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return one of `choices`, or an empty text when none was chosen."""
        value = self.fields.get(name, "")
        if value != "" and value not in choices:
            _unreadable()
        return str(value)

    def several(self, name: str, most: int) -> tuple[str, ...]:
        """Return the values of a repeated field, such as check boxes, at most `most`."""
        value = self.fields.get(name, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or len(values) > most or not all(isinstance(each, str) for each in values):
            _unreadable()
        if not is_storable(values):
            _unreadable()
        return tuple(values)

    def path(self, name: str) -> str:
        """Return the path of this site in a field, with its query; empty for anything else."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) and is_own_path(value) else ""

    def flag(self, name: str) -> bool:
        """Whether a box was ticked."""
        return name in self.fields

    def _part(self, part: int) -> str:
        words = self.argument.split(":")
        return words[part] if part < len(words) else ""


def is_own_path(address: str) -> bool:
    """Whether this is a path of this site, with its query, which no browser reads as another site's address."""
    return len(address) <= PATH_LENGTH and "\\" not in address and OWN_PATH.fullmatch(address) is not None


def _unreadable() -> NoReturn:
    raise ValidationError(UNREADABLE)
