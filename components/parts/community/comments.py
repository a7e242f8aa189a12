"""What is said to one post: the newest comments with the form for one more, and earlier ones for those who ask."""

from collections.abc import Sequence

from apps.community.enums import ReportKind
from apps.community.limits import COMMENT_LENGTH, COMMENTS_SHOWN
from apps.community.selectors import (
    PostCommentCard,
    post_comment_ids_before,
    post_comments,
    post_comments_earlier,
)
from apps.core.texts import Texts, texts
from apps.live.reaction_batch import TICK
from components.markup import Markup, VdomDict, cached_markup, html
from components.parts.authors import authors_alone
from components.parts.community.written import address_of, author_disc, byline, default_picture, short, written_text
from components.parts.reporting import report_link
from components.rendering.parts import page_event, public_part
from components.rendering.slots import slot
from components.ui.blocks import link, visually_hidden
from components.ui.controls.commands import command_button, command_form
from components.ui.controls.forms import characters_left

EARLIER, MEMBER, STRANGER, TYPED = "post_comments_earlier", "member", "stranger", "post_comment"  # names of slots
EARLIER_EVENT = "comments_earlier"  # the page event
EVERY = TICK


def _topics(post_id: int, *_: int) -> tuple[str, ...]:
    return (f"community_post.{post_id}", "profiles")


def _comments(comments: Sequence[PostCommentCard], language: str) -> VdomDict:
    rows = (_comment(each, each.avatar_url or default_picture(), language) for each in comments)
    return html.ol({"class": "comments__list", "key": "comments"}, *rows)


@cached_markup
def _comment(comment: PostCommentCard, picture: str, language: str) -> VdomDict:
    t = texts(language)
    return html.li(
        {"class": "says", "key": f"comment-{comment.id}"},
        author_disc(comment, picture, t),
        html.div(byline(comment, "", language, _acts(comment, t)), written_text(comment, "says__text")),
    )


def _acts(comment: PostCommentCard, t: Texts) -> VdomDict:
    named = f"“{short(comment.content)}”"
    report = report_link(ReportKind.POST_COMMENT, comment.id, author_id=comment.author_id, named=named, t=t)
    return html.span({"class": "quiet-acts"}, report, _delete(comment, t))


def _delete(comment: PostCommentCard, t: Texts) -> VdomDict:
    """Return the button that the author and administrators see."""
    named = short(comment.content)
    asked = command_button(
        "post_comment_delete",
        comment.id,
        busy=t("Deleting..."),
        confirm=t("Delete the comment “{text}”?").format(text=named),
        words=t("It will be gone for everybody."),
        yes=t("Delete"),
    )
    attributes = {"class": "link says__delete"} | authors_alone(comment.author_id or 0)
    return html.button(attributes | asked, t("Delete"), visually_hidden(f" “{named}”"))


def _further(post_id: int, below_id: int, t: Texts) -> Markup:
    """Return the way to the comments before that of the id `below_id`, where there are any. One query."""
    ids = post_comment_ids_before(post_id=post_id, below_id=below_id, limit=COMMENTS_SHOWN)
    if not ids:
        return None
    to = {"class": "link", "href": address_of(post=post_id, earlier=ids[-1]), "data-stay": ""}
    asked = page_event(EARLIER_EVENT, f"{post_id}:{ids[-1]}")
    return html.p({"class": "panel__more", "key": "more"}, html.a(to | asked, t("Show earlier comments")))


@public_part(topics=_topics, every=EVERY)
def community_comments_earlier(post_id: int, from_id: int, *, language: str) -> VdomDict:
    """The comments from the id `from_id` on that the panel does not show, or no longer."""
    found = post_comments_earlier(post_id=post_id, from_id=from_id)
    return html.div(_further(post_id, from_id, texts(language)) if from_id else None, _comments(found, language))


@public_part(topics=_topics, every=EVERY)
def community_comments(post_id: int, *, language: str) -> VdomDict:
    """The newest comments on a post, the oldest of them first, above the form of one more."""
    t, found = texts(language), post_comments(post_id=post_id)
    nothing = None if found.newest else html.p({"class": "muted", "key": "nobody"}, t("Nobody has said anything yet."))
    further = _further(post_id, found.newest[0].id, t) if found.total > len(found.newest) else None
    return html.div(
        {"class": "panel__inside", "data-answers": ""},
        html.div({"class": "panel__earlier", "key": "earlier"} | slot(EARLIER, post_id), further),
        nothing,
        _comments(found.newest, language),
        _form(post_id, t),
        html.p(
            {"key": "sign-in"} | slot(STRANGER, post_id),
            link(f"/login?next=%2Fcommunity%3Fpost%3D{post_id}%23comments-{post_id}", t("Sign in to comment")),
        ),
        html.p({"class": "small", "key": "answer", "data-answer": "", "data-vanish": "3000", "role": "status"}),
    )


def _form(post_id: int, t: Texts) -> VdomDict:
    name = f"reply-{post_id}"
    field = {
        "id": name,
        "name": "content",
        "rows": 1,
        "maxLength": COMMENT_LENGTH,
        "required": True,
        "placeholder": t("Add a comment"),
    }
    form = command_form("post_comment_add", post_id, draft=f"post-comment:{post_id}") | {
        "class": "reply",
        "data-needs": "content",
        "hidden": True,
        "key": "reply",
    }
    return html.form(
        form | slot(MEMBER, post_id),
        html.div(
            {"class": "field"},
            html.label({"class": "visually-hidden", "htmlFor": name}, t("Your comment")),
            html.textarea(field | slot(TYPED, post_id)),
            characters_left(t),
        ),
        html.button({"class": "button button--plain", "type": "submit", "data-busy": t("Saving...")}, t("Comment")),
    )
