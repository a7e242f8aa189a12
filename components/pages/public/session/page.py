"""One session: the stage stands, and beside it turns the programme with its rating forms, or the comments."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import OrderedAppearance, SessionDetail
from apps.competition.selectors.public.programs import last_on_stage
from apps.competition.selectors.public.sessions import session_get, session_running_order
from apps.core.limits import ID_DIGITS
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live.enums import Reaction
from apps.live.limits import TAPS_AT_ONCE
from apps.live.services import Taps
from components.hooks import MOST, toggled, use_opened_rows, use_page_connection, use_viewer
from components.markup import Markup, VdomDict, cached_markup, component, html, key, use_state, web_module
from components.opened_part import part_in_slot
from components.page import Page, Params, Query
from components.pages.public.not_found import not_found_page
from components.pages.public.session.comments import CommentsData, comments_panel, use_comments
from components.pages.public.session.video import SelectedVideo, selected_video, stage_video
from components.parts.comments import comment_count, session_comments
from components.parts.ratings.own_ratings import rating_fills
from components.parts.reactions import BAR, session_reactions
from components.parts.session import (
    OPEN,
    PANEL,
    ROW,
    performance_panel,
    session_about,
    session_head,
    session_label,
    session_now,
    session_order,
    session_performer_link,
)
from components.rendering.page_slots import PAGE_SLOTS, slot_query
from components.rendering.parts import Ref, page_event, page_events, shared_part
from components.rendering.slots import Fill, fill
from components.ui.blocks import link
from components.ui.frames import main
from components.ui.mark_input import rating_script
from components.ui.pieces import composer

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


OVERLAY = web_module("modules/reactions.js", "Reactions")


def taps_read(sent: tuple[Any, ...], *, session_id: int, user_id: int) -> Taps | None:
    """Return the taps that a browser sent, None for malformed data."""
    match sent:
        case [{"key": str(text), "types": [*names]}] if 0 < len(names) <= TAPS_AT_ONCE:
            try:
                return Taps(session_id, user_id, UUID(text), tuple(Reaction(name) for name in names))
            except ValueError:
                return None
    return None


@cached_markup
def reactions_for_anonymous(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """Return the row below the video for strangers: the bar and a link to sign in."""
    t, way_in = texts(language), "/login?" + urlencode({"next": f"/sessions/{session_id}#{BAR}"})
    overlay = OVERLAY({"bar": BAR, "leave": way_in})
    invitation = html.p({"class": "small"}, link(way_in, t("Sign in to react")))
    return below(overlay, shared_part(bar), invitation, shared_part(label))


@component
def reactions_for_members(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """The row below the video for the signed-in: the bar, whose taps are sent."""
    t, connection = texts(language), use_page_connection()
    (answer, refusal), set_answer = use_state(({"key": "", "taken": 0}, ""))

    async def on_taps(*sent: Any) -> None:
        taps = taps_read(sent, session_id=session_id, user_id=connection.viewer.id or 0)
        stored = await connection.react(taps) if taps else None
        if stored is not None:
            set_answer(({"key": sent[0]["key"], "taken": stored[0]}, stored[1]))

    overlay = OVERLAY({"bar": BAR, "most": TAPS_AT_ONCE, "answer": answer, "onTaps": on_taps})
    return below(
        overlay, shared_part(bar), html.p({"class": "small", "role": "status"}, t(refusal)), shared_part(label)
    )


def below(*children: Markup) -> VdomDict:
    """Return the row below the video."""
    return html.div({"class": "stage__below"}, *children)


PARTS = (
    *(session_head, session_now, session_order, session_label, session_reactions, comment_count, session_comments),
    *(session_about, session_performer_link),
)
TABS_AND_PLAYER = web_module("modules/session-page.js", "SessionPage")


@dataclass(frozen=True, slots=True)
class Evening:
    """The session when the page was loaded, the video that the address asks for, and the rows that it opens."""

    session: SessionDetail
    asked: SelectedVideo | None
    rows: Rows


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the session's page; `watch` in the address chooses the video, `open` the rows that are open.

    Status 404 for an unknown session.
    """
    t, session_id = texts(language), int(params["id"])
    topic, watch = f"session.{session_id}", query.get("watch", "")
    session = session_get(session_id=session_id)
    if session is None:
        return not_found_page(t("Session not found."), ("/sessions", t("All sessions")), topic)
    words = t("{title}, {stage}: video, participants and their programs.").format(
        title=session.title, stage=session.stage
    )
    rows = opened_rows(session, session_running_order(session_id=session_id), query)
    parts = tuple(part(session_id, language=language) for part in PARTS)
    return Page(
        title=session.title,
        description=words,
        component=session_page,
        data=Evening(session, selected_video(session_id=session_id, watch=watch), rows),
        parts=(*parts, *(panel(row, language) for row in rows)),
        slot_query=slot_query(rating_fills, "account.{id}.ratings", session_id=session_id),
        topics=(topic, f"{topic}.performer") if watch else (topic,),  # a program's change may change the video
        cached_until=(f"{topic}.performer",),  # whose row is open
    )


