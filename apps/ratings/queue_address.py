"""Conversion between the moderation filters and the fields of an address."""

from collections.abc import Mapping
from datetime import datetime

from apps.core.limits import SEARCH_LENGTH
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.limits import PERFORMANCE_HIGHEST, PIECE_HIGHEST
from apps.ratings.selectors.moderation_queue import QueueFilter

HIGHEST = {RatingKind.PIECE: PIECE_HIGHEST, RatingKind.PERFORMANCE: PERFORMANCE_HIGHEST}
PERFORMANCES = "performances"  # value of the field `tab` for ratings of whole performances
TICKED = "1"
DIGITS = 9  # of an id or a mark in an address


def filters_of(query: Mapping[str, str], *, until: datetime | None = None) -> QueueFilter:
    """Return the filters in an address, as of the time `until`. Fields that cannot be read are ignored."""
    kind = RatingKind.PERFORMANCE if query.get("tab", "") == PERFORMANCES else RatingKind.PIECE
    show = query.get("show", "")
    return QueueFilter(
        kind=kind,
        show=ApprovalFilter(show) if show in set(ApprovalFilter) else ApprovalFilter.WAITING,
        participant_id=_number(query, "participant"),
        session_id=_number(query, "session"),
        score_from=_points(query, "from", kind),
        score_to=_points(query, "to", kind),
        text=query.get("q", "").strip()[:SEARCH_LENGTH],
        new_accounts=query.get("new", "") == TICKED,
        both=query.get("both", "") == TICKED,
        until=until,
    )


def fields_of(filters: QueueFilter) -> dict[str, str]:
    """Return the address's fields for these filters, without the default values."""
    fields = {
        "tab": PERFORMANCES if filters.kind == RatingKind.PERFORMANCE else "",
        "show": "" if filters.show == ApprovalFilter.WAITING else filters.show.value,
        "session": _text(filters.session_id),
        "participant": _text(filters.participant_id),
        "q": filters.text,
        "from": _text(filters.score_from),
        "to": _text(filters.score_to),
        "new": TICKED if filters.new_accounts else "",
        "both": TICKED if filters.both else "",
    }
    return {name: value for name, value in fields.items() if value}


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    return (int(text) or None) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


def _points(query: Mapping[str, str], name: str, kind: RatingKind) -> int | None:
    points = _number(query, name)
    return points if points and points <= HIGHEST[kind] else None


def _text(number: int | None) -> str:
    return "" if number is None else str(number)
