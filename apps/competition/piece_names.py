"""Parsing of piece names; the app with the grammar of names registers its parser in its `AppConfig.ready`."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PieceParts:
    """A piece's name as the catalogue writes it, and its parts; unread parts are empty or None."""

    name: str
    composer: str = ""
    title: str = ""
    key: str = ""
    opus: str = ""
    number: int | None = None


Reader = Callable[[str], PieceParts | None]
_readers: list[Reader] = []


def reader_register(read: Reader) -> None:
    """Register a parser of names; it returns None for a name that it cannot parse completely."""
    _readers.append(read)


def parts_read(typed: str) -> PieceParts:
    """Return the parts of a name; without a matching parser, the typed name with single blanks."""
    name = " ".join(typed.split())
    return next((parts for read in _readers if (parts := read(name)) is not None), PieceParts(name))
