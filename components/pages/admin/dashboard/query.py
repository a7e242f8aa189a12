"""What the dashboard's address asks for: a tab, and what narrows its list."""

from datetime import datetime
from enum import StrEnum
from urllib.parse import urlencode

from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.selectors import QueueFilter
from components.page import Query
from components.pages.admin.modes import number_of
from components.ui.admin_frame import DESK
from components.ui.key_marks import FIVE
from components.ui.keyboard import KEYS

QUERY_LIMIT = 100  # characters of a search
HIGHEST = {RatingKind.PIECE: KEYS, RatingKind.PERFORMANCE: FIVE}  # points
TICKED = "1"


class Tab(StrEnum):
    """The dashboard's tabs, as the address names them; the first needs no name."""

    PIECES = "pieces"
    PERFORMANCES = "performances"
    LIVE = "live"
    AVATARS = "avatars"
    AUDIT = "audit"


KINDS = {Tab.PIECES: RatingKind.PIECE, Tab.PERFORMANCES: RatingKind.PERFORMANCE}
TABS = {kind: tab for tab, kind in KINDS.items()}


def tab_of(query: Query) -> Tab:
    """Return the tab that is open."""
    name = query.get("tab", "")
    return Tab(name) if name in set(Tab) else Tab.PIECES


def filters_of(query: Query, *, until: datetime | None = None) -> QueueFilter:
    """Return which ratings the address asks for, as they stood at `until`; what cannot be read does not narrow."""
    kind = KINDS.get(tab_of(query), RatingKind.PIECE)
    show = query.get("show", "")
    return QueueFilter(
        kind=kind,
        show=ApprovalFilter(show) if show in set(ApprovalFilter) else ApprovalFilter.WAITING,
        participant_id=number_of(query, "participant", 0) or None,
        session_id=number_of(query, "session", 0) or None,
        score_from=_points(query, "from", kind),
        score_to=_points(query, "to", kind),
        text=query.get("q", "").strip()[:QUERY_LIMIT],
        new_accounts=query.get("new", "") == TICKED,
        until=until,
    )


def fields_of(filters: QueueFilter) -> dict[str, str]:
    """Return the address's fields that ask for this, only those that narrow."""
    tab = TABS[filters.kind or RatingKind.PIECE]
    fields = {
        "tab": "" if tab == Tab.PIECES else tab.value,
        "show": "" if filters.show == ApprovalFilter.WAITING else filters.show.value,
        "session": _text(filters.session_id),
        "participant": _text(filters.participant_id),
        "q": filters.text,
        "from": _text(filters.score_from),
        "to": _text(filters.score_to),
        "new": TICKED if filters.new_accounts else "",
    }
    return {name: value for name, value in fields.items() if value}


def narrowed(filters: QueueFilter) -> bool:
    """Return whether anything but the tab and what is shown narrows the list."""
    return bool(fields_of(filters).keys() - {"tab", "show"})


def desk_at(**fields: str) -> str:
    """Return the dashboard's address with these fields."""
    asked = urlencode({name: value for name, value in fields.items() if value})
    return DESK + (f"?{asked}" if asked else "")


def _points(query: Query, name: str, kind: RatingKind) -> int | None:
    points = number_of(query, name, 0)
    return points if 0 < points <= HIGHEST[kind] else None


def _text(number: int | None) -> str:
    return "" if number is None else str(number)
