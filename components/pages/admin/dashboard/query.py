"""Parse and build the dashboard's address: the tab and its filters."""

from enum import StrEnum
from urllib.parse import urlencode

from apps.community import report_address
from apps.ratings import queue_address
from apps.ratings.enums import RatingKind
from apps.ratings.queue_address import fields_of
from apps.ratings.selectors.moderation_queue import QueueFilter
from components.runtime import Query
from components.ui.areas import DASHBOARD


class Tab(StrEnum):
    """The dashboard's tabs, as named in the address; the first tab is the default."""

    PIECES = "pieces"
    PERFORMANCES = queue_address.PERFORMANCES
    REPORTS = report_address.REPORTS
    UNUSUAL = "unusual"
    LIVE = "live"
    AVATARS = "avatars"
    AUDIT = "audit"
    ERRORS = "errors"


TABS = {RatingKind.PIECE: Tab.PIECES, RatingKind.PERFORMANCE: Tab.PERFORMANCES}


def tab_of(query: Query) -> Tab:
    """Return the open tab; the first one for an unknown name."""
    name = query.get("tab", "")
    return Tab(name) if name in set(Tab) else Tab.PIECES


def is_narrowed(filters: QueueFilter) -> bool:
    """Return whether any filter except `tab`, `show` and `both` narrows the list."""
    return bool(fields_of(filters).keys() - {"tab", "show", "both"})


def dashboard_at(path: str = DASHBOARD, /, **fields: str) -> str:
    """Return the address of the dashboard, or of another page at `path`, with the non-empty fields."""
    query = urlencode({name: value for name, value in fields.items() if value})
    return path + (f"?{query}" if query else "")
