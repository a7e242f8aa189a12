"""Enumerations of accounts."""

from enum import StrEnum


class PeopleFilter(StrEnum):
    """Filters of the administrators' list of accounts."""

    EVERYBODY = ""
    NEW = "new"
    ADMINISTRATORS = "administrators"
    CLOSED = "closed"
