"""Comments on a session's page: rows, older pages, live updates on open pages, and coalesced reads."""

import asyncio
import json
import random

import pytest
from django.db import transaction

from apps.core.events import publish
from apps.core.threads import in_thread
from apps.live import selectors
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from apps.live.services import comment_delete
from components.pages.public.session import comments
from components.parts.comments import EVERY, session_comments
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.tree import difference
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.seen import attributes, every, one, read_part, text, walk
from tests.factories import AdminFactory, SessionFactory, viewer_of
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


def part(session):
    return read_part(session_comments, session.pk)


@pytest.fixture
def session(db):
    return SessionFactory()


@pytest.fixture
def fan(db):
    return member(username="una_corda")


def test_comments_are_shown_newest_first_with_author_and_time(session, fan):
    assert text(part(session)) == "Nobody has said anything yet."
    comments_insert(session, fan, "First", "Second\nand a line")
    rows = every(part(session), "li", "says")
    assert [text(one(row, "p", "says__text")) for row in rows] == ["Second\nand a line", "First"]
    assert text(one(rows[0], "strong")) == "una_corda"
    assert attributes(one(rows[0], "time"))["data-when"] == "ago"
    assert text(one(rows[0], "span", "disc")) == "U"


def test_new_or_deleted_comment_is_one_row_on_the_wire(session, fan):
    stored = numbered(session, fan, 5)
    before = part(session)
    comments_insert(session, fan, "One more")
    [[change]] = difference(before, after := part(session))
    [[[like, row], others]] = change["0"][0]["1"]
    assert (like, others) == (0, [0, 5])
    assert len(encode(row)) < len(encode(one(after, "ol")["children"][0])) / 2, "it repeats only what differs"
    SessionComment.objects.filter(pk=stored[2]).delete()
    assert difference(after, part(session)) == [[{"0": [{"1": [[[0, 3], [4, 6]]]}]}]]


def test_delete_button_is_for_the_author_and_asks_first(session, fan):
    [pk] = comments_insert(session, fan, "The left hand in the nocturne never once leaned on the beat.")
    button = one(part(session), "button", "says__delete")
    data = attributes(button)
    assert (data["data-slot"], data["hidden"]) == (f"author:{fan.id}", True)
    assert (data["data-command"], data["data-argument"]) == ("comment_delete", str(pk))
    assert data["data-confirm"] == "Delete the comment “The left hand in the nocturne never onc…”?"


def test_page_shows_thirty_comments_with_three_queries(session, fan, django_assert_num_queries):
    numbered(session, fan, 30)
    assert not every(part(session), "button", "button")
    numbered(session, fan, 200, start=30)
    with django_assert_num_queries(3):
        shown = part(session)
    assert len(every(shown, "li")) == 30
    assert text(one(shown, "button", "button")) == "Show older comments"


@live
async def test_comment_and_its_deletion_reach_every_screen():
    session, fan, admin = await in_thread(lambda: (SessionFactory(), member(), viewer_of(AdminFactory())))
    address = f"/sessions/{session.pk}"
    async with (
        open_page(address, user=fan) as own,
        open_page(address) as anonymous,
        open_page(address, user=admin) as admin_page,
    ):
        assert "Comments 0" in anonymous.text
        answer = await command(own, "comment_add", session.pk, content="  Did anyone else stop writing?  ")
        assert (answer["ok"], answer["text"]) == (True, "Comment added successfully")
        for screen in (own, anonymous, admin_page):
            await screen.until("Did anyone else stop writing?")
            await screen.until("Comments 1")  # the count is a separate part
        [pk] = await in_thread(lambda: list(SessionComment.objects.values_list("pk", flat=True)))
        answer = await command(own, "comment_delete", pk)
        assert (answer["ok"], answer["text"]) == (True, "Comment deleted successfully")
        for screen in (own, anonymous, admin_page):
            await screen.until_gone("Did anyone else stop writing?")
        await command(own, "comment_add", session.pk, content="Once more, with feeling")
        await admin_page.until("Once more, with feeling")
        last = await in_thread(lambda: SessionComment.objects.get().pk)
        assert (await command(admin_page, "comment_delete", last))["ok"]
        await anonymous.until("Nobody has said anything yet.")


@live
async def test_anonymous_visitors_get_a_sign_in_link_instead_of_a_form():
    session = await in_thread(SessionFactory)
    sign_in = f"/login?next=%2Fsessions%2F{session.pk}%23comments"
    async with open_page(f"/sessions/{session.pk}") as screen:
        assert not screen.button("Comment")
        assert not every(screen.tree, "textarea", id="say")
        assert screen.link("Sign in to comment")["attributes"]["href"] == sign_in
        assert "comment_add" not in json.dumps([node for node in walk(screen.model) if "eventHandlers" in node])


