"""Comments on a session's page: the composer of this viewer around what everybody sees."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from apps.core.texts import texts
from apps.live.services import ADDED, DELETED, comment_add, comment_delete
from components.hooks.command import Asked, use_action
from components.hooks.connection import use_viewer
from components.markup import Markup, VdomDict, html, web_module
from components.pages.public.session.older_comments import use_older
from components.rendering.parts import Ref, act_form, acts, shown
from components.ui.blocks import link

LONGEST = 500  # characters
OWN = web_module("modules/own.js", "Own")


@dataclass(frozen=True, slots=True)
class CommentsData:
    """What is said about which session, and to whom it is shown."""

    session_id: int
    count: Ref
    comments: Ref
    viewer_id: int | None
    is_admin: bool


def read_comment(asked: Asked) -> dict[str, Any]:
    """What `comment_add` takes."""
    return {"session_id": asked.id(), "content": asked.text("content", LONGEST)}


def read_deletion(asked: Asked) -> dict[str, Any]:
    """What `comment_delete` takes."""
    return {"comment_id": asked.id()}


def use_comments(session_id: int, language: str) -> tuple[VdomDict, Markup]:
    """Return what registers this viewer's acts, and the older comments that this viewer has asked for.

    A hook of the page and no component of its own, which every viewer would pay for.
    """
    t, viewer = texts(language), use_viewer()
    on_older, older = use_older(session_id, language)
    handlers = {"comments_older": on_older}
    if viewer.is_signed_in:  # strangers are led to the door without asking us
        handlers["comment_add"] = use_action(comment_add, read=read_comment, said=t(ADDED))
        handlers["comment_delete"] = use_action(comment_delete, read=read_deletion, said=t(DELETED))
    return acts(handlers), older


def comments_section(said: CommentsData, older: Markup, language: str) -> VdomDict:
    """Return the comments around a viewer's composer; answers to deletions stand where the composer's do."""
    return html.section(
        {"id": "comments", "aria-labelledby": "comments-heading", "data-answers": ""},
        html.h2({"id": "comments-heading"}, texts(language)("Comments"), " ", shown(said.count)),
        _composer(said.session_id, said.viewer_id is not None, language),
        OWN({"author": said.viewer_id, "all": said.is_admin}) if said.viewer_id is not None else None,
        shown(said.comments),
        older,
    )


def _composer(session_id: int, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    t = texts(language)
    way_in = "/login?" + urlencode({"next": f"/sessions/{session_id}#comments"})
    field = {
        "id": "say",
        "name": "content",
        "rows": 3,
        "maxLength": LONGEST,
        "required": True,
        "placeholder": t("What did you hear?"),
    }
    own = act_form("comment_add", session_id, draft=f"comment:{session_id}") | {"class": "field say"}
    return html.form(
        own if is_signed_in else own | {"data-leave": way_in},
        html.label({"class": "visually-hidden", "htmlFor": "say"}, t("Your comment")),
        html.textarea(field),
        html.div(
            {"class": "row row--apart"},
            None if is_signed_in else link(way_in, t("Sign in to comment")),
            html.p({"class": "small muted", "data-answer": "", "role": "status"}),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Comment")),
        ),
        html.p({"class": "small muted scriptless"}, t("Commenting needs JavaScript.")),
    )
