"""Older comments on a session's page: opened page by page, kept current, each shown once."""

import json
import random

import pytest

from apps.core.threads import in_thread
from apps.live.services import comment_delete
from components.pages.public.session import comments
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.parts.commenting import comments_notify, numbered, shown
from tests.factories import AdminFactory, SessionFactory, viewer_of
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


LOST = "a comment is lost or shown twice"


async def open_older(reader, *texts):
    """Open one more page of comments for each of these texts, and wait until the page shows it."""
    for text in texts:
        reader.act("comments_older", "")
        await reader.until(text)


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
@pytest.mark.long(reason="makes random changes on several open pages")
async def test_random_changes_leave_every_comment_shown_once():
    session, fan, admin = await in_thread(lambda: (SessionFactory(), member(), viewer_of(AdminFactory())))
    ids = dict(enumerate(await in_thread(lambda: numbered(session, fan, 70))))
    chance = random.Random(7)  # noqa: S311 - the same walk each time
    async with open_page(f"/sessions/{session.pk}") as reader:
        await open_older(reader, "Comment 00010", "Comment 00000")
        for number in range(70, 95):
            if chance.random() < 0.6:  # delete one, most often of the newest
                deleted = ids.pop(sorted(ids)[-chance.randint(1, 35)])
                await in_thread(lambda pk=deleted: comment_delete(actor=admin, comment_id=pk))
            else:
                [ids[number]] = await in_thread(lambda n=number: numbered(session, fan, 1, start=n))
                await in_thread(lambda: comments_notify(session))
            numbers = sorted(ids, reverse=True)
            await reader._until(lambda numbers=numbers: shown(reader) == numbers, LOST)


@live
async def test_many_new_comments_are_shown_without_gaps():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 40))
    async with open_page(f"/sessions/{session.pk}") as reader, open_page(f"/sessions/{session.pk}", user=fan) as own:
        await open_older(reader, "Comment 00000")
        await in_thread(lambda: numbered(session, fan, 35, start=40))
        assert (await command(own, "comment_add", session.pk, content="Comment 00075"))["ok"]
        numbers = list(range(75, -1, -1))
        await reader._until(lambda: shown(reader) == numbers, LOST)
        await in_thread(lambda: numbered(session, fan, 1, start=76))
        assert (await command(own, "comment_add", session.pk, content="Comment 00077"))["ok"]
        await reader._until(lambda: shown(reader) == [77, 76, *numbers], LOST)


@live
async def test_viewer_opens_a_limited_number_of_pages(monkeypatch):
    monkeypatch.setattr(comments, "PAGES", 2)
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    await in_thread(lambda: numbered(session, fan, 130))
    async with open_page(f"/sessions/{session.pk}") as reader:
        await open_older(reader, "Comment 00070", "Comments older than these are not shown.")
        reader.act("comments_older", "")  # beyond the limit: the page no longer shows the button
        assert shown(reader) == list(range(129, 39, -1))
