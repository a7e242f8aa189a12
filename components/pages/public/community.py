"""The feed, its further pages, one person's posts, and one post alone with its comments open."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import default_avatars
from apps.accounts.selectors.sessions import account_id_get
from apps.community.limits import POST_LENGTH
from apps.community.selectors.posts import PostCard, own_reactions_recent, post_comments, posts_read
from apps.core.database.paging import Cursor
from apps.core.limits import ADDRESS_LENGTH, ID_DIGITS
from apps.core.text_rules import initials
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.hooks import use_viewer
from components.markup import VdomDict, component, html, key, use_state
from components.opened_part import part_in_slot
from components.page import Page, Params, Query
from components.parts.community import (
    ANONYMOUS,
    COMMENTS,
    EARLIER,
    EARLIER_EVENT,
    MEMBER,
    PANEL,
    PANEL_BUTTON,
    PATH,
    REACTION,
    address_of,
    community_comments,
    community_comments_earlier,
    community_feed,
    community_post,
    pressed,
    short,
)
from components.parts.people import author_fills
from components.rendering.page_slots import PAGE_SLOTS, slot_query
from components.rendering.parts import Ref, page_events, shared_part
from components.rendering.slots import Fills, fill
from components.ui.blocks import link
from components.ui.empty_states import message
from components.ui.forms import characters_left, command_form, field
from components.ui.frames import main, title
from components.ui.people import disc


def composer(viewer: Viewer, picture_url: str, language: str) -> VdomDict:
    """Return the form beside this picture of one's own, or the way to sign in."""
    t = texts(language)
    if not viewer.is_signed_in:
        return html.p({"class": "lead"}, link("/login?next=%2Fcommunity", t("Sign in to post, react and comment")))
    text = {
        "id": "post",
        "name": "content",
        "rows": 3,
        "maxLength": POST_LENGTH,
        "required": True,
        "placeholder": t("What stayed with you?"),
    }
    picture = field(
        t("Image URL"), "image_url", type="url", inputMode="url", placeholder="https://", maxLength=ADDRESS_LENGTH
    )
    return html.form(
        command_form("post_add", draft="post") | {"class": "composer-box", "data-needs": "content", "noValidate": True},
        disc(viewer.username, initials(viewer.username), picture_url),
        html.div(
            {"class": "field"},
            html.label({"class": "visually-hidden", "htmlFor": "post"}, t("Your post")),
            html.textarea(text),
            characters_left(t),
        ),
        html.div(
            {"class": "composer-box__row"},
            html.details(
                {"class": "composer-box__picture"},
                html.summary({"class": "link"}, t("Add an image")),
                picture,
            ),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Post")),
        ),
        html.p({"class": "small composer-box__answer", "data-answer": "", "data-vanish": "3000", "role": "status"}),
    )


def community_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return what fills the slots of somebody who is signed in. One query."""
    reactions = own_reactions_recent(user_id=viewer.id) if viewer.id is not None else {}
    return {
        **author_fills(viewer=viewer, language=language),
        MEMBER: fill({"hidden": False}),
        ANONYMOUS: fill({"hidden": True}),
        **{f"{REACTION}:{post_id}:{kind}": pressed(post_id) for post_id, kind in reactions.items()},
    }


PANELS = 20  # that one window may have open
Panel = tuple[int, int]  # a post whose comments are open, and the id from which on it shows them; 0 shows all
Panels = tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Feed:
    """What the address asks for."""

    heading: str
    is_whole: bool = False  # its first page, where one may write
    is_missing: bool = False  # the address names a post that is not there
    own_picture: str = ""  # beside the composer
    panels: Panels = ()


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the page that `post`, `by` or `before` ask for; the feed's first one for anything else."""
    if "post" in query:
        post_id = _id(query["post"])
        post = posts_read(ids=(post_id,)).get(post_id)
        return _one(post, _id(query.get("earlier", "")), language) if post else _missing(viewer, post_id, language)
    t, before = texts(language), str(Cursor.read(query.get("before", "")) or "")
    author_id = account_id_get(username=query["by"]) if query.get("by") else None
    heading = t("Posts by {author}").format(author=query["by"]) if author_id else t("Community")
    feed = community_feed(before, author_id or 0, language=language)
    shows_whole = not (before or author_id)
    picture = _own_picture(viewer) if shows_whole else ""
    return _page(Feed(heading, is_whole=shows_whole, own_picture=picture), (feed,), language)


def _page(feed: Feed, parts: tuple[Ref, ...], language: str, **more: Any) -> Page:
    words = texts(language)("What the audience is talking about, between the pieces.")
    page = Page(
        title=feed.heading,
        description=words,
        component=community_page,
        data=feed,
        parts=parts,
        slot_query=slot_query(community_fills, "account.{id}.reactions"),
    )
    return replace(page, **more)


