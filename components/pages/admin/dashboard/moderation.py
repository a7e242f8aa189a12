"""Ratings that wait: narrowed, decided one by one, as a selection or all that match, by pointer or by keyboard."""

import logging
from functools import partial
from typing import Any

from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.ratings.enums import ApprovalFilter
from apps.ratings.selectors import COUNTED
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, use_state
from components.pages.admin.dashboard.decisions import SEVERAL, deciding
from components.pages.admin.dashboard.query import desk_at, fields_of, narrowed
from components.pages.admin.dashboard.queue import TOPICS, Moderating, Queue, queue_now, queue_read
from components.pages.admin.dashboard.rows import rating_row
from components.pages.admin.dashboard.toolbar import bar
from components.pages.public.participant.rating import deleting
from components.rendering.parts import act_form
from components.ui.admin_frame import said
from components.ui.blocks import link
from components.ui.empty_states import empty, skeleton

log = logging.getLogger(__name__)
KEYS = ((("J", "K"), "next, previous"), (("X",), "select"), (("A",), "approve"), (("R",), "reject"), (("Z",), "undo"))


@component
def moderation(start: Moderating, language: str) -> VdomDict:
    """The list as it stood when it was opened, without what was decided since, wherever; what came since is counted."""
    base, set_base = use_state(start.queue)
    user_id = use_viewer().id or 0
    asked = {"before": start.before, "user_id": user_id}
    queue = use_live_query(queue_read, *TOPICS, initial=base, filters=base.filters, **asked)

    async def on_newer(_event: Any) -> None:
        try:
            set_base(await in_thread(partial(queue_now, filters=base.filters, before=start.before, user_id=user_id)))
        except Exception:
            log.exception("the list could not be read again")

    _, anywhere = texts(language), base.filters.session_id is None
    return html.section(
        {"class": "queue-desk", "aria-label": _("Ratings"), "data-answers": ""},
        deciding(language),
        deleting(language),
        said(),
        skeleton(),
        html.form(
            act_form(SEVERAL) | {"data-results": "", "aria-label": _("Decide")},
            _hints(_),
            bar(queue, language),
            None if start.before else _newer(queue, on_newer, _),
            html.ol(
                {"key": "queue", "class": "queue"}, *(rating_row(each, language, where=anywhere) for each in queue.rows)
            ),
            None if queue.rows else html.div({"key": "empty"}, empty(_nothing(queue, _))),
            _ways(start.before, queue, _),
        ),
    )


def _newer(queue: Queue, on_newer: Any, _: Texts) -> Markup:
    if not queue.newer:
        return None
    words = _.plural("Show %(n)d newer rating", "Show %(n)d newer ratings", queue.newer)
    if queue.newer > COUNTED:
        words = _("Show newer ratings")
    own = {"type": "button", "class": "link", "data-newer": "", "onClick": on_newer}
    return html.p({"key": "newer", "class": "queue__newer"}, html.button(own, words))


def _nothing(queue: Queue, _: Texts) -> str:
    if narrowed(queue.filters):
        return _("No ratings found matching your criteria.")
    return (
        _("Nothing waits for you.") if queue.filters.show == ApprovalFilter.WAITING else _("No ratings available yet.")
    )


def _ways(before: str, queue: Queue, _: Texts) -> Markup:
    asked = fields_of(queue.filters)
    newest = link(desk_at(**asked), _("The newest")) if before else None
    older = link(desk_at(**asked, before=queue.older), _("Show older")) if queue.older else None
    return html.p({"key": "ways", "class": "row queue__ways"}, newest, older) if newest or older else None


def _hints(_: Texts) -> VdomDict:
    hints = (
        html.span({"key": words}, *(cap for key in keys for cap in (html.kbd({"key": key}, key), " ")), _(words))
        for keys, words in KEYS
    )
    return html.p({"key": "hints", "class": "queue__hints"}, *hints)
