"""One session: the stage with its video, and the running order."""

from dataclasses import dataclass

from apps.accounts.actors import Viewer
from apps.competition.selectors import SessionDetail, session_get
from apps.core.texts import texts
from components.hooks.connection import use_viewer
from components.markup import Markup, VdomDict, cached_markup, component, html
from components.page import Page, Params, Query
from components.pages.public.not_found import not_found_page
from components.pages.public.session.comments import CommentsData, comments_section, use_comments
from components.pages.public.session.reactions import below, reactions_for_members, reactions_for_strangers
from components.pages.public.session.selected_video import SelectedVideo, selected_video
from components.pages.public.session.video import stage_video
from components.parts.authors import author_fills
from components.parts.comments import comment_count, session_comments
from components.parts.reactions import session_reactions
from components.parts.session import session_label, session_order, session_stage
from components.rendering.page_slots import slot_query
from components.rendering.parts import Ref, shared_part
from components.ui.frames.page_grid import main
from components.ui.programme_lines import composer

PARTS = (session_stage, session_order, session_label, session_reactions, comment_count, session_comments)


@dataclass(frozen=True, slots=True)
class Evening:
    """The session when the page was loaded, and the video that the address asks for."""

    session: SessionDetail
    asked: SelectedVideo | None


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the session's page; `watch` in the address chooses the video. Status 404 for an unknown session."""
    t, session_id = texts(language), int(params["id"])
    topic, watch = f"session.{session_id}", query.get("watch", "")
    session = session_get(session_id=session_id)
    if session is None:
        return not_found_page(t("Session not found."), ("/sessions", t("All sessions")), topic)
    words = t("{title}, {stage}: video, participants and their programs.").format(
        title=session.title, stage=session.stage
    )
    return Page(
        title=session.title,
        description=words,
        component=session_page,
        data=Evening(session, selected_video(session_id=session_id, watch=watch)),
        parts=tuple(part(session_id, language=language) for part in PARTS),
        slot_query=slot_query(author_fills),
        topics=(topic, f"{topic}.performer") if watch else (topic,),  # a program's change may change the video
    )


@component
def session_page(page: Page) -> VdomDict:
    """The stage, dark in both themes, above the order of playing and the comments."""
    stage, order, label, reactions, count, comments = page.parts
    evening: Evening = page.data
    session = evening.session
    comments_data = CommentsData(session.id, count, comments, use_viewer().is_signed_in)
    asking, older = use_comments(session.id, page.language)
    return main(
        html.div(
            {"class": "sheet stage"},
            html.div(
                {"class": "stage__grid"},
                html.div(
                    {"class": "stage__video"},
                    stage_video(session, evening.asked, page.language),
                    _below_video(session, reactions, label, page.language),
                ),
                shared_part(stage),
            ),
        ),
        asking,
        _hall(order, comments_data, page.language)
        if older is None
        else _split(order, comments_data, older, page.language),
    )


@cached_markup
def _hall(order: Ref, comments_data: CommentsData, language: str) -> VdomDict:
    """Return order of playing and comments as one cached node, for viewers without older comments."""
    return _split(order, comments_data, None, language)


def _split(order: Ref, comments_data: CommentsData, older: Markup, language: str) -> VdomDict:
    halves = html.div(
        {"class": "split"}, _participants(order, language), comments_section(comments_data, older, language)
    )
    return html.div({"class": "sheet sheet--first"}, halves)


def _below_video(session: SessionDetail, bar: Ref, label: Ref, language: str) -> Markup:
    if not session.is_live:
        return below(shared_part(bar), shared_part(label))
    if use_viewer().is_signed_in:
        return reactions_for_members(session.id, bar, label, language)
    return reactions_for_strangers(session.id, bar, label, language)


@cached_markup
def _participants(order: Ref, language: str) -> VdomDict:
    t = texts(language)
    return html.section(
        {"aria-labelledby": "participants-heading"},
        html.h2({"id": "participants-heading"}, t("Participants")),
        composer(),
        shared_part(order),
    )
