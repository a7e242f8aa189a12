"""The comments section of a session's page: the composer, the shared list, and the viewer's older pages."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live import selectors
from apps.live.limits import COMMENT_LENGTH, COMMENTS_SHOWN
from components.parts.comments import ListedComments, comment_rows, comments_listed, more_comments
from components.parts.covered_texts import sight_of, sight_topics
from components.runtime import (
    Markup,
    Ref,
    VdomDict,
    cached_markup,
    command_form,
    component,
    html,
    key,
    shared_part,
    use_effect,
    use_live_query,
    use_state,
    use_viewer,
)
from components.ui.blocks import link
from components.ui.forms import characters_left


def comments_section(session_id: int, comments: Ref, older: Markup, *, is_signed_in: bool, language: str) -> VdomDict:
    """Return the composer, the shared comments and the viewer's `older` ones.

    The composer also shows the answers to deletions.
    """
    if older is None:
        return _newest_section(session_id, comments, is_signed_in, language)
    return _section(session_id, comments, older, is_signed_in, language)


@cached_markup
def _newest_section(session_id: int, comments: Ref, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    return _section(session_id, comments, None, is_signed_in, language)


def _section(session_id: int, comments: Ref, older: Markup, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    return html.section(
        {"class": "stand__panel", "id": "comments", "aria-labelledby": "comments-heading", "data-answers": ""},
        html.h2({"id": "comments-heading"}, texts(language)("Comments")),
        _composer(session_id, is_signed_in, language),
        shared_part(comments),
        older,
    )


def _composer(session_id: int, is_signed_in: bool, language: str) -> VdomDict:  # noqa: FBT001
    t = texts(language)
    if not is_signed_in:
        sign_in = "/login?" + urlencode({"next": f"/sessions/{session_id}#comments"})
        return html.p({"class": "lead say"}, link(sign_in, t("Sign in to comment")))
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


PAGES = 20  # open pages per viewer, at most
OnFull = Callable[[ListedComments], None]


@dataclass(frozen=True, slots=True)
class Older:
    """One page of comments, with ids from `from_id` up to but not including `below_id`."""

    from_id: int
    below_id: int
    comments: ListedComments


@dataclass(frozen=True, slots=True)
class OpenPages:
    """A viewer's older comments: `left` are no longer among the newest; `pages` follow, newest first."""

    left_from: int  # the id at which the newest comments ended
    left: ListedComments
    pages: tuple[Older, ...]
    has_more: bool  # the database has older ones

    @property
    def has_room(self) -> bool:
        """Return whether one more page may be opened."""
        return len(self.pages) < PAGES

    def with_page(self, left: ListedComments) -> "OpenPages":
        """Return these pages with `left` as a further page; beyond PAGES the oldest page is dropped."""
        newest, *others = left.comments
        pages = (Older(self.left_from, newest.id, replace(left, comments=tuple(others))), *self.pages)
        return OpenPages(
            newest.id, replace(left, comments=(newest,)), pages[:PAGES], has_more=self.has_more or len(pages) > PAGES
        )


def page_open(*, session_id: int, before: OpenPages | None, viewer: Viewer) -> OpenPages | None:
    """Return the open pages with one more; None if there are no comments.

    At most three queries, three more for a viewer with covered texts.
    """
    if before is None:
        newest = selectors.comments_before(session_id=session_id, limit=COMMENTS_SHOWN)
        if not newest:
            return None
        before = OpenPages(newest[-1].id, ListedComments(), (), has_more=True)
    if not before.has_room:
        return before
    below = before.pages[-1].from_id if before.pages else before.left_from
    comments = selectors.comments_before(session_id=session_id, before_id=below, limit=COMMENTS_SHOWN)
    pages = before.pages
    if comments:
        pages += (Older(comments[-1].id, below, comments_listed(comments, sight_of(viewer))),)
    return replace(before, pages=pages, has_more=len(comments) == COMMENTS_SHOWN)


def left_read(*, session_id: int, from_id: int, viewer: Viewer) -> ListedComments:
    """Return the comments that are no longer among the newest, as the viewer sees them."""
    return comments_listed(selectors.comments_left(session_id=session_id, from_id=from_id), sight_of(viewer))


def page_read(*, session_id: int, from_id: int, below_id: int, viewer: Viewer) -> ListedComments:
    """Return the comments of one page, as the viewer sees them."""
    found = selectors.comment_range(session_id=session_id, from_id=from_id, below_id=below_id)
    return comments_listed(found, sight_of(viewer))


def _topics(session_id: int, viewer: Viewer) -> tuple[str, ...]:
    return (f"session.{session_id}.comments", "profiles", *sight_topics(viewer))


@dataclass(frozen=True, slots=True)
class OlderComments:
    """The older comments that a viewer has opened, and their handlers."""

    open_pages: OpenPages | None
    on_older: Callable[[str], Awaitable[None]]  # opens one more page
    on_full: OnFull  # turns the comments that are no longer among the newest into a page


def use_older_comments(session_id: int) -> OlderComments:
    """Return the older comments that this viewer has opened; none at first."""
    none_yet: OpenPages | None = None
    open_pages, set_open_pages = use_state(none_yet)
    viewer = use_viewer()

    async def on_older(_argument: str) -> None:
        more_pages = await in_thread(lambda: page_open(session_id=session_id, before=open_pages, viewer=viewer))
        set_open_pages(more_pages)  # a double click opens one page

    def on_full(left: ListedComments) -> None:
        set_open_pages(lambda before: before and before.with_page(left))

    return OlderComments(open_pages, on_older, on_full)


def older_comment_pages(session_id: int, older: OlderComments, language: str) -> Markup:
    """Return the open pages below the newest comments; None if none is open."""
    open_pages = older.open_pages
    if open_pages is None:
        return None
    return html.div(
        {"class": "comments comments--older"},
        key(f"left-{open_pages.left_from}", _left_comments(session_id, open_pages, language, older.on_full)),
        *(key(f"page-{page.from_id}", _page(session_id, page, language)) for page in open_pages.pages),
        _end(open_pages, language),
    )


def _end(open_pages: OpenPages, language: str) -> Markup:
    """Return the button for one more page, a note if PAGES are open, or None if there are no older comments."""
    t = texts(language)
    if not open_pages.has_more or open_pages.has_room:
        return more_comments(t) if open_pages.has_more else None
    return html.p({"class": "small muted"}, t("Comments older than these are not shown."))


@component
def _left_comments(session_id: int, open_pages: OpenPages, language: str, on_full: OnFull) -> VdomDict:
    """Render the comments that are no longer among the newest; more than COMMENTS_SHOWN become a page."""
    viewer = use_viewer()
    which = {"session_id": session_id, "from_id": open_pages.left_from, "viewer": viewer}
    left = use_live_query(left_read, topics=_topics(session_id, viewer), initial=open_pages.left, **which)
    is_full = len(left.comments) > COMMENTS_SHOWN

    @use_effect(dependencies=[is_full])
    def fold() -> None:
        if is_full:
            on_full(left)

    return comment_rows(left, language)


@component
def _page(session_id: int, page: Older, language: str) -> VdomDict:
    """Render one page, kept current: without deleted comments and those among the newest again."""
    viewer = use_viewer()
    which = {"session_id": session_id, "from_id": page.from_id, "below_id": page.below_id, "viewer": viewer}
    found = use_live_query(page_read, topics=_topics(session_id, viewer), initial=page.comments, **which)
    return comment_rows(found, language)
