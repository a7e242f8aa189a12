"""Covered texts: no word about a performance that a member has neither marked nor shown reaches this member."""

from contextlib import AsyncExitStack
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.db.transaction import atomic
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services.profile import covers_texts_set
from apps.community.services.posts import post_add, post_comment_add
from apps.competition.services.live import performer_clear, performer_set
from apps.core.threads import in_thread
from apps.live.models import SessionComment
from apps.live.services import comment_add
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.sheet_changes import SheetChanges
from apps.search.services import entries_rebuild
from components.pages.public.community import load as community_load
from components.parts.covered_texts import texts_fills
from components.runtime.page import PageRequest
from project.limits.rates import RESTART
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.factories import MemberFactory, PerformanceRatingFactory, SessionCommentFactory, UserFactory, viewer_of
from tests.project.asking import ask
from tests.project.covering import Recorded, opened
from tests.project.http.test_page_polls import Poller
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


class Evening:
    """A session with two performances, about each of which every kind of text is written.

    A planted word is "zz", the kind, and the performance's number: "zzpost0".
    """

    def __init__(self, older: int = 0, *, only_posts: bool = False) -> None:
        busy = busy_session_with(3)
        self.session, self.rows = busy.session, busy.appearances[:2]
        self.member = MemberFactory(username="listener")
        self.posts: list[Any] = []
        for number, row in enumerate(self.rows):
            performer_set(actor=OPERATOR, appearance_id=row.pk)
            for each in range(0 if number else older):
                SessionCommentFactory(session=self.session, appearance=row, content=f"zzolder{number} {each}")
            self.author = viewer_of(UserFactory())  # another one: a new account writes slowly
            content = f"findme zzpost{number} @listener"
            self.posts.append(post_add(actor=self.author, content=content, about=row.pk))
            post_comment_add(actor=self.author, post_id=self.posts[-1].pk, content=f"zzreply{number} @listener")
            if only_posts:
                continue
            comment_add(actor=self.author, session_id=self.session.pk, content=f"zzcomment{number} @listener")
            PerformanceRatingFactory(appearance=row, comment=f"zzrating{number}", approved=True)
        performer_clear(actor=OPERATOR, session_id=self.session.pk)
        entries_rebuild()
        self.viewer = self.choose(is_on=True)

    def choose(self, *, is_on: bool) -> Viewer:
        covers_texts_set(actor=viewer_of(self.member), is_on=is_on)
        return viewer_get(user_id=self.member.pk)

    def paths(self) -> list[str]:
        """Return the addresses of all pages with texts about performances."""
        people = [f"/participants/{row.participant_id}" for row in self.rows]
        opened_rows = [f"{path}?open={row.pk}" for path, row in zip(people, self.rows, strict=True)]
        reported = [f"/community/report?thing=post:{post.pk}" for post in self.posts]
        comments = SessionComment.objects.filter(content__startswith="zzcomment").values_list("pk", flat=True)
        return [
            *("/", "/community", f"/community?by={self.author.username}", f"/stages/{self.session.stage_id}"),
            *(f"/community?performer={self.rows[0].participant_id}", f"/sessions/{self.session.pk}"),
            *(f"/community?post={post.pk}" for post in self.posts),
            *people,
            *opened_rows,
            *(f"{path}?tab=ratings" for path in people),
            *("/search?q=findme", "/search?q=findme&kind=post"),
            *reported,
            *(f"/community/report?thing=session_comment:{pk}" for pk in comments),
        ]


def numbers(received: str) -> set[str]:
    """Return which performances' planted words are in this text."""
    kinds = ("comment", "older", "post", "reply", "rating", "live")
    return {str(number) for number in range(2) for kind in kinds if f"zz{kind}{number}" in received}


async def cookie_of(user: Any) -> str:
    return await in_thread(lambda: session_cookie(user))


@pytest.mark.usefixtures("process_runs")
async def test_no_page_poll_or_suggestion_contains_a_covered_text() -> None:
    evening = await in_thread(Evening)
    paths = await in_thread(evening.paths)
    own = {"cookie": await cookie_of(evening.member)}
    for path in paths:
        answer = await ask(path, **own)
        assert answer.status == 200, path
        assert numbers(answer.text) == set(), path
        poller = Poller(path, **own)
        await poller.poll()
        assert numbers(poller.text) == set(), path
    suggested = await ask("/search/suggestions?q=findme", **own)
    assert numbers(suggested.text) == set()
    assert "1 text about this performance." in suggested.text
    visitor = await ask("/search/suggestions?q=findme")
    assert numbers(visitor.text) == {"0", "1"}
    assert not any(numbers(each.subject + str(each.body)) for each in mail.outbox)


@pytest.mark.usefixtures("process_runs")
async def test_visitors_and_members_without_the_choice_see_all_texts() -> None:
    evening = await in_thread(Evening)
    paths = await in_thread(evening.paths)
    other = {"cookie": await in_thread(lambda: session_cookie(MemberFactory()))}
    for path in paths[1:]:
        assert numbers((await ask(path, **other)).text), path
        assert path.startswith("/community/report") or numbers((await ask(path)).text), path


