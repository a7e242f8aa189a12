"""The session page: the video, beside it the programme with its rating forms, and the comments."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import last_on_stage
from apps.competition.selectors.public.sessions import session_appearances, session_get
from apps.core.limits import ID_DIGITS
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live.enums import Reaction
from apps.live.limits import TAPS_AT_ONCE
from apps.live.services import Taps
from components.pages.public.not_found import not_found_page
from components.pages.public.session.comments import comments_section, older_comment_pages, use_older_comments
from components.pages.public.session.summary import picture_address, summary, summary_parts, summary_queries
from components.pages.public.session.video import SelectedVideo, selected_video, stage_video
from components.parts.comments import comment_count, session_comments
from components.parts.following import follow_slots
from components.parts.people import author_slots
from components.parts.ratings.own_ratings import rating_slots
from components.parts.sessions.call_alert import call_alert_slots
from components.parts.sessions.interval import INTERVAL, KEYS_OPEN, interval_panel, interval_tab
from components.parts.sessions.reactions import BAR, session_reactions
from components.parts.sessions.session import (
    OPEN,
    PANEL,
    ROW,
    before_fills,
    ended_head,
    performance_panel,
    session_about,
    session_call,
    session_head,
    session_label,
    session_now,
    session_order,
    session_performer_link,
    stage_keys_link,
)
from components.parts.sessions.summary import summary_next
from components.runtime import (
    OPEN_ROWS_MOST,
    Fill,
    Markup,
    Page,
    PageRequest,
    Parts,
    Query,
    Ref,
    VdomDict,
    cached_markup,
    component,
    fill,
    fill_slots,
    html,
    joined,
    key,
    page_event,
    page_events,
    part_in_slot,
    shared_part,
    toggled,
    use_opened_rows,
    use_page_connection,
    use_state,
    use_viewer,
    web_module,
)
from components.ui.blocks import link
from components.ui.frames import main
from components.ui.mark_input import rating_script
from components.ui.pieces import composer

FOLDED_LEAST = 2  # rows before the performer on stage
EVERY_ROW = "all"  # value in the address and in the page event
EXPANDED = fill({"aria-expanded": "true"})
Row = tuple[int, int]  # an appearance and its participant, by id
Rows = tuple[Row, ...]


def rows_at_first(session: SessionDetail, order: tuple[AppearanceDetail, ...], query: Query) -> Rows:
    """Return the rows that `?open=` names; without any, the row of a live session's last performer."""
    last = last_on_stage(order) if session.is_live else None
    return _named_rows(order, query.get("open", "")) or (((last.id, last.participant_id),) if last else ())


def rows_before(session: SessionDetail, order: tuple[AppearanceDetail, ...], rows: Rows) -> tuple[tuple[int, int], ...]:
    """Return the last performer of a live session and how many rows are folded before it, by appearance; else nothing.

    Nothing is folded if one of the open `rows` is before it, and a single row would be as high as the line.
    """
    last = last_on_stage(order) if session.is_live else None
    if last is None:
        return ()
    before = {each.id for each in order[: order.index(last)]}
    if len(before) < FOLDED_LEAST or not before.isdisjoint(pk for pk, _ in rows):
        return ()
    return ((last.id, len(before)),)


def panel_parts(rows: Rows, language: str) -> Parts:
    """Return the panels of these rows, by name."""
    return {f"panel:{row[0]}": _panel(row, language) for row in rows}


def use_open_rows(
    page: Page, session_id: int, at_first: Rows
) -> tuple[Rows, Mapping[str, Callable[[str], Awaitable[None]]]]:
    """Return the viewer's open rows, and the handlers that open and close rows, by page event."""
    rows, change = use_opened_rows(page, at_first)

    async def on_open(argument: str) -> None:
        named = _named_rows(await in_thread(lambda: session_appearances(session_id=session_id)), argument)
        if argument == EVERY_ROW:
            change(lambda _before: named)
        elif named:
            change(lambda before: toggled(before, named[0]))

    async def on_keys_open(argument: str) -> None:
        named = _named_rows(await in_thread(lambda: session_appearances(session_id=session_id)), argument)[:1]
        change(lambda before: before if set(named) <= set(before) else toggled(before, named[0]))

    return rows, {OPEN: on_open, KEYS_OPEN: on_keys_open}


def open_panels(rows: Rows, at_first: Rows, language: str) -> VdomDict:
    """Return the fills of the slots of open rows; `load` includes the panels of rows open `at_first`."""
    fills: dict[str, Fill] = {f"{ROW}:{appearance_id}": EXPANDED for appearance_id, _ in rows}
    for row in rows:
        if row in at_first:
            fills[f"{PANEL}:{row[0]}"] = fill({"hidden": False}, part=_panel(row, language).key)
    later = (row for row in rows if row not in at_first)
    panels = [key(f"panel-{row[0]}", part_in_slot(f"{PANEL}:{row[0]}", _panel(row, language))) for row in later]
    return html.div(*panels, fill_slots(fills))


