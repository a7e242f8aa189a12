"""A list to decide about, of ratings or of reports: its bar, its state while it is open, and its keys."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Generic, TypeVar

from apps.core.database.paging import KeysetPage
from apps.core.texts import Texts
from apps.core.threads import in_thread
from components.hooks import use_live_query, use_viewer
from components.markup import Markup, VdomDict, html, use_state, web_module
from components.ui.blocks import list_ways, visually_hidden
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answer_line

log = logging.getLogger(__name__)
QUEUE = web_module("modules/backstage/moderation-queue.js", "Queue")
SMALL, PLAIN = "button button--small", "button button--plain button--small"

Filters = TypeVar("Filters")
Row = TypeVar("Row")
Last = TypeVar("Last")
AnyQueue = TypeVar("AnyQueue", bound="Queue[Any, Any, Any]")


@dataclass(frozen=True, slots=True)
class Queue(Generic[Filters, Row, Last]):
    """One page of a list; what is newer than `filters.until` is counted, not shown."""

    filters: Filters
    page: KeysetPage[Row]
    total: int  # that match
    newer: int
    last: Last | None  # one's last decision, while it can be undone

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of this page."""
        return self.page.rows


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that can be made here: its word in commands, its label, and the key that makes it."""

    word: str
    label: str
    key: str


def use_queue(
    read: Callable[..., AnyQueue], *, topics: tuple[str, ...], start: AnyQueue
) -> tuple[AnyQueue, Callable[[Any], Any]]:
    """Return the list as of its opening, without rows decided since, and the handler that shows newer ones."""
    base, set_base = use_state(start)
    arguments = {"before": start.page.start, "user_id": use_viewer().id or 0}
    queue = use_live_query(read, topics=topics, initial=base, filters=base.filters, **arguments)

    async def on_newer(_event: Any) -> None:
        try:
            newest = replace(base.filters, until=datetime.now(UTC))
            set_base(await in_thread(partial(read, filters=newest, **arguments)))
        except Exception:
            log.exception("the list could not be read again")

    return queue, on_newer


def decision_list(
    form: Mapping[str, Any],
    queue: Queue[Any, Any, Any],
    *rows: VdomDict,
    name: str,
    bar: VdomDict,
    newer: Markup,
    nothing: str,
    choices: Sequence[Choice],
    to: str,
    opens: str = "",
    t: Texts,
) -> VdomDict:
    """Return the list `name`: `form` decides about what is ticked (`command_form`), `to` is the list's address.

    `newer` is the button for newer rows, `nothing` the text of the empty list, `opens` what a row unfolds.
    """
    return html.section(
        {"class": "queue-desk", "aria-label": name, "data-answers": ""},
        answer_line(),
        skeleton(),
        html.form(
            {**form, "data-results": "", "aria-label": t("Decide")},
            _hints(choices, opens, t),
            bar,
            None if queue.page.start else newer,
            html.ol({"key": "queue", "class": "queue"}, *rows),
            None if rows else html.div({"key": "empty"}, empty(nothing)),
            list_ways(to, queue.page, t("Show older"), t, look="row queue__ways"),
        ),
    )


def decision_bar(
    count: str, choices: Sequence[Choice], *, undo: Markup = None, matching: Markup = None, t: Texts
) -> VdomDict:
    """Return the bar above the list; its script shows how many are selected.

    `count` says how many there are; without `choices` nothing here can be decided.
    """
    return html.div(
        {"key": "bar", "class": "bar"},
        html.div(
            {"class": "bar__line"},
            _all_box(t) if choices else None,
            html.strong({"key": "count", "class": "bar__count", "tabIndex": -1}, count),
            QUEUE({"key": "selected", "selected": t("{n} selected"), "decisions": {c.key: c.word for c in choices}}),
            undo,
            *(_selected_button(choice, look, t) for choice, look in zip(choices, (SMALL, PLAIN), strict=False)),
        ),
        matching,
    )


def newer_button(words: str, on_newer: Callable[[Any], Any]) -> VdomDict:
    """Return the button that shows what came since."""
    own = {"type": "button", "class": "link", "data-newer": "", "onClick": on_newer}
    return html.p({"key": "newer", "class": "queue__newer"}, html.button(own, words))


def undo_button(words: str, command: Mapping[str, Any]) -> VdomDict:
    """Return the button that undoes one's last decision by this command (`command_button`)."""
    return html.button({"key": "undo", "class": "link", "data-undo": "", **command}, words)


def matching_buttons(shown: int, buttons: Sequence[tuple[str, Mapping[str, Any]]], t: Texts) -> VdomDict:
    """Return the buttons (label, `command_button`) for all that match, shown when all on the page are selected."""
    words = t("All {n} on this page are selected.").format(n=shown)
    made = (html.button({"class": PLAIN, **command}, label) for label, command in buttons)
    return html.div({"class": "bar__all"}, html.p(words), *made)


def _all_box(t: Texts) -> VdomDict:
    box = html.input({"type": "checkbox", "id": "queue-all", "data-all": ""})
    return html.label(
        {"key": "all", "class": "check", "htmlFor": "queue-all"}, box, visually_hidden(t("Select all on this page"))
    )


def _selected_button(choice: Choice, look: str, t: Texts) -> VdomDict:
    """Return the button that decides about what is ticked."""
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