@pytest.mark.usefixtures("process_runs")
async def test_marked_and_shown_performances_are_not_covered() -> None:
    evening = await in_thread(Evening)
    first, second = evening.rows
    piece = await in_thread(lambda: first.program.order_by("order_number").first().piece_id)
    changes = SheetChanges({piece: (20, 0.0)})
    await in_thread(lambda: rating_keep(actor=evening.viewer, appearance_id=first.pk, changes=changes))
    own = {"cookie": await cookie_of(evening.member)}
    paths = await in_thread(evening.paths)
    shown = {path: numbers((await ask(path, **own)).text) for path in paths[1:]}
    assert {each for found in shown.values() for each in found} == {"0"}
    async with opened(f"/participants/{second.participant_id}", user=evening.member) as screen:
        assert "1 text about this performance." in screen.text
        await command(screen, "texts_show", second.pk)
        await screen.until("zzrating1")
    shown = {path: numbers((await ask(path, **own)).text) for path in paths[1:]}
    assert {each for found in shown.values() for each in found} == {"0", "1"}


def lists(evening: Evening) -> list[str]:
    """Return the pages that are open while texts arrive."""
    first = evening.rows[0]
    return [
        f"/stages/{evening.session.stage_id}",
        f"/participants/{first.participant_id}?open={first.pk}",
        f"/participants/{first.participant_id}?tab=ratings",
        f"/sessions/{evening.session.pk}",
        "/community",
        "/search?q=findme",
        f"/community?post={evening.posts[0].pk}",
    ]


def write(evening: Evening) -> None:
    """Write one more text of each kind about the first performance, as others do while pages are open."""
    first = evening.rows[0]
    performer_set(actor=OPERATOR, appearance_id=first.pk)
    other = viewer_of(UserFactory())
    comment_add(actor=other, session_id=evening.session.pk, content="zzlive0")
    post_add(actor=other, content="zzlive0 findme", about=first.pk)
    post_comment_add(actor=other, post_id=evening.posts[0].pk, content="zzlive0 again")
    rating = PerformanceRatingFactory(appearance=first, comment="zzlive0", approved=True)
    with atomic():
        ratings_announce((rating.user_id,), (first.pk,), public=True, waiting=False)


async def test_live_texts_change_the_number_in_the_line_only() -> None:
    evening = await in_thread(lambda: Evening(only_posts=True))
    async with AsyncExitStack() as windows:
        screens = {
            path: await windows.enter_async_context(opened(path, user=evening.member)) for path in lists(evening)[:-1]
        }
        before = {path: sum(counts(screen)) for path, screen in screens.items()}
        await in_thread(lambda: write(evening))
        for path, screen in screens.items():
            await screen._until(lambda path=path, screen=screen: sum(counts(screen)) > before[path], path)
            await screen.go_online()
            assert numbers(screen.received()) == set(), path


async def test_comments_that_a_window_opens_are_covered() -> None:
    evening = await in_thread(lambda: Evening(older=32))
    mine = await in_thread(lambda: post_add(actor=evening.viewer, content="mine alone", about=evening.rows[0].pk))
    async with opened(f"/sessions/{evening.session.pk}", user=evening.member) as screen:
        lines = len(counts(screen))
        screen.act("comments_older", "")
        await screen._until(lambda: len(counts(screen)) > lines, "no older comments")
        await in_thread(lambda: write(evening))
        await screen._until(lambda: sum(counts(screen)) == 35, "no new comment")  # the whole evening's
        assert numbers(screen.received()) == set()
    async with opened("/community", user=evening.member) as screen:
        assert "mine alone" in screen.text
        for post in (evening.posts[0], mine):  # the button of the first is not on the page
            screen.act("comments_toggle", str(post.pk))
        await screen.until("Nobody has said anything yet.")
        await in_thread(lambda: post_comment_add(actor=viewer_of(UserFactory()), post_id=mine.pk, content="zzlive0"))
        await screen._until(lambda: len(counts(screen)) == 3, "no line in the panel")
        assert numbers(screen.received()) == set()
        await command(screen, "texts_show", evening.rows[0].pk)
        await screen.until("zzlive0")


def counts(screen: Recorded) -> list[int]:
    """Return the numbers of covered texts on the page."""
    words = screen.text.split(" text")
    return [int(each.split()[-1]) for each in words[:-1] if each.split() and each.split()[-1].isdigit()]


async def test_own_texts_are_shown_as_soon_as_they_are_written() -> None:
    evening = await in_thread(Evening)
    first = evening.rows[0]
    async with opened(f"/sessions/{evening.session.pk}", user=evening.member) as screen:
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=first.pk))
        await command(screen, "comment_add", evening.session.pk, content="mine alone")
        await screen.until("mine alone")
        assert numbers(screen.received()) == set()


async def test_choice_applies_to_open_windows() -> None:
    evening = await in_thread(Evening)
    async with opened("/community", user=evening.member) as screen:
        assert "1 text about this performance." in screen.text
        await command(screen, "covers_texts_set", "off")
        await screen._until(lambda: screen.closed == RESTART, "the window keeps its rights")
        await screen.go_online()
        await screen.until("zzpost0")


def test_members_without_the_choice_cause_no_query_and_others_two() -> None:
    evening = Evening()
    for number in range(12):
        post_add(actor=viewer_of(UserFactory()), content=f"more {number}", about=evening.rows[0].pk)
    page = community_load(PageRequest())
    refs = tuple(page.parts.values())
    assert queries(viewer_of(UserFactory()), refs) == 0
    assert queries(evening.viewer, refs) == 2


def queries(viewer: Viewer, refs: tuple[Any, ...]) -> int:
    with CaptureQueriesContext(connection) as captured:
        texts_fills(viewer=viewer, refs=refs, within=())
    return len(captured)
