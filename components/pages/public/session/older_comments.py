"""Older comments, for the one viewer who asked for them: page by page, and each current without the others' help.

What everybody sees are the newest comments. Beyond them stand, for this viewer, those that have left the newest since,
then pages between two ids: each is sent again only when something in it came or went.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.live import selectors
from apps.live.limits import COMMENTS_SHOWN
from apps.live.selectors import Comment
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, key, use_effect, use_state
from components.parts.comments import comment_rows, more_comments, with_default_picture

PAGES = 20  # that one viewer may open
OnFull = Callable[[tuple[Comment, ...]], None]


@dataclass(frozen=True, slots=True)
class Older:
    """The comments of one page: those from the id `from_id` up to below `below_id`."""

    from_id: int
    below_id: int
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What one viewer has opened: what has left the newest since, and the pages below it, the newest first."""

    left_from: int  # the id at which the newest comments ended
    left: tuple[Comment, ...]
    pages: tuple[Older, ...]
    more: bool  # the database has older ones

    @property
    def has_room(self) -> bool:
        """Whether one more page may be opened."""
        return len(self.pages) < PAGES

    def with_page(self, left: tuple[Comment, ...]) -> "Opened":
        """Return the same with what has left the newest as a page of its own; too many push the oldest out."""
        newest, *others = left
        pages = (Older(self.left_from, newest.id, tuple(others)), *self.pages)
        return Opened(newest.id, (newest,), pages[:PAGES], more=self.more or len(pages) > PAGES)


def opened_further(*, session_id: int, before: Opened | None) -> Opened | None:
    """Return what is open after one more page; None when there are no comments. At most three queries."""
    if before is None:
        newest = selectors.comments_before(session_id=session_id, limit=COMMENTS_SHOWN)
        if not newest:
            return None
        before = Opened(newest[-1].id, (), (), more=True)
    if not before.has_room:
        return before
    below = before.pages[-1].from_id if before.pages else before.left_from
    found = with_default_picture(
        selectors.comments_before(session_id=session_id, before_id=below, limit=COMMENTS_SHOWN)
    )
    pages = (*before.pages, Older(found[-1].id, below, found)) if found else before.pages
    return replace(before, pages=pages, more=len(found) == COMMENTS_SHOWN)


def left_read(*, session_id: int, from_id: int) -> tuple[Comment, ...]:
    """Return the comments that have left the newest ones, with their pictures."""
    return with_default_picture(selectors.comments_left(session_id=session_id, from_id=from_id))


def page_read(*, session_id: int, from_id: int, below_id: int) -> tuple[Comment, ...]:
    """Return the comments of one page, with their pictures."""
    return with_default_picture(selectors.comment_range(session_id=session_id, from_id=from_id, below_id=below_id))


def use_older(session_id: int, language: str) -> tuple[Callable[[str], Awaitable[None]], Markup]:
    """Return the handler that opens one page more for this viewer, and what is open.

    A hook and no component of its own: most viewers never ask, and each of them would hold one.
    """
    nothing: Opened | None = None
    opened, set_opened = use_state(nothing)

    async def on_older(_argument: str) -> None:
        further = await in_thread(lambda: opened_further(session_id=session_id, before=opened))
        set_opened(further)  # a double click opens one page

    def on_full(left: tuple[Comment, ...]) -> None:
        set_opened(lambda before: before and before.with_page(left))

    return on_older, _pages(session_id, opened, language, on_full) if opened else None


def _pages(session_id: int, opened: Opened, language: str, on_full: OnFull) -> VdomDict:
    return html.div(
        {"class": "comments comments--older"},
        key(f"left-{opened.left_from}", _left(session_id, opened, language, on_full)),
        *(key(f"page-{page.from_id}", _page(session_id, page, language)) for page in opened.pages),
        _end(opened, language),
    )


def _end(opened: Opened, language: str) -> Markup:
    """The way to still older ones; a page that held all of ten thousand would serve nobody."""
    t = texts(language)
    if not opened.more or opened.has_room:
        return more_comments(t) if opened.more else None
    return html.p({"class": "small muted"}, t("Comments older than these are not shown."))


@component
def _left(session_id: int, opened: Opened, language: str, on_full: OnFull) -> VdomDict:
    """Those that have left the newest since; when they are more than a page, they become one."""
    topics = (f"session.{session_id}.comments", "profiles")
    left = use_live_query(left_read, *topics, initial=opened.left, session_id=session_id, from_id=opened.left_from)

    @use_effect(dependencies=[len(left) > COMMENTS_SHOWN])
    def fold() -> None:
        if len(left) > COMMENTS_SHOWN:
            on_full(left)

    return comment_rows(left, language)


@component
def _page(session_id: int, page: Older, language: str) -> VdomDict:
    """One page; a comment leaves it when it is deleted, or while it is among the newest because others were."""
    topics = (f"session.{session_id}.comments", "profiles")
    ids = {"from_id": page.from_id, "below_id": page.below_id}
    return comment_rows(
        use_live_query(page_read, *topics, initial=page.comments, session_id=session_id, **ids), language
    )