@component
def session_page(page: Page) -> VdomDict:
    """The stage, dark in both themes, beside the order of playing and the comments."""
    head, now, order, label, reactions, count, comments, about, performer_link, *_rows = page.parts
    evening: Evening = page.data
    session = evening.session
    comments_data = CommentsData(session.id, count, comments, use_viewer().is_signed_in)
    asking, older = use_comments(session.id, page.language)
    opening, opened = use_panels(page, session.id, evening.rows)
    stage = html.div(
        {"class": "stage stand__stage"},
        shared_part(head),
        html.div({"class": "stand__seat"}, stage_video(session, evening.asked, page.language)),
        _below_video(session, reactions, label, page.language),
        shared_part(now),
    )
    pane = html.div(
        {"class": "stand__pane"},
        _tabs(count, performer_link, page.language),
        _programme(session.id, about, order, page.language),
        _comments(comments_data, page.language)
        if older is None
        else comments_panel(comments_data, older, page.language),
    )
    stand = html.div({"class": "stand"}, stage, pane)
    return main(stand, asking, opening, opened, rating_script(page.language), TABS_AND_PLAYER({}))


@cached_markup
def _tabs(count: Ref, performer_link: Ref, language: str) -> VdomDict:
    """Return the two ways beside the stage; a phone shows one of them at a time (`modules/session-page.js`)."""
    t = texts(language)
    ways = html.div(
        {"class": "tabs", "role": "group", "aria-label": t("Beside the stage")},
        html.a({"href": "#programme", "id": "programme-tab"}, t("Programme")),
        html.a({"href": "#comments", "id": "comments-tab"}, t("Comments"), " ", shared_part(count)),
    )
    return html.div({"class": "stand__tabs"}, ways, shared_part(performer_link))


@cached_markup
def _programme(session_id: int, about: Ref, order: Ref, language: str) -> VdomDict:
    t = texts(language)
    every = {"class": "link", "href": f"/sessions/{session_id}?open={EVERY_ROW}#programme"}
    return html.section(
        {"class": "stand__panel", "id": "programme", "aria-labelledby": "programme-heading"},
        html.h2({"id": "programme-heading"}, t("Programme")),
        shared_part(about),
        html.div(
            {"class": "row row--apart"}, composer(), html.a(every | page_event(OPEN, EVERY_ROW), t("Open all programs"))
        ),
        shared_part(order),
    )


@cached_markup
def _comments(comments_data: CommentsData, language: str) -> VdomDict:
    """Return the comments as one cached node, for viewers without older ones."""
    return comments_panel(comments_data, None, language)


def _below_video(session: SessionDetail, bar: Ref, label: Ref, language: str) -> Markup:
    if not session.is_live:
        return below(shared_part(bar), shared_part(label))
    if use_viewer().is_signed_in:
        return reactions_for_members(session.id, bar, label, language)
    return reactions_for_anonymous(session.id, bar, label, language)
