"""Words that accounts store or are asked by."""

from enum import StrEnum


class PeopleFilter(StrEnum):
    """Which accounts administrators list."""

    EVERYBODY = ""
    NEW = "new"
    ADMINISTRATORS = "administrators"
    CLOSED = "closed"
