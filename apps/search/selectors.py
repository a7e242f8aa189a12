"""Reads of the search."""

from apps.core.text_rules import storable
from apps.search.limits import QUERY_LENGTH, QUERY_WORDS
from apps.search.results import Found


def found(typed: str, *, is_administrator: bool, language: str, most: int) -> Found:  # noqa: ARG001 - first version
    """Return what the typed words find, at most `most` hits of each kind."""
    words = " ".join(storable(typed[:QUERY_LENGTH]).split()[:QUERY_WORDS])
    return Found(words, "", ())
