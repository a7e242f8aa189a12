"""Enumerations of the search."""

from enum import StrEnum


class Kind(StrEnum):
    """What can be found."""

    PARTICIPANT = "participant"
    PIECE = "piece"
    SESSION = "session"
    STAGE = "stage"
    NEWS = "news"
    POST = "post"
