"""The moderation list: one rating, a selection or all that match are decided, also by keyboard."""

import logging
from functools import partial
from typing import Any

from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.ratings.enums import ApprovalFilter
from apps.ratings.queue_address import fields_of
from apps.ratings.selectors import COUNTED
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, use_state
from components.pages.admin.dashboard.query import dashboard_at, is_narrowed
from components.pages.admin.dashboard.queue import TOPICS, ModerationStart, Queue, queue_now, queue_read
from components.pages.admin.dashboard.rows import rating_row
from components.pages.admin.dashboard.toolbar import bar
from components.ui.blocks import list_ways
from components.ui.controls.commands import command_form
from components.ui.empty_states import empty, skeleton
from components.ui.frames.admin_frame import said

log = logging.getLogger(__name__)
KEYS = ((("J", "K"), "next, previous"), (("X",), "select"), (("A",), "approve"), (("R",), "reject"), (("Z",), "undo"))


@component
def moderation(start: ModerationStart, language: str) -> VdomDict:
    """The list as of its opening, without ratings decided since; newer ones are only counted."""
    base, set_base = use_state(start.queue)
    user_id = use_viewer().id or 0
    top = start.queue.page.start
    asked = {"before": top, "user_id": user_id}
    queue = use_live_query(queue_read, *TOPICS, initial=base, filters=base.filters, **asked)

    async def on_newer(_event: Any) -> None:
        try:
            set_base(await in_thread(partial(queue_now, filters=base.filters, before=top, user_id=user_id)))
        except Exception:
            log.exception("the list could not be read again")

    t, anywhere = texts(language), base.filters.session_id is None
    return html.section(
        {"class": "queue-desk", "aria-label": t("Ratings"), "data-answers": ""},
        said(),
        skeleton(),
        html.form(
            command_form("ratings_decide") | {"data-results": "", "aria-label": t("Decide")},
            _hints(t),
            bar(queue, language),
            None if top else _newer(queue, on_newer, t),
            html.ol(
                {"key": "queue", "class": "queue"}, *(rating_row(each, language, where=anywhere) for each in queue.rows)
            ),
            None if queue.rows else html.div({"key": "empty"}, empty(_nothing(queue, t))),
            list_ways(dashboard_at(**fields_of(queue.filters)), queue.page, t("Show older"), t, look="row queue__ways"),
        ),
    )


def _newer(queue: Queue, on_newer: Any, t: Texts) -> Markup:
    if not queue.newer:
        return None
    words = t.plural("Show %(n)d newer rating", "Show %(n)d newer ratings", queue.newer)
    if queue.newer > COUNTED:
        words = t("Show newer ratings")
    own = {"type": "button", "class": "link", "data-newer": "", "onClick": on_newer}
    return html.p({"key": "newer", "class": "queue__newer"}, html.button(own, words))


def _nothing(queue: Queue, t: Texts) -> str:
    if is_narrowed(queue.filters):
        return t("No ratings found matching your criteria.")
    return (
        t("Nothing waits for you.") if queue.filters.show == ApprovalFilter.WAITING else t("No ratings available yet.")
    )


def _hints(t: Texts) -> VdomDict:
    hints = (
        html.span({"key": words}, *(cap for key in keys for cap in (html.kbd({"key": key}, key), " ")), t(words))
        for keys, words in KEYS
    )
    return html.p({"key": "hints", "class": "queue__hints"}, *hints)
