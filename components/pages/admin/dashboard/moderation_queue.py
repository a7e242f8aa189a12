"""The list of a moderation queue: filters, bar, rows, keyboard hints and state. A `Desk` defines one kind of queue.

Rows newer than the opening of the list are counted, not shown, so that no row moves while a moderator clicks.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Generic, TypeVar

from apps.accounts.actors import Viewer
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.moderation import LastDecision, MatchCount, Moderation
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.pages.admin.dashboard.query import dashboard_at
from components.pages.admin.sessions.live import live_control
from components.runtime import (
    Query,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    key,
    use_live_query,
    use_state,
    use_viewer,
    web_module,
)
from components.ui.blocks import list_ways, visually_hidden
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answer_line

log = logging.getLogger(__name__)
QUEUE = web_module("modules/backstage/moderation-queue.js", "Queue")
SMALL, PLAIN = "button button--small", "button button--plain button--small"

Filters = TypeVar("Filters")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Queue(Generic[Filters, Row]):
    """One page of a list; rows newer than `filters.until` are counted, not shown."""

    filters: Filters
    page: KeysetPage[Row]
    total: int  # matching rows
    newer: int
    last: LastDecision | None  # the viewer's last decision, while it can be undone

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows of this page."""
        return self.page.rows


@dataclass(frozen=True, slots=True)
class QueueStart(Generic[Filters, Row]):
    """The data of a tab with a queue; `options` are the options of its filters."""

    desk: "Desk[Filters, Row]"
    queue: Queue[Filters, Row]
    live: LiveControl
    options: Any = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: its word in commands, label and key, and the label and question for all {n} matching rows."""

    word: str
    label: str
    key: str
    all_label: str = ""
    all_question: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of a list: name, count, the buttons for newer rows and undo, and the text of the empty list.

    `opens` names the content that a row unfolds, `note` explains decisions about all matching rows.
    """

    name: str
    count: str
    newer: str
    undo: str
    empty: str
    note: str
    opens: str = ""


@dataclass(frozen=True, eq=False)
class Desk(Generic[Filters, Row]):
    """Definition of one kind of queue: how its rows are read, rendered and named."""

    moderation: Moderation[Any, Any, Filters]
    topics: tuple[str, ...]
    selected_command: str
    matching_command: str
    matching_most: int  # the most rows that a decision about all matching ones includes
    rows: Callable[..., Sequence[Row]]  # (filters, before, limit)
    cursor_of: Callable[[Row], Cursor]
    match_count: Callable[..., MatchCount]  # (filters)
    decision_last: Callable[..., LastDecision | None]  # (user_id)
    tab: Callable[[Filters], str]
    waits: Callable[[Filters], bool]  # whether the list shows waiting rows, so that all matching ones may be decided
    decides: Callable[[Queue[Filters, Row]], bool]  # whether a row of the page can be decided
    choices: Callable[[Filters, Texts], tuple[Choice, ...]]
    words: Callable[[Queue[Filters, Row], Texts], Words]
    row: Callable[[Row, Filters, str], VdomDict]
    filters_form: Callable[["QueueStart[Filters, Row]", str], VdomDict]

    def read(self, *, filters: Filters, before: str, user_id: int) -> Queue[Filters, Row]:
        """Return a page of the matching rows up to the filters' `until`. At most ten queries."""
        page = keyset_page(
            partial(self.rows, filters=filters), self.cursor_of, before=before, size=self.moderation.page_size
        )
        count = self.match_count(filters=filters)
        return Queue(filters, page, count.total, count.newer, self.decision_last(user_id=user_id))

    def address(self, filters: Filters, **more: str) -> str:
        """Return the address of the list with these filters."""
        return dashboard_at(**self.moderation.fields_of(filters), **more)


def queue_start(
    desk: Desk[Filters, Row], viewer: Viewer, query: Query, filters: Filters, options: Any = None
) -> QueueStart[Filters, Row]:
    """Return the data of a tab with this queue."""
    queue = desk.read(filters=filters, before=query.get("before", ""), user_id=viewer.id or 0)
    return QueueStart(desk, queue, live_control_get(), options)


def queue_tab(start: QueueStart[Any, Any], language: str) -> VdomDict:
    """Return the queue and, beside it, live control."""
    desk, filters = start.desk, start.queue.filters
    address = desk.address(filters, before=start.queue.page.start)
    listed = html.div(desk.filters_form(start, language), key(f"queue-{address}", queue_list(start, language)))
    own = {"key": desk.tab(filters), "class": "desk desk--queue"}
    return html.div(own, listed, live_control(start.live, language))


