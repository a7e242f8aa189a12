"""Comments on a session's page: the viewer's composer and the shared list."""

from dataclasses import dataclass
from urllib.parse import urlencode

from apps.core.texts import texts
from apps.live.limits import COMMENT_LENGTH
from components.markup import Markup, VdomDict, html
from components.pages.public.session.older_comments import use_older
from components.rendering.parts import Ref, page_events, shared_part
from components.ui.blocks import link
from components.ui.controls.commands import command_form
from components.ui.controls.forms import characters_left


@dataclass(frozen=True, slots=True)
class CommentsData:
    """The session, the shared parts of its comments, and whether the viewer is signed in."""

    session_id: int
    count: Ref
    comments: Ref
    is_signed_in: bool


def use_comments(session_id: int, language: str) -> tuple[VdomDict, Markup]:
    """Return the handlers of the page event `comments_older`, and the older comments that this viewer has opened.

    A hook of the page instead of a component, which would cost memory for every viewer.
    """
    on_older, older = use_older(session_id, language)
    return page_events({"comments_older": on_older}), older


def comments_panel(data: CommentsData, older: Markup, language: str) -> VdomDict:
    """Return the section with composer and comments; answers to deletions are shown at the composer."""
    return html.section(
        {"class": "stand__panel", "id": "comments", "aria-labelledby": "comments-heading", "data-answers": ""},
        html.h2({"id": "comments-heading"}, texts(language)("Comments")),
        _composer(data.session_id, data.is_signed_in, language),
        shared_part(data.comments),
        older,
    )


def _composer(session_id: int, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    t = texts(language)
    if not is_signed_in:
        way_in = "/login?" + urlencode({"next": f"/sessions/{session_id}#comments"})
        return html.p({"class": "lead say"}, link(way_in, t("Sign in to comment")))
    field = {
        "id": "say",
        "name": "content",
        "rows": 3,
        "maxLength": COMMENT_LENGTH,
        "required": True,
        "placeholder": t("What did you hear?"),
    }
    own = command_form("comment_add", session_id, draft=f"comment:{session_id}")
    own |= {"class": "field say", "data-needs": "content"}
    return html.form(
        own,
        html.label({"class": "visually-hidden", "htmlFor": "say"}, t("Your comment")),
        html.textarea(field),
        html.div(
            {"class": "row row--apart"},
            characters_left(t, COMMENT_LENGTH),
            html.p({"class": "small muted", "data-answer": "", "role": "status"}),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Comment")),
        ),
    )
