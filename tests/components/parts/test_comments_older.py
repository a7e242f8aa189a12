"""Older comments on a session's page: opened page by page, kept current, each shown once."""

import json
import random

import pytest

from apps.core.threads import in_thread
from apps.live.services import comment_delete
from components.pages.public.session import comments
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.parts.commenting import numbered, said, shown, told
from tests.factories import AdminFactory, SessionFactory, viewer_of
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


async def everything_opened(reader, *wanted):
    """Open one more page of comments for each of these texts, and wait until the page shows it."""
    for words in wanted:
        reader.act("comments_older", "")
        await reader.until(words)


@live
async def test_older_comments_page_by_page_and_current():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    stored = await in_thread(lambda: numbered(session, fan, 75))
    async with open_page(f"/sessions/{session.pk}") as reader, open_page(f"/sessions/{session.pk}", user=fan) as own:
        assert shown(reader) == list(range(74, 44, -1))
        reader.act("comments_older", "")
        await reader.until("Comment 00015")
        assert shown(reader) == list(range(74, 14, -1))
        reader.act("comments_older", "")
        await reader.until("Comment 00000")
        assert shown(reader) == list(range(74, -1, -1))
        # A comment that leaves the newest page stays on the screen of a user who has opened older ones.
        assert (await command(own, "comment_add", session.pk, content="Comment 00075"))["ok"]
        await reader.until("Comment 00075")
        await reader._until(lambda: shown(reader) == list(range(75, -1, -1)), "a comment is lost or twice there")
        # A deleted old comment is removed.
        assert (await command(own, "comment_delete", stored[3]))["ok"]
        await reader.until_gone("Comment 00003")
        assert shown(own) == list(range(75, 45, -1))  # the other page shows the newest comments only


@live
@pytest.mark.long
async def test_whatever_comes_and_goes_every_comment_stands_there_once():
    session, fan, admin = await in_thread(lambda: (SessionFactory(), member(), viewer_of(AdminFactory())))
    there = dict(enumerate(await in_thread(lambda: numbered(session, fan, 70))))
    chance = random.Random(7)  # noqa: S311 - the same walk each time
    async with open_page(f"/sessions/{session.pk}") as reader:
        await everything_opened(reader, "Comment 00010", "Comment 00000")
        for number in range(70, 110):
            if chance.random() < 0.6:  # delete one, most often of the newest
                gone = there.pop(sorted(there)[-chance.randint(1, 35)])
                await in_thread(lambda pk=gone: comment_delete(actor=admin, comment_id=pk))
            else:
                [there[number]] = await in_thread(lambda n=number: said(session, fan, f"Comment {n:05d}"))
                await in_thread(lambda: told(session))
            wanted = sorted(there, reverse=True)
            await reader._until(lambda wanted=wanted: shown(reader) == wanted, "a comment is lost or twice there")


@live
async def test_a_page_in_which_nothing_happened_is_not_sent_again():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 70))
    async with open_page(f"/sessions/{session.pk}") as reader, open_page(f"/sessions/{session.pk}", user=fan) as own:
        await everything_opened(reader, "Comment 00010", "Comment 00000")
        before = len(reader.frames)
        assert (await command(own, "comment_add", session.pk, content="Comment 00070"))["ok"]
        await reader._until(lambda: shown(reader) == list(range(70, -1, -1)), "a comment is lost or twice there")
        sent = [json.dumps(frame) for frame in reader.frames[before:] if frame["type"] == "layout-update"]
        assert [text for text in sent if "Comment 00040" in text]  # it has left the newest page
        assert not [text for text in sent if "Comment 00020" in text or "Comment 00005" in text]


@live
async def test_a_page_that_left_the_newest_is_folded_and_nothing_is_lost():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 40))
    async with open_page(f"/sessions/{session.pk}") as reader, open_page(f"/sessions/{session.pk}", user=fan) as own:
        reader.act("comments_older", "")
        await reader.until("Comment 00000")
        await in_thread(lambda: said(session, fan, *(f"Comment {n:05d}" for n in range(40, 75))))
        assert (await command(own, "comment_add", session.pk, content="Comment 00075"))["ok"]
        everything = list(range(75, -1, -1))
        await reader._until(lambda: shown(reader) == everything, "a comment is lost or twice there")
        await in_thread(lambda: said(session, fan, "Comment 00076"))
        assert (await command(own, "comment_add", session.pk, content="Comment 00077"))["ok"]
        await reader._until(lambda: shown(reader) == [77, 76, *everything], "a comment is lost or twice there")


@live
async def test_one_viewer_opens_so_many_pages_and_no_more(monkeypatch):
    monkeypatch.setattr(comments, "PAGES", 2)
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 130))
    async with open_page(f"/sessions/{session.pk}") as reader:
        await everything_opened(reader, "Comment 00070", "Comments older than these are not shown.")
        reader.act("comments_older", "")  # beyond the limit: the page no longer shows the button
        assert shown(reader) == list(range(129, 39, -1))
