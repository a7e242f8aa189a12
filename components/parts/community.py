"""Shared parts of the community: posts, their comments, and the text of both."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from urllib.parse import urlencode

from apps.accounts.selectors.own_account import default_avatars
from apps.community.enums import NO_REACTION, PostReaction, ReportKind
from apps.community.limits import COMMENT_LENGTH, COMMENTS_SHOWN, POSTS_BYTES, POSTS_SHOWN
from apps.community.mentions import Segment, segments
from apps.community.selectors.posts import (
    PostCard,
    PostCommentCard,
    post_comment_ids_before,
    post_comments,
    post_comments_earlier,
    posts_page,
    posts_read,
)
from apps.community.selectors.words import PostSubject, post_subjects
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor, keyset_page
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.live.reaction_batch import TICK
from components.parts.covered_texts import (
    EVERYTHING,
    Covered,
    covered_words,
    lines_or_rows,
    sighted,
    texts_part,
)
from components.parts.people import authors_alone
from components.parts.reporting import report_link
from components.parts.words import PATH, short, subject_deleted, text_subject
from components.runtime import (
    Fill,
    Markup,
    VdomDict,
    cached_markup,
    command_button,
    command_form,
    html,
    page_event,
    pressed,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.blocks import acts_menu, audience_link, framed_picture, link, list_ways, visually_hidden
from components.ui.empty_states import empty
from components.ui.forms import characters_left
from components.ui.people import disc
from components.ui.venue_time import ago


class Written(Protocol):
    """The common fields of a post and a comment."""

    @property
    def author(self) -> str:
        """The username, empty for a former member."""

    @property
    def avatar_url(self) -> str:
        """The author's picture, empty when there is none."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def created_at(self) -> datetime:
        """When it was written."""

    @property
    def known(self) -> frozenset[str]:
        """The usernames mentioned in it that exist."""


def address_of(**query: str | int) -> str:
    """Return the address of the feed with this query."""
    return f"{PATH}?{urlencode(query)}"


def default_picture() -> str:
    """Return the address of the authors' default picture. Parts that are rendered together share the query."""
    return read_once(default_avatars).user_avatar_url


def author_disc(written: Written, picture: str, t: Texts) -> VdomDict:
    """Return the disc of the author, with the picture at this address."""
    name = _name(written, t)
    return disc(name, initials(name), picture)


def byline(written: Written, to: str, language: str, *more: Markup) -> VdomDict:
    """Return the author and the time of a text; the time links to `to`, if given."""
    t, when = texts(language), ago(written.created_at, zone=venue_zone(), language=language)
    author: Markup = t("former member")
    if written.author:
        author = html.a({"href": address_of(by=written.author), "translate": "no"}, written.author)
    return html.div(
        {"class": "says__by"},
        html.strong(author),
        " ",
        html.a({"class": "says__when", "href": to}, when) if to else when,
        *more,
    )


def _name(written: Written, t: Texts) -> str:
    return written.author or t("former member")


def written_text(written: Written, look: str) -> VdomDict:
    """Return the text with a paragraph for each block; blank lines separate blocks."""
    blocks = written.content.split("\n\n")
    return html.div(
        {"class": look},
        *(html.p(*(_segment(each, written.known) for each in segments(block))) for block in blocks),
    )


def _segment(segment: Segment, known: frozenset[str]) -> Markup:
    if segment.address:
        return audience_link(segment.address, segment.text)
    if segment.username in known:
        return html.a({"href": address_of(by=segment.username), "translate": "no"}, segment.text)
    return segment.text


REACTION, PANEL, PANEL_BUTTON = "post_reaction", "post_comments", "post_comments_button"  # names of slots
COMMENTS = "comments_toggle"  # the page event
PERFORMER, STAGE = "performer", "stage"  # the fields of the filter
EVERY = TICK  # seconds between two reads, as for live reactions


def cards_read(ids: tuple[int, ...]) -> Mapping[int, PostCard]:
    """Return these posts by id. At most two queries for any number of posts."""
    return posts_read(ids=ids)


@public_part(topics=lambda post_id: (f"community_post.{post_id}", "profiles"), every=EVERY, together=cards_read)
def community_post(post_id: int, *, language: str) -> VdomDict:
    """One post with its counts and the slot for its comments; a hidden element for a deleted or hidden post."""
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
            byline(post, address_of(post=post_id), language, _acts(post, t), _subject(post, language)),
            written_text(post, "post__text"),
            framed_picture(post.image_url) if post.image_url else None,
            _buttons(post, t),
            html.div(panel | slot(PANEL, post_id)),
        ),
    )


