"""The list of a moderation queue: filters, bar, rows, keyboard hints and state of a `QueueKind`.

Rows newer than the opening of the list are counted, not shown, so that no row moves while a moderator clicks.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Generic, TypeVar

from apps.accounts.actors import Viewer
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.moderation import LastDecision, MatchCount, Moderation, OthersDecision
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.pages.admin.dashboard.held_rows import Rows, decided_row, rows_in_place
from components.pages.admin.dashboard.query import dashboard_at
from components.pages.admin.dashboard.queue_keys import Choice, keys_dialog, keys_line
from components.pages.admin.sessions.live import live_control
from components.runtime import (
    Component,
    Markup,
    Query,
    VdomDict,
    command_button,
    command_form,
    component,
    html,
    key,
    use_effect,
    use_live_query,
    use_state,
    use_viewer,
    web_module,
)
from components.ui.areas import DASHBOARD
from components.ui.blocks import list_ways, visually_hidden
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answer_line

Held = tuple[Any, ...]
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
    marks: int  # that a decision about all matching rows includes
    last: LastDecision | None  # the viewer's last decision, while it can be undone
    decided: Mapping[str, OthersDecision] = field(default_factory=dict)  # rows that another moderator has decided

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows of this page."""
        return self.page.rows


@dataclass(frozen=True, slots=True)
class QueueStart(Generic[Filters, Row]):
    """The data of a tab with a queue of the page at `path`; `options` are the options of its filters."""

    queue_kind: "QueueKind[Filters, Row]"
    queue: Queue[Filters, Row]
    live: LiveControl
    options: Any = None
    path: str = DASHBOARD


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
class QueueKind(Generic[Filters, Row]):
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
    personal: Callable[..., Filters]  # (filters, user_id): the filters with what this moderator decides together
    held: Callable[[Row], Held]  # what names a row: first its name, then what the others' decisions are looked up by
    decided: Callable[..., Mapping[str, OthersDecision]]  # (user_id, held, after)
    decided_words: Callable[[OthersDecision, Texts], str]
    choices: Callable[[Filters, Texts], tuple[Choice, ...]]
    words: Callable[[Queue[Filters, Row], Texts], Words]
    row: Callable[[Row, Filters, str], VdomDict]
    filters_form: Callable[["QueueStart[Filters, Row]", str], VdomDict]
    together: Callable[["QueueStart[Filters, Row]", str], Markup] = lambda _start, _language: None  # below the filters
    foot: Callable[["QueueStart[Filters, Row]", str], Markup] = lambda _start, _language: None  # below the list

    def read(self, *, filters: Filters, before: str, user_id: int, held: tuple[Held, ...] = ()) -> Queue[Filters, Row]:
        """Return a page of the matching rows up to the filters' `until`. At most thirteen queries.

        Of the rows `held`, `decided` has those that another moderator has decided since the viewer's last decision.
        """
        filters = self.personal(filters, user_id)
        page = keyset_page(
            partial(self.rows, filters=filters), self.cursor_of, before=before, size=self.moderation.page_size
        )
        count, last = self.match_count(filters=filters), self.decision_last(user_id=user_id)
        decided = self.decided(user_id=user_id, held=held, after=last.id if last else 0) if held else {}
        return Queue(filters, page, count.total, count.newer, count.marks, last, decided)

    def address(self, path: str, filters: Filters, **more: str) -> str:
        """Return the address of the list of the page at `path` with these filters."""
        fields = {name: value for name, value in self.moderation.fields_of(filters).items() if name != "both"}
        return dashboard_at(path, **fields, **more)


def queue_start(
    queue_kind: QueueKind[Filters, Row],
    viewer: Viewer,
    query: Query,
    filters: Filters,
    *,
    options: Any = None,
    path: str = DASHBOARD,
) -> QueueStart[Filters, Row]:
    """Return the data of a tab with this queue, of the page at `path`."""
    queue = queue_kind.read(filters=filters, before=query.get("before", ""), user_id=viewer.id or 0)
    return QueueStart(queue_kind, queue, live_control_get(), options, path)


def queue_tab(start: QueueStart[Any, Any], language: str) -> VdomDict:
    """Return the queue and, beside it, live control."""
    queue_kind, filters = start.queue_kind, start.queue.filters
    listed = html.div(queue_filters(start, language), queue_keyed(start, language), queue_kind.foot(start, language))
    own = {"key": queue_kind.tab(filters), "class": "desk desk--queue"}
    return html.div(own, listed, live_control(start.live, language))


def queue_filters(start: QueueStart[Any, Any], language: str) -> VdomDict:
    """Return the filters, folded on phones and on any page but the dashboard; their line says how many are in use."""
    t, queue_kind = texts(language), start.queue_kind
    used = len(queue_kind.moderation.fields_of(start.queue.filters).keys() - {"tab", "both"})
    return html.details(
        {"key": "filters", "class": "queue-filters fold" if start.path == DASHBOARD else "queue-filters"},
        html.summary({"class": "link"}, t("Filters ({n})").format(n=used) if used else t("Filters")),
        queue_kind.filters_form(start, language),
        queue_kind.together(start, language),
    )


def queue_keyed(start: QueueStart[Any, Any], language: str) -> Component:
    """Return the list, which begins again at another address."""
    address = start.queue_kind.address(start.path, start.queue.filters, before=start.queue.page.start)
    return key(f"queue-{address}", queue_list(start, language))