def _one(post: PostCard, from_id: int, language: str) -> Page:
    """Return one post with its comments open: the address that is shared and reported."""
    t, panel = texts(language), (post.id, from_id or first_shown(post_id=post.id))
    heading = t("Post by {author}").format(author=post.author or t("former member"))
    parts = (community_post(post.id, language=language), *_panel_parts(panel, language))
    alone = {"canonical": address_of(post=post.id), "description": short(post.content)}
    return _page(Feed(heading, panels=(panel,)), parts, language, topics=(f"community_post.{post.id}",), **alone)


def _own_picture(viewer: Viewer) -> str:
    """Return the address of the picture that this viewer has beside a post. One query at most."""
    return (viewer.avatar_url or default_avatars().user_avatar_url) if viewer.is_signed_in else ""


def _missing(viewer: Viewer, post_id: int, language: str) -> Page:
    """Return the feed's first page below a sentence: whether the post was ever there is nobody's business."""
    heading, parts = texts(language)("Community"), (community_feed("", 0, language=language),)
    topics = (f"community_post.{post_id}",)
    feed = Feed(heading, is_whole=True, is_missing=True, own_picture=_own_picture(viewer))
    return _page(feed, parts, language, status=404, topics=topics)


def _id(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= ID_DIGITS else 0


def first_shown(*, post_id: int) -> int:
    """Return the id of the oldest comment that an open panel shows; 0 when it shows all. Three queries at most."""
    found = post_comments(post_id=post_id)
    return found.newest[0].id if found.total > len(found.newest) else 0


def _panel_parts(panel: Panel, language: str) -> tuple[Ref, Ref]:
    post_id, from_id = panel
    earlier = community_comments_earlier(post_id, from_id, language=language)
    return community_comments(post_id, language=language), earlier


@component
def community_page(page: Page) -> VdomDict:
    """The composer above the posts; what is opened stays open while the address does."""
    t, feed = texts(page.language), page.data
    panels, events = use_panels(page)
    head = html.div({"class": "hang hang--low"}, html.p(t("The foyer, between the pieces.")))
    missing = message(t("This post is no longer there."), good=False) if feed.is_missing else None
    above = (
        composer(use_viewer(), feed.own_picture, page.language) if feed.is_whole else html.p(link(PATH, t("All posts")))
    )
    answers = html.p({"class": "small", "data-answer": "", "data-vanish": "3000", "role": "status"})
    body = html.div({"class": "body foyer"}, title(feed.heading), missing, answers, above, shared_part(page.parts[0]))
    opened = [key(f"{name}-{ref.key}", part_in_slot(name, ref)) for name, ref in _slots(panels, page.language)]
    expanded = {f"{PANEL_BUTTON}:{post_id}": fill({"aria-expanded": "true"}) for post_id, _ in panels}
    return main(
        events,
        html.section({"class": "sheet sheet--first", "data-answers": ""}, head, body),
        html.div(*opened, PAGE_SLOTS({"fills": expanded})),
    )


def _slots(panels: Panels, language: str) -> Iterator[tuple[str, Ref]]:
    """Yield the slots of open panels, each with the part that it holds."""
    for post_id, from_id in panels:
        comments, earlier = _panel_parts((post_id, from_id), language)
        yield f"{PANEL}:{post_id}", comments
        yield f"{EARLIER}:{post_id}", earlier


def use_panels(page: Page) -> tuple[Panels, VdomDict]:
    """Return which panels this viewer has open, and what registers the page events that open and close them."""
    (address, panels), set_panels = use_state((page.address, page.data.panels))
    now: Panels = panels if address == page.address else page.data.panels

    def show(change: Callable[[Panels], Panels]) -> None:
        set_panels(lambda before: (page.address, change(before[1] if before[0] == page.address else page.data.panels)))

    async def on_comments(argument: str) -> None:
        post_id = _id(argument)
        from_id = await in_thread(lambda: first_shown(post_id=post_id))
        show(lambda before: _toggled(before, post_id, from_id))

    async def on_earlier(argument: str) -> None:
        post_id, from_id = map(_id, argument.partition(":")[::2])
        show(lambda before: tuple((each[0], from_id) if each[0] == post_id else each for each in before))

    return now, page_events({COMMENTS: on_comments, EARLIER_EVENT: on_earlier})


def _toggled(panels: Panels, post_id: int, from_id: int) -> Panels:
    others = tuple(each for each in panels if each[0] != post_id)
    return others if len(others) < len(panels) else (*others, (post_id, from_id))[-PANELS:]
