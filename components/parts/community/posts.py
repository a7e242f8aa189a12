"""Posts in the feed: each a part of its own, read together with the others of its page; and the list of them."""

from collections.abc import Mapping

from apps.community.enums import NO_REACTION, PostReaction, ReportKind
from apps.community.limits import POSTS_BYTES, POSTS_SHOWN
from apps.community.selectors import PostCard, posts_page, posts_read
from apps.core.database.paging import Cursor, keyset_page
from apps.core.texts import Texts, texts
from apps.live.reaction_batch import TICK
from components.markup import Markup, VdomDict, html
from components.parts.authors import authors_alone
from components.parts.community.written import (
    PATH,
    address_of,
    author_disc,
    byline,
    default_picture,
    short,
    written_text,
)
from components.parts.reporting import report_link
from components.rendering.parts import page_event, public_part, read_together, shared_part
from components.rendering.slots import Fill, fill, slot
from components.ui.blocks import framed_picture, list_ways, visually_hidden
from components.ui.controls.commands import command_button, posted_button
from components.ui.empty_states import empty

REACTION, PANEL, PANEL_BUTTON = "post_reaction", "post_comments", "post_comments_button"  # names of slots
COMMENTS = "comments_toggle"  # the page event
EVERY = TICK  # seconds between two readings, as of live reactions


def cards_read(ids: tuple[int, ...]) -> Mapping[int, PostCard]:
    """Return these posts by id. As many queries as for one."""
    return posts_read(ids=ids)


@public_part(topics=lambda post_id: (f"community_post.{post_id}", "profiles"), every=EVERY, together=cards_read)
def community_post(post_id: int, *, language: str) -> VdomDict:
    """One post with its counts, and the place of its comments; nothing when it is gone."""
    t, post = texts(language), read_together(cards_read, post_id)
    if post is None:
        return html.article({"hidden": True})
    panel = {"class": "panel", "id": f"comments-{post_id}", "hidden": True}
    label = t("Post by {author}").format(author=post.author or t("former member"))
    return html.article(
        {"class": "post", "aria-label": label},
        author_disc(post, post.avatar_url or default_picture(), t),
        html.div(
            {"class": "post__body"},
            byline(post, address_of(post=post_id), language),
            written_text(post, "post__text"),
            framed_picture(post.image_url) if post.image_url else None,
            _buttons(post, t),
            html.div(panel | slot(PANEL, post_id)),
        ),
    )


def _buttons(post: PostCard, t: Texts) -> VdomDict:
    counted = {PostReaction.APPLAUSE: (t("Applause"), post.applause), PostReaction.BOO: (t("Boo"), post.boo)}
    return html.div(
        {"class": "post__acts"},
        html.div(
            {
                "class": "post__reactions",
                "id": f"react-{post.id}",
                "role": "group",
                "aria-label": t("React"),
                "data-wish": "",
            },
            *(_reaction(post.id, kind, *words) for kind, words in counted.items()),
        ),
        _comments(post, t),
        html.span(
            {"class": "quiet-acts"},
            report_link(ReportKind.POST, post.id, author_id=post.author_id, named=f"“{short(post.content)}”", t=t),
            _delete(post, t),
        ),
    )


def _comments(post: PostCard, t: Texts) -> VdomDict:
    """Return what opens the comments where it stands; without scripts it leads to the post's own page."""
    attributes = {"class": "act", "href": f"{address_of(post=post.id)}#comments-{post.id}", "data-stay": ""}
    attributes |= {"aria-expanded": "false"} | page_event(COMMENTS, post.id) | slot(PANEL_BUTTON, post.id)
    return html.a(attributes, t("Comments"), " ", html.b(str(post.comments)))


def _reaction(post_id: int, kind: PostReaction, words: str, count: int) -> VdomDict:
    attributes = command_button("post_reaction_set", f"{post_id}:{kind}") | slot(REACTION, f"{post_id}:{kind}")
    return html.button(attributes | {"class": "act", "aria-pressed": "false"}, words, " ", html.b(str(count)))


def pressed(post_id: int) -> Fill:
    """Return what fills the slot of the reaction that somebody gave: pressed again it is taken back."""
    argument = f"{post_id}:{NO_REACTION}"
    return fill(
        {
            "aria-pressed": "true",
            "data-argument": argument,
            "formAction": posted_button("post_reaction_set", argument)["formAction"],
        }
    )


def _delete(post: PostCard, t: Texts) -> Markup:
    """Return the button that the author and administrators see."""
    named = short(post.content)
    ask = t("Delete the post “{text}”?").format(text=named)
    words = t("Its comments and reactions go with it, for everybody.")
    asked = command_button(
        "community_post_delete", post.id, busy=t("Deleting..."), confirm=ask, words=words, yes=t("Delete")
    )
    attributes = {"class": "link"} | authors_alone(post.author_id or 0)
    return html.button(attributes | asked, t("Delete"), visually_hidden(f" “{named}”"))


@public_part(topics=lambda before, author_id: ("community",))  # noqa: ARG005 - every page of it depends on all
def community_feed(before: str, author_id: int, *, language: str) -> VdomDict:
    """Posts, the newest first: those after the cursor `before`, and of the author `author_id` where it is not 0."""
    t = texts(language)
    page = keyset_page(
        lambda before, limit: posts_page(before=before, limit=limit, author_id=author_id or None),
        lambda post: Cursor(post.created_at, post.id),
        before=before,
        size=POSTS_SHOWN,
        weigh=lambda post: post.size,
        heaviest=POSTS_BYTES,
    )
    rows = [
        html.li(
            {"key": f"post-{post.id}", "id": f"post-{post.id}"}, shared_part(community_post(post.id, language=language))
        )
        for post in page.rows
    ]
    comes = {} if before else {"data-arrivals": "", "data-one": t("1 new post"), "data-many": t("{n} new posts")}
    feed = html.section(
        {"class": "feed", "aria-label": t("Posts")} | comes,
        html.div({"class": "feed__line", "role": "status"}),
        html.ol({"class": "feed__posts"}, *rows),
    )
    nothing = None if rows else empty(t("No posts yet. Be the first to share something!"))
    ways = list_ways(PATH, page, t("Show older"), t)
    return html.div({"class": "feed-page"}, feed, nothing, ways)