def _subject(post: PostCard, language: str) -> Markup:
    """Return the link to the performance that the post is about, a part that follows the performance's names.

    The performance of a post can be deleted: then it is a sentence without a link.
    """
    if post.is_subject_deleted:
        return subject_deleted(texts(language))
    return shared_part(text_subject(*post.about, language=language)) if post.about else None


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
    )


def _acts(post: PostCard, t: Texts) -> VdomDict:
    """Return the menu with Report and Delete."""
    named = f"“{short(post.content)}”"
    report = report_link(ReportKind.POST, post.id, author_id=post.author_id, named=named, t=t)
    return acts_menu(report, _delete(post, t), named=named, t=t)


def _counted(count: int) -> VdomDict:
    return html.b({} if count else {"class": "none"}, str(count))


def _comments(post: PostCard, t: Texts) -> VdomDict:
    """Return the button that opens the comments in place; without scripts it links to the post's page."""
    attributes = {"class": "act", "href": f"{address_of(post=post.id)}#comments-{post.id}", "data-stay": ""}
    attributes |= {"aria-expanded": "false"} | page_event(COMMENTS, post.id) | slot(PANEL_BUTTON, post.id)
    return html.a(attributes, t("Comments"), " ", _counted(post.comments))


def _reaction(post_id: int, kind: PostReaction, words: str, count: int) -> VdomDict:
    attributes = command_button("post_reaction_set", f"{post_id}:{kind}") | slot(REACTION, f"{post_id}:{kind}")
    return html.button(attributes | {"class": "act", "aria-pressed": "false"}, words, " ", _counted(count))


def withdrawing(post_id: int) -> Fill:
    """Return the fill of the viewer's reaction button: pressing it again withdraws the reaction."""
    return pressed("post_reaction_set", f"{post_id}:{NO_REACTION}")


def _delete(post: PostCard, t: Texts) -> Markup:
    """Return the delete button; only the author and administrators see it."""
    named = short(post.content)
    ask = t("Delete the post “{text}”?").format(text=named)
    words = t("Its comments and reactions go with it, for everybody.")
    asked = command_button(
        "community_post_delete", post.id, busy=t("Deleting..."), confirm=ask, words=words, yes=t("Delete")
    )
    attributes = {"class": "link"} | authors_alone(post.author_id or 0)
    return html.button(attributes | asked, t("Delete"), visually_hidden(f" “{named}”"))


@texts_part(lambda post_id: (f"community_post.{post_id}",))
def single_post(post_id: int, sight: str, *, language: str) -> VdomDict:
    """The post of an address."""
    shown = posts_sighted((post_id,), sight)
    return html.div(
        *(
            covered_words(each, texts(language))
            if isinstance(each, Covered)
            else shared_part(community_post(each, language=language))
            for each in shown
        )
    )


def posts_sighted(post_ids: Sequence[int], sight: str) -> Sequence[int | Covered]:
    """Return these posts as a viewer with this sight sees them, by id. One query, none with EVERYTHING."""
    if sight == EVERYTHING:
        return post_ids
    about = post_subjects(ids=post_ids)
    nothing = PostSubject(None, None)
    return sighted(
        post_ids, sight, lambda pk: about.get(pk, nothing).subject, lambda pk: about.get(pk, nothing).author_id
    )


@texts_part(lambda *_: ("community",))  # every page of it depends on all
def community_feed(
    before: str, author_id: int, participant_id: int, stage_id: int, sight: str, *, language: str
) -> VdomDict:
    """A page of posts, newest first, after the cursor `before`; those of an author, about a performer or a stage.

    An id of 0 is for all of them.
    """
    t = texts(language)
    about = {"participant_id": participant_id, "stage_id": stage_id}
    page = keyset_page(
        lambda before, limit: posts_page(before=before, limit=limit, author_id=author_id or None, **about),
        lambda post: Cursor(post.created_at, post.id),
        before=before,
        size=POSTS_SHOWN,
        weigh=lambda post: post.size,
        heaviest=POSTS_BYTES,
    )
    shown = posts_sighted([post.id for post in page.rows], sight)
    rows = list(lines_or_rows(shown, lambda pk: _post_row(pk, language), t))
    comes = {} if before else {"data-arrivals": "", "data-one": t("1 new post"), "data-many": t("{n} new posts")}
    feed = html.section(
        {"class": "feed", "aria-label": t("Posts")} | comes,
        html.div({"class": "feed__line", "role": "status"}),
        html.ol({"class": "feed__posts"}, *rows),
    )
    nothing = None if rows else empty(_nothing(participant_id, stage_id, t))
    ways = list_ways(filter_address(participant_id, stage_id), page, t("Show older"), t)
    return html.div({"class": "feed-page"}, feed, nothing, ways)