@live
async def test_list_and_count_of_many_new_comments_share_a_read(monkeypatch):
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    loop, reads = asyncio.get_running_loop(), []
    session_comments_read = selectors.session_comments
    monkeypatch.setattr(
        selectors, "session_comments", lambda **given: reads.append(1) or session_comments_read(**given)
    )

    def insert_one_by_one():
        for number in range(60):  # one event each, as from sixty users
            numbered(session, fan, 1, start=number)
            comments_notify(session)

    async with open_page(f"/sessions/{session.pk}") as screen:
        reads.clear()
        begun = loop.time()
        await in_thread(insert_one_by_one)
        await screen.until("Comment 00059")
        await screen.until("Comments 60")
        at_most = (loop.time() - begun) / EVERY + 2
        assert 1 <= len(reads) <= 2 * at_most


def comments_insert(session, author, *contents):
    """Insert comments directly, without rate limits, oldest first. Return their ids."""
    rows = [SessionComment(session_id=session.pk, user_id=author.id, content=content) for content in contents]
    return [row.pk for row in SessionComment.objects.bulk_create(rows)]


def numbered(session, author, count, start=0):
    """Insert comments with the numbers from `start` on. Return their ids."""
    return comments_insert(session, author, *(f"Comment {n:05d}" for n in range(start, start + count)))


@transaction.atomic
def comments_notify(session):
    """Publish `CommentsChanged`, which directly inserted rows do not publish."""
    publish(CommentsChanged(session_ids=(session.pk,)))


def shown(screen):
    """Return the numbers of the shown comments, from the top."""
    return [int(text(node).removeprefix("Comment ")) for node in every(screen.tree, "p", "says__text")]


LOST = "a comment is lost or shown twice"


async def open_older(reader, *texts):
    """Open one more page of comments for each of these texts, and wait until the page shows it."""
    for words in texts:
        reader.act("comments_older", "")
        await reader.until(words)


@live
async def test_older_comments_open_page_by_page_and_stay_current():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    stored = await in_thread(lambda: numbered(session, fan, 75))
    async with open_page(f"/sessions/{session.pk}") as reader, open_page(f"/sessions/{session.pk}", user=fan) as own:
        assert shown(reader) == list(range(74, 44, -1))
        await open_older(reader, "Comment 00015")
        assert shown(reader) == list(range(74, 14, -1))
        await open_older(reader, "Comment 00000")
        assert shown(reader) == list(range(74, -1, -1))
        # A comment that leaves the newest page stays on the screen of a user who has opened older ones.
        before = len(reader.frames)
        assert (await command(own, "comment_add", session.pk, content="Comment 00075"))["ok"]
        await reader.until("Comment 00075")
        await reader._until(lambda: shown(reader) == list(range(75, -1, -1)), LOST)
        sent = [json.dumps(frame) for frame in reader.frames[before:] if frame["type"] == "layout-update"]
        assert [update for update in sent if "Comment 00045" in update]
        assert not [update for update in sent if "Comment 00020" in update or "Comment 00005" in update]
        # A deleted old comment is removed.
        assert (await command(own, "comment_delete", stored[3]))["ok"]
        await reader.until_gone("Comment 00003")
        assert shown(own) == list(range(75, 45, -1))  # the other page shows the newest comments only


@live
async def test_random_changes_leave_every_comment_shown_once():
    session, fan, admin = await in_thread(lambda: (SessionFactory(), member(), viewer_of(AdminFactory())))
    ids = dict(enumerate(await in_thread(lambda: numbered(session, fan, 40))))
    chance = random.Random(7)  # noqa: S311 - the same walk each time
    async with open_page(f"/sessions/{session.pk}") as reader:
        await open_older(reader, "Comment 00000")
        for number in range(40, 640, 50):
            if chance.random() < 0.6:  # delete one, most often of the newest
                deleted = ids.pop(sorted(ids)[-chance.randint(1, 35)])
                await in_thread(lambda pk=deleted: comment_delete(actor=admin, comment_id=pk))
            else:
                count = chance.choice([1, 35])  # more at once than the newest page has
                new = await in_thread(lambda n=number, count=count: numbered(session, fan, count, start=n))
                ids |= dict(enumerate(new, start=number))
                await in_thread(lambda: comments_notify(session))
            numbers = sorted(ids, reverse=True)
            await reader._until(lambda numbers=numbers: shown(reader) == numbers, LOST)


@live
async def test_viewer_opens_a_limited_number_of_pages(monkeypatch):
    monkeypatch.setattr(comments, "PAGES", 2)
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 130))
    async with open_page(f"/sessions/{session.pk}") as reader:
        await open_older(reader, "Comment 00070", "Comments older than these are not shown.")
        reader.act("comments_older", "")  # beyond the limit: the page no longer shows the button
        assert shown(reader) == list(range(129, 39, -1))
