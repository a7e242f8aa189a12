"""One session: the stage stands, and beside it turns the programme with its rating forms, or the comments."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.competition.selectors import SessionDetail, session_get, session_running_order
from apps.core.texts import texts
from components.hooks.connection import use_viewer
from components.markup import Markup, VdomDict, cached_markup, component, html, web_module
from components.page import Page, Params, Query
from components.pages.public.not_found import not_found_page
from components.pages.public.session.comments import CommentsData, comments_panel, use_comments
from components.pages.public.session.opened_rows import EVERY_ROW, Rows, opened_rows, panel, use_panels
from components.pages.public.session.reactions import below, reactions_for_members, reactions_for_strangers
from components.pages.public.session.selected_video import SelectedVideo, selected_video
from components.pages.public.session.video import stage_video
from components.parts.comments import comment_count, session_comments
from components.parts.ratings.own_ratings import rating_fills
from components.parts.reactions.bar import session_reactions
from components.parts.session import (
    OPEN,
    session_about,
    session_head,
    session_label,
    session_now,
    session_order,
    session_performer_link,
)
from components.rendering.page_slots import slot_query
from components.rendering.parts import Ref, page_event, shared_part
from components.ui.controls.rating_script import rating_script
from components.ui.frames.page_grid import main
from components.ui.programme_lines import composer

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
    return reactions_for_strangers(session.id, bar, label, language)
