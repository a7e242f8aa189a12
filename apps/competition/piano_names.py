"""Names of pianos as they are written: maker and model apart, and when two of them mean one piano."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from apps.core.text_rules import fold, name_clean

_DIVIDED = re.compile(r"[,;|/]")
_BETWEEN = frozenset({"model", "modell", "mod.", "grand", "type"})  # between maker and model
_NO_SIGNS = str.maketrans("", "", " -.,;")


@dataclass(frozen=True, slots=True)
class PianoName:
    """Maker and model; an unknown model is empty."""

    maker: str
    model: str = ""

    def __str__(self) -> str:
        return f"{self.maker} {self.model}".strip()

    @property
    def key(self) -> str:
        """Return what all ways to write this piano have in common."""
        return fold(str(self)).translate(_NO_SIGNS)


class Named(Protocol):
    """A piano of the list."""

    @property
    def maker(self) -> str:
        """Its maker."""

    @property
    def model(self) -> str:
        """Its model."""


Row = TypeVar("Row", bound=Named)


def piano_read(text: str) -> PianoName:
    """Return the maker and the model that a text names: "Steinway & Sons D-274", "YAMAHA, CFX", "C. Bechstein D 282".

    The model begins at the first word, but the text's own first one, with a digit or in capitals.
    """
    words = name_clean(text)
    maker, *models = map(str.strip, _DIVIDED.split(words))
    if models:
        return PianoName(maker, " ".join(filter(None, models)))
    parts = words.split()
    begin = _model_begin(parts)
    before = begin - 1 if begin > 1 and parts[begin - 1].lower() in _BETWEEN else begin
    return PianoName(" ".join(parts[:before]), " ".join(parts[begin:]))


def _model_begin(parts: list[str]) -> int:
    """Return the index of the first word of the model, the number of words without one."""
    has_capitals_only = " ".join(parts).isupper()
    for at, part in enumerate(parts[1:], start=1):
        is_initial = part.endswith(".")
        if any(map(str.isdigit, part)) or (part.isupper() and not (is_initial or has_capitals_only)):
            return at
    return max(len(parts) - 1, 1) if has_capitals_only else len(parts)


def by_key(pianos: Iterable[Row]) -> dict[str, Row]:
    """Return pianos by the key of their name."""
    return {PianoName(each.maker, each.model).key: each for each in pianos}
