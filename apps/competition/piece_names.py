"""What the name of a piece says of it; the app that has the grammar of names registers it in its `AppConfig.ready`."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PieceParts:
    """A piece's name as the catalogue writes it, and its parts; those that nobody could read are empty or None."""

    name: str
    composer: str = ""
    title: str = ""
    key: str = ""
    opus: str = ""
    number: int | None = None


Reader = Callable[[str], PieceParts | None]
_readers: list[Reader] = []


def reader_register(read: Reader) -> None:
    """Register what reads names; it returns None for a name that it does not read to its end."""
    _readers.append(read)


def parts_read(typed: str) -> PieceParts:
    """Return the parts of a name; of one that nobody can read, the name as it was typed, with single blanks."""
    name = " ".join(typed.split())
    return next((parts for read in _readers if (parts := read(name)) is not None), PieceParts(name))
