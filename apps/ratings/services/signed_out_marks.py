"""Marks that were made signed out, as a browser sends them: JSON of the struck fields of each performance."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from apps.core.limits import ID_DIGITS
from apps.core.text_rules import is_storable, text_clean
from apps.ratings.enums import QuickRating
from apps.ratings.limits import (
    COMMENT_LENGTH,
    PERFORMANCE_HIGHEST,
    PIECE_HIGHEST,
    SIGNED_OUT_LENGTH,
    SIGNED_OUT_PERFORMANCES,
)
from apps.ratings.services.sheet_changes import SheetChanges

PIECE = "piece-"  # begins the name of a piece's field, such as "piece-12"
AGE_MOST = 10**13  # milliseconds since a change, by the browser's clock; the service bounds it


def signed_out_marks_read(text: str) -> Mapping[int, SheetChanges]:
    """Return the changes in `text`, by appearance id: {"17": {"piece-3": ["23", 1500], "comment": ["Dry", 900]}}.

    Each field has its value as the form has it, and its age in milliseconds. Fields that the form never sends are left
    out, and performances without any other. Raises ValueError for anything but an object of at most
    SIGNED_OUT_PERFORMANCES performances in SIGNED_OUT_LENGTH characters.
    """
    if len(text) > SIGNED_OUT_LENGTH:
        raise ValueError("too long")
    try:
        sent = json.loads(text, parse_constant=_constant_refuse)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(sent, dict) or len(sent) > SIGNED_OUT_PERFORMANCES:
        raise ValueError("not the marks of a browser")
    found = {id_read(name): _changes(fields) for name, fields in sent.items() if isinstance(fields, dict)}
    return {pk: changes for pk, changes in found.items() if pk and changes != SheetChanges()}


def piece_id(name: str) -> int:
    """Return the id in "piece-12", 0 in any other name."""
    return id_read(name.removeprefix(PIECE)) if name.startswith(PIECE) else 0


def id_read(digits: str) -> int:
    """Return the id that these digits are, 0 for any other text."""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= ID_DIGITS else 0


def _constant_refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _changes(fields: Mapping[str, Any]) -> SheetChanges:
    struck = {name: (pair[0], _age(pair[1])) for name, pair in fields.items() if _is_pair(pair)}
    pieces = {piece_id(name): (_mark(value, PIECE_HIGHEST), age) for name, (value, age) in struck.items()}
    score, age = struck.get("score", ("", 0.0))
    comment, comment_age = struck.get("comment", ("", 0.0))
    quick, quick_age = struck.get("quick_rating", ("", 0.0))
    return SheetChanges(
        {pk: (mark, age) for pk, (mark, age) in pieces.items() if pk and mark},
        (_mark(score, PERFORMANCE_HIGHEST), age) if _mark(score, PERFORMANCE_HIGHEST) else None,
        (comment, comment_age) if _is_comment(comment) else None,
        (quick, quick_age) if quick in QuickRating.values else None,
    )


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)  # noqa: PLR2004 - value and age


def _age(age: object) -> float:
    """Return an age in seconds; 0 for anything but a number of milliseconds."""
    is_age = isinstance(age, int | float) and not isinstance(age, bool) and 0 <= age <= AGE_MOST
    return age / 1000 if is_age else 0.0  # type: ignore[operator]  # a number


def _mark(value: str, highest: int) -> int:
    """Return the mark, 0 for any other text."""
    mark = id_read(value)
    return mark if mark <= highest else 0


def _is_comment(value: str) -> bool:
    """Return whether this text is stored as a comment: not empty when it is cleaned, and not too long."""
    return len(value) <= COMMENT_LENGTH and is_storable(value) and 0 < len(text_clean(value)) <= COMMENT_LENGTH