def _panel(row: Row, language: str) -> Ref:
    return performance_panel(*row, language=language)


def _named_rows(order: tuple[AppearanceDetail, ...], name: str) -> Rows:
    """Return the existing rows that an address or page event names: one id, or at most OPEN_ROWS_MOST for EVERY_ROW."""
    if name == EVERY_ROW:
        return tuple((each.id, each.participant_id) for each in order)[:OPEN_ROWS_MOST]
    is_id = name.isascii() and name.isdigit() and len(name) <= ID_DIGITS
    return tuple((each.id, each.participant_id) for each in order if is_id and each.id == int(name))


OVERLAY = web_module("modules/reactions.js", "Reactions")


def taps_read(sent: tuple[Any, ...], *, session_id: int, user_id: int) -> Taps | None:
    """Return the reaction taps that a browser sent; None for malformed data."""
    match sent:
        case [{"key": str(text), "types": [*names]}] if 0 < len(names) <= TAPS_AT_ONCE:
            try:
                return Taps(session_id, user_id, UUID(text), tuple(Reaction(name) for name in names))
            except ValueError:
                return None
    return None


@cached_markup
def reactions_for_anonymous(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """Return the row below the video for anonymous visitors: the bar and a link to sign in."""
    t, sign_in = texts(language), "/login?" + urlencode({"next": f"/sessions/{session_id}#{BAR}"})
    overlay = OVERLAY({"bar": BAR, "leave": sign_in})
    invitation = html.p({"class": "small"}, link(sign_in, t("Sign in to react")))
    return reactions_row(overlay, shared_part(bar), invitation, shared_part(label))


@component
def reactions_for_members(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """Render the row below the video for signed-in viewers: the bar sends their taps."""
    t, connection = texts(language), use_page_connection()
    (answer, refusal), set_answer = use_state(({"key": "", "taken": 0}, ""))

    async def on_taps(*sent: Any) -> None:
        taps = taps_read(sent, session_id=session_id, user_id=connection.viewer.id or 0)
        stored = await connection.react(taps) if taps else None
        if stored is not None:
            set_answer(({"key": sent[0]["key"], "taken": stored[0]}, stored[1]))

    overlay = OVERLAY({"bar": BAR, "most": TAPS_AT_ONCE, "answer": answer, "onTaps": on_taps})
    return reactions_row(
        overlay, shared_part(bar), html.p({"class": "small", "role": "status"}, t(refusal)), shared_part(label)
    )


def reactions_row(*children: Markup) -> VdomDict:
    """Return the row below the video."""
    return html.div({"class": "stage__below"}, *children)


TABS_AND_PLAYER = web_module("modules/session-page.js", "SessionPage")


@dataclass(frozen=True, slots=True)
class SessionPageData:
    """The page data: the session at load, the video that the address selects, the rows that are open or folded then."""

    session: SessionDetail
    requested_video: SelectedVideo | None
    rows: Rows
    before: tuple[tuple[int, int], ...]  # `rows_before`


def load(request: PageRequest) -> Page:
    """Return the session page. `?watch=` selects the video, `?open=` the open rows. 404 for an unknown session."""
    t, session_id = request.t, request.int_param("id")
    topic, watch = f"session.{session_id}", request.query.get("watch", "")
    session = session_get(session_id=session_id)
    if session is None:
        return not_found_page(t("Session not found."), ("/sessions", t("All sessions")), topic)
    description = t("{title}, {stage}: video, participants and their programs.")
    order = session_appearances(session_id=session_id)
    rows = rows_at_first(session, order, request.query)
    return Page(
        title=session.title,
        description=description.format(title=session.title, stage=session.stage),
        component=session_page,
        data=SessionPageData(
            session, selected_video(session_id=session_id, watch=watch), rows, rows_before(session, order, rows)
        ),
        image=picture_address(session),
        parts=joined(
            _session_parts(session.id, session.stage_id, request.language),
            panel_parts(rows, request.language),
            summary_parts(session, request.language),
        ),
        slots=(
            rating_slots(session_id=session_id, stage_id=session.stage_id, language=request.language),
            author_slots(),
            follow_slots(),
            *([call_alert_slots(session_id=session_id, language=request.language)] if session.is_live else []),
            *summary_queries(session, request.language),
        ),
        topics=(topic, f"{topic}.performer") if watch else (topic,),  # a changed program may change the video
        cache_topics=(f"{topic}.performer",),  # `rows` depends on the performer
    )


def _session_parts(session_id: int, stage_id: int, language: str) -> Parts:
    return {
        "head": session_head(session_id, language=language),
        "keys_link": stage_keys_link(session_id, language=language),
        "now": session_now(session_id, language=language),
        "call": session_call(session_id, language=language),
        "next": summary_next(session_id, language=language),
        "order": session_order(session_id, language=language),
        "label": session_label(session_id, language=language),
        "reactions": session_reactions(session_id, language=language),
        "interval": interval_panel(session_id, stage_id, language=language),
        "interval_tab": interval_tab(session_id, language=language),
        "comment_count": comment_count(session_id, language=language),
        "comments": session_comments(session_id, language=language),
        "about": session_about(session_id, language=language),
        "performer_link": session_performer_link(session_id, language=language),
    }


@component
def session_page(page: Page) -> VdomDict:
    """Render the stage, dark in both themes, beside the running order and the comments.

    Above them is the summary of a session that has ended. What is in view never moves: a window keeps the page of the
    state in which it was opened (`data-kept`: to come, live, or ended), and a line leads to the next one. The stage
    keeps its place in the tree, so that a video goes on playing when the session ends.
    """
    data: SessionPageData = page.data
    session, parts, language = data.session, page.parts, page.language
    is_signed_in = use_viewer().is_signed_in
    older = use_older_comments(session.id)
    rows, row_events = use_open_rows(page, session.id, data.rows)
    folded, _ = use_opened_rows(page, data.before)  # while the page is open no row folds by itself
    older_pages = older_comment_pages(session.id, older, language)
    head, now = shared_part(parts["head"]), parts["now"]
    if session.ended_at is not None:
        head = ended_head(language)
    elif not session.is_live:
        now = parts["call"]
    stage = html.div(
        {"class": "stage stand__stage"},
        html.div({"key": "head", "data-kept": "page"}, head),
        html.div({"class": "stand__seat"}, stage_video(session, data.requested_video, language)),
        _reactions(session, parts["reactions"], parts["label"], is_signed_in=is_signed_in, language=language),
        html.div({"key": "now", "data-kept": "page"}, shared_part(now)),
        html.button(
            {"type": "button", "class": "undock", "aria-label": texts(language)("Close the small player")}, "×"
        ),
    )
    pane = html.div(
        {"class": "stand__pane"},
        _tabs(parts["interval_tab"], parts["comment_count"], parts["performer_link"], language),
        _interval(parts["interval"], language),
        _programme(session.id, parts["about"], parts["order"], language),
        comments_section(session.id, parts["comments"], older_pages, is_signed_in=is_signed_in, language=language),
    )
    before = [fill_slots(before_fills(*each, texts(language))) for each in folded]
    return main(
        shared_part(parts["keys_link"]),
        summary(session, parts, language),
        html.div({"key": "stand", "class": "stand"} | ({"data-live": ""} if session.is_live else {}), stage, pane),
        page_events({"comments_older": older.on_older, **row_events}),
        open_panels(rows, data.rows, language),
        rating_script(language),
        TABS_AND_PLAYER({}),
        *before,
    )


@cached_markup
def _tabs(interval: Ref, count: Ref, performer_link: Ref, language: str) -> VdomDict:
    """Return the tabs of the pane, which shows one of them at a time (`modules/session-page.js`).

    That of the interval is chosen when the page is loaded in one.
    """
    t = texts(language)
    tabs = html.div(
        {"class": "tabs", "role": "group", "aria-label": t("Beside the stage")},
        shared_part(interval),
        html.a({"href": "#programme", "id": "programme-tab"}, t("Program")),
        html.a({"href": "#comments", "id": "comments-tab"}, t("Comments"), " ", shared_part(count)),
    )
    return html.div({"class": "stand__tabs"}, tabs, shared_part(performer_link))


@cached_markup
def _interval(panel: Ref, language: str) -> VdomDict:
    own = {"class": "stand__panel", "id": INTERVAL, "aria-labelledby": "interval-heading"}
    return html.section(own, html.h2({"id": "interval-heading"}, texts(language)("So far")), shared_part(panel))


@cached_markup
def _programme(session_id: int, about: Ref, order: Ref, language: str) -> VdomDict:
    t = texts(language)
    every = {"class": "link", "href": f"/sessions/{session_id}?open={EVERY_ROW}#programme"}
    return html.section(
        {"class": "stand__panel", "id": "programme", "aria-labelledby": "programme-heading"},
        html.h2({"id": "programme-heading"}, t("Program")),
        shared_part(about),
        html.div(
            {"class": "row row--apart"}, composer(), html.a(every | page_event(OPEN, EVERY_ROW), t("Open all programs"))
        ),
        shared_part(order),
    )


def _reactions(session: SessionDetail, bar: Ref, label: Ref, *, is_signed_in: bool, language: str) -> Markup:
    if not session.is_live:
        return reactions_row(shared_part(bar), shared_part(label))
    draw = reactions_for_members if is_signed_in else reactions_for_anonymous
    return draw(session.id, bar, label, language)