@component
def queue_list(start: QueueStart[Any, Any], language: str) -> VdomDict:
    """Render the list as of its opening, without rows that the viewer decided since; newer rows are only counted."""
    t, queue_kind = texts(language), start.queue_kind
    queue, rows, on_newer = _use_queue(start)
    words, choices = queue_kind.words(queue, t), queue_kind.choices(queue.filters, t)
    shows_newer = queue.newer and not queue.page.start
    newer = html.button({"type": "button", "class": "link", "data-newer": "", "onClick": on_newer}, words.newer)
    return html.section(
        {"class": "queue-desk", "aria-label": words.name, "data-answers": ""},
        answer_line(),
        skeleton(),
        html.form(
            {**command_form(queue_kind.selected_command), "data-results": "", "aria-label": t("Decide")},
            keys_line(choices, words.opens, t),
            _bar(queue_kind, queue, choices, words, t, newer=newer if shows_newer else None),
            html.ol(
                {"key": "queue", "class": "queue"},
                *(_shown(queue_kind, row, decision, queue.filters, language) for row, decision in rows),
            ),
            None if rows else html.div({"key": "empty"}, empty(words.empty)),
            list_ways(
                queue_kind.address(start.path, queue.filters), queue.page, t("Show older"), t, look="row queue__ways"
            ),
        ),
        keys_dialog(choices, words.opens, t),
    )


def _shown(
    queue_kind: QueueKind[Filters, Row], row: Row, decision: OthersDecision | None, filters: Filters, language: str
) -> VdomDict:
    """Return the row, as decided if another moderator has decided it."""
    shown = queue_kind.row(row, filters, language)
    return decided_row(shown, queue_kind.decided_words(decision, texts(language))) if decision else shown


def _use_queue(start: QueueStart[Any, Any]) -> tuple[Queue[Any, Any], Rows[Any], Callable[[Any], Any]]:
    """Return the list as of its opening, its rows with those that others decided, and the handler for newer rows."""
    base, set_base = use_state(start.queue)
    queue_kind, user_id = start.queue_kind, use_viewer().id or 0
    place: dict[str, Any] = {"before": start.queue.page.start, "user_id": user_id}
    held = tuple(map(queue_kind.held, base.rows)) if queue_kind.waits(base.filters) else ()
    topics = (*queue_kind.topics, f"account.{user_id}.deciding")
    queue = use_live_query(queue_kind.read, topics=topics, initial=base, filters=base.filters, held=held, **place)
    rows = rows_in_place(base.rows, queue.rows, queue.decided, lambda row: queue_kind.held(row)[0])
    goes_on = not queue.decided and _left(queue, base, queue_kind) * 2 < len(base.rows)

    @use_effect(dependencies=[goes_on])
    def hold_others() -> None:
        if goes_on:  # most rows have come from below since: hold them, too
            set_base(queue)

    async def on_newer(_event: Any) -> None:
        newer_filters = replace(base.filters, until=datetime.now(UTC))
        try:
            set_base(await in_thread(partial(queue_kind.read, filters=newer_filters, **place)))
        except Exception:
            log.exception("moderation queue %s: reading newer rows failed", queue_kind.tab(base.filters))

    return queue, rows, on_newer


def _left(queue: Queue[Any, Any], base: Queue[Any, Any], queue_kind: QueueKind[Any, Any]) -> int:
    """Return how many of the rows at the list's opening still wait."""
    return len({queue_kind.held(row)[0] for row in queue.rows} & {queue_kind.held(row)[0] for row in base.rows})


def _bar(
    queue_kind: QueueKind[Any, Any],
    queue: Queue[Any, Any],
    choices: Sequence[Choice],
    words: Words,
    t: Texts,
    *,
    newer: Markup,
) -> VdomDict:
    """Return the bar above the list; its client module shows the number of selected rows.

    The place of `newer` is kept on narrow screens, so that no row moves when newer rows come.
    """
    offered = choices if queue_kind.decides(queue) else ()
    goes_on = queue_kind.waits(queue.filters) and queue.total > len(queue.rows) > 0
    return html.div(
        {"key": "bar", "class": "bar"},
        html.div(
            {"class": "bar__line"},
            _all_box(t) if offered else None,
            html.strong({"key": "count", "class": "bar__count", "tabIndex": -1}, words.count),
            QUEUE({"key": "selected", "selected": t("{n} selected"), "decisions": {c.key: c.word for c in offered}}),
            html.span({"key": "newer", "class": "bar__newer"}, newer),
            _undo_button(queue_kind, queue.last, words.undo, t) if queue.last else None,
            *(_selected_button(choice, look, t) for choice, look in zip(offered, (SMALL, PLAIN), strict=False)),
        ),
        _matching(queue_kind, queue, choices, words, t) if goes_on else None,
    )


def _undo_button(queue_kind: QueueKind[Any, Any], last: LastDecision, words: str, t: Texts) -> VdomDict:
    """Return the button that undoes the viewer's last decision."""
    command = command_button(queue_kind.moderation.undo_command, last.id, busy=t("Processing..."))
    return html.button({"key": "undo", "class": "link", "data-undo": "", **command}, words)


def _matching(
    queue_kind: QueueKind[Any, Any], queue: Queue[Any, Any], choices: Sequence[Choice], words: Words, t: Texts
) -> VdomDict:
    """Return the buttons for all matching rows, shown when all rows of the page are selected."""
    n = f"{min(queue.total, queue_kind.matching_most):,}"
    buttons = []
    for choice in choices:
        verdict = queue_kind.moderation.verdicts(choice.word)
        command = command_button(
            queue_kind.matching_command,
            queue_kind.moderation.matching_argument(verdict, queue.filters),
            busy=t("Processing..."),
            confirm=choice.all_question.format(n=n, marks=f"{queue.marks:,}"),
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