def _post_row(post_id: int, language: str) -> VdomDict:
    post = shared_part(community_post(post_id, language=language))
    return html.li({"key": f"post-{post_id}", "id": f"post-{post_id}"}, post)


def filter_address(participant_id: int, stage_id: int) -> str:
    """Return the address of the posts about a performer or a stage; an id of 0 is for all."""
    fields = {PERFORMER: participant_id, STAGE: stage_id}
    chosen = urlencode({name: pk for name, pk in fields.items() if pk})
    return f"{PATH}?{chosen}" if chosen else PATH


def _nothing(participant_id: int, stage_id: int, t: Texts) -> str:
    if participant_id or stage_id:
        return t("No post is about these performances yet.")
    return t("No posts yet. Be the first to share something!")


EARLIER, MEMBER, ANONYMOUS, TYPED = "post_comments_earlier", "member", "stranger", "post_comment"  # names of slots
EARLIER_EVENT = "comments_earlier"  # the page event


def _topics(post_id: int, *_: int) -> tuple[str, ...]:
    return (f"community_post.{post_id}", "profiles")


def _comment_list(post_id: int, comments: Sequence[PostCommentCard], sight: str, language: str) -> VdomDict:
    subject = (
        None if sight == EVERYTHING else post_subjects(ids=[post_id]).get(post_id, PostSubject(None, None)).subject
    )
    shown = sighted(comments, sight, lambda _: subject, lambda each: each.author_id)
    rows = lines_or_rows(
        shown, lambda each: _comment(each, each.avatar_url or default_picture(), language), texts(language)
    )
    return html.ol({"class": "comments__list", "key": "comments"}, *rows)


@cached_markup
def _comment(comment: PostCommentCard, picture: str, language: str) -> VdomDict:
    t = texts(language)
    return html.li(
        {"class": "says", "key": f"comment-{comment.id}"},
        author_disc(comment, picture, t),
        html.div(byline(comment, "", language, _comment_acts(comment, t)), written_text(comment, "says__text")),
    )


def _comment_acts(comment: PostCommentCard, t: Texts) -> VdomDict:
    named = f"“{short(comment.content)}”"
    report = report_link(ReportKind.POST_COMMENT, comment.id, author_id=comment.author_id, named=named, t=t)
    return acts_menu(report, _comment_delete(comment, t), named=named, t=t)


def _comment_delete(comment: PostCommentCard, t: Texts) -> VdomDict:
    """Return the delete button; only the author and administrators see it."""
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
    """Return the link to the comments below the id `below_id`, if there are any. One query."""
    ids = post_comment_ids_before(post_id=post_id, below_id=below_id, limit=COMMENTS_SHOWN)
    if not ids:
        return None
    to = {"class": "link", "href": address_of(post=post_id, earlier=ids[-1]), "data-stay": ""}
    asked = page_event(EARLIER_EVENT, f"{post_id}:{ids[-1]}")
    return html.p({"class": "panel__more", "key": "more"}, html.a(to | asked, t("Show earlier comments")))


@texts_part(_topics, every=EVERY)
def community_comments_earlier(post_id: int, from_id: int, sight: str, *, language: str) -> VdomDict:
    """The comments with ids from `from_id` that are not, or no longer, among the newest in the panel."""
    found = post_comments_earlier(post_id=post_id, from_id=from_id)
    further = _further(post_id, from_id, texts(language)) if from_id else None
    return html.div(further, _comment_list(post_id, found, sight, language))


@texts_part(_topics, every=EVERY)
def community_comments(post_id: int, sight: str, *, language: str) -> VdomDict:
    """The newest comments on a post, in order of time, above the form for a new comment."""
    t, found = texts(language), post_comments(post_id=post_id)
    nothing = None if found.newest else html.p({"class": "muted", "key": "nobody"}, t("Nobody has said anything yet."))
    further = _further(post_id, found.newest[0].id, t) if found.total > len(found.newest) else None
    return html.div(
        {"class": "panel__inside", "data-answers": ""},
        html.div({"class": "panel__earlier", "key": "earlier"} | slot(EARLIER, post_id), further),
        nothing,
        _comment_list(post_id, found.newest, sight, language),
        _form(post_id, t),
        html.p(
            {"key": "sign-in"} | slot(ANONYMOUS, post_id),
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