@component
def queue_list(start: QueueStart[Any, Any], language: str) -> VdomDict:
    """Render the list as of its opening, without rows decided since then; newer rows are only counted."""
    t, desk = texts(language), start.desk
    queue, on_newer = _use_queue(start)
    words, choices = desk.words(queue, t), desk.choices(queue.filters, t)
    newer = {"type": "button", "class": "link", "data-newer": "", "onClick": on_newer}
    shows_newer = queue.newer and not queue.page.start
    return html.section(
        {"class": "queue-desk", "aria-label": words.name, "data-answers": ""},
        answer_line(),
        skeleton(),
        html.form(
            {**command_form(desk.selected_command), "data-results": "", "aria-label": t("Decide")},
            _hints(choices, words.opens, t),
            _bar(desk, queue, choices, words, t),
            html.p({"key": "newer", "class": "queue__newer"}, html.button(newer, words.newer)) if shows_newer else None,
            html.ol(
                {"key": "queue", "class": "queue"}, *(desk.row(each, queue.filters, language) for each in queue.rows)
            ),
            None if queue.rows else html.div({"key": "empty"}, empty(words.empty)),
            list_ways(desk.address(queue.filters), queue.page, t("Show older"), t, look="row queue__ways"),
        ),
    )


def _use_queue(start: QueueStart[Any, Any]) -> tuple[Queue[Any, Any], Callable[[Any], Any]]:
    """Return the list as of its opening without decided rows, and the handler that shows newer rows."""
    base, set_base = use_state(start.queue)
    read = start.desk.read
    place: dict[str, Any] = {"before": start.queue.page.start, "user_id": use_viewer().id or 0}
    queue = use_live_query(read, topics=start.desk.topics, initial=base, filters=base.filters, **place)

    async def on_newer(_event: Any) -> None:
        try:
            set_base(await in_thread(partial(read, filters=replace(base.filters, until=datetime.now(UTC)), **place)))
        except Exception:
            log.exception("moderation queue %s: reading newer rows failed", start.desk.tab(base.filters))

    return queue, on_newer


def _bar(desk: Desk[Any, Any], queue: Queue[Any, Any], choices: Sequence[Choice], words: Words, t: Texts) -> VdomDict:
    """Return the bar above the list; its client module shows the number of selected rows."""
    offered = choices if desk.decides(queue) else ()
    goes_on = desk.waits(queue.filters) and queue.total > len(queue.rows) > 0
    return html.div(
        {"key": "bar", "class": "bar"},
        html.div(
            {"class": "bar__line"},
            _all_box(t) if offered else None,
            html.strong({"key": "count", "class": "bar__count", "tabIndex": -1}, words.count),
            QUEUE({"key": "selected", "selected": t("{n} selected"), "decisions": {c.key: c.word for c in offered}}),
            _undo_button(desk, queue.last, words.undo, t) if queue.last else None,
            *(_selected_button(choice, look, t) for choice, look in zip(offered, (SMALL, PLAIN), strict=False)),
        ),
        _matching(desk, queue, choices, words, t) if goes_on else None,
    )


def _undo_button(desk: Desk[Any, Any], last: LastDecision, words: str, t: Texts) -> VdomDict:
    """Return the button that undoes the viewer's last decision."""
    command = command_button(desk.moderation.undo_command, last.id, busy=t("Processing..."))
    return html.button({"key": "undo", "class": "link", "data-undo": "", **command}, words)


def _matching(
    desk: Desk[Any, Any], queue: Queue[Any, Any], choices: Sequence[Choice], words: Words, t: Texts
) -> VdomDict:
    """Return the buttons for all matching rows, shown when all rows of the page are selected."""
    n = f"{min(queue.total, desk.matching_most):,}"
    buttons = []
    for choice in choices:
        verdict = desk.moderation.verdicts(choice.word)
        command = command_button(
            desk.matching_command,
            desk.moderation.matching_argument(verdict, queue.filters),
            busy=t("Processing..."),
            confirm=choice.all_question.format(n=n),
            words=words.note,
        )
        buttons.append(html.button({"class": PLAIN, **command}, choice.all_label.format(n=n)))
    selected = t("All {n} on this page are selected.").format(n=len(queue.rows))
    return html.div({"class": "bar__all"}, html.p(selected), *buttons)


def _all_box(t: Texts) -> VdomDict:
    box = html.input({"type": "checkbox", "id": "queue-all", "data-all": ""})
    return html.label(
        {"key": "all", "class": "check", "htmlFor": "queue-all"}, box, visually_hidden(t("Select all on this page"))
    )


def _selected_button(choice: Choice, look: str, t: Texts) -> VdomDict:
    """Return the button that decides the selected rows."""
    selected = html.span({"class": "visually-hidden visually-hidden--scripted"}, t(" selected"))
    own = {"type": "submit", "name": "decision", "value": choice.word, "data-busy": t("Processing...")}
    return html.button({"key": choice.word, "class": look, **own}, choice.label, selected)


def _hints(choices: Sequence[Choice], opens: str, t: Texts) -> VdomDict:
    keys = [
        (("J", "K"), t("next, previous")),
        (("X",), t("select")),
        *([(("O",), opens)] if opens else []),
        *(((choice.key.upper(),), choice.label.lower()) for choice in choices),
        (("Z",), t("undo")),
    ]
    hints = (
        html.span({"key": words}, *(cap for key in caps for cap in (html.kbd({"key": key}, key), " ")), words)
        for caps, words in keys
    )
    return html.p({"key": "hints", "class": "queue__hints"}, *hints)
