"""Which rows of the running order one viewer has open.

A change of performer opens and closes none: what somebody reads or rates stays where it is.
"""

from apps.competition.selectors import OrderedAppearance, SessionDetail, last_on_stage, session_running_order
from apps.core.limits import ID_DIGITS
from apps.core.threads import in_thread
from components.hooks.opened_rows import MOST, toggled, use_opened_rows
from components.markup import Markup, VdomDict, html, key
from components.opened_part import part_in_slot
from components.page import Page, Query
from components.parts.session import OPEN, PANEL, ROW, performance_panel
from components.rendering.page_slots import PAGE_SLOTS
from components.rendering.parts import Ref, page_events
from components.rendering.slots import Fill, fill

EVERY_ROW = "all"  # in the address and as the event's argument
EXPANDED = fill({"aria-expanded": "true"})
Row = tuple[int, int]  # an appearance and its participant, by id
Rows = tuple[Row, ...]


def opened_rows(session: SessionDetail, order: tuple[OrderedAppearance, ...], query: Query) -> Rows:
    """Return the rows that the address asks for (`open`), else that of whoever came to a live session's stage last."""
    last = last_on_stage(order) if session.is_live else None
    return _asked(order, query.get("open", "")) or (((last.id, last.participant_id),) if last else ())


def panel(row: Row, language: str) -> Ref:
    """Return what a row holds while it is open."""
    return performance_panel(*row, language=language)


def use_panels(page: Page, session_id: int, rows: Rows) -> tuple[VdomDict, Markup]:
    """Return what registers the page event that opens and closes rows, and what fills those that are open."""
    now, change = use_opened_rows(page, rows)

    async def on_open(argument: str) -> None:
        asked = _asked(await in_thread(lambda: session_running_order(session_id=session_id)), argument)
        if argument == EVERY_ROW:
            change(lambda _before: asked)
        elif asked:
            change(lambda before: toggled(before, asked[0]))

    fills: dict[str, Fill] = {f"{ROW}:{appearance_id}": EXPANDED for appearance_id, _ in now}
    for row in now:
        if row in rows:
            fills[f"{PANEL}:{row[0]}"] = fill({"hidden": False}, part=panel(row, page.language).key)
    more = [
        key(f"panel-{row[0]}", part_in_slot(f"{PANEL}:{row[0]}", panel(row, page.language)))
        for row in now
        if row not in rows
    ]
    return page_events({OPEN: on_open}), html.div(*more, PAGE_SLOTS({"fills": fills}))


def _asked(order: tuple[OrderedAppearance, ...], asked: str) -> Rows:
    """Return the rows that an address or a stranger asks for, of those that there are."""
    if asked == EVERY_ROW:
        return tuple((each.id, each.participant_id) for each in order)[:MOST]
    is_id = asked.isascii() and asked.isdigit() and len(asked) <= ID_DIGITS
    return tuple((each.id, each.participant_id) for each in order if is_id and each.id == int(asked))
