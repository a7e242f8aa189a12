"""Comments on a session's page: rows, live updates on two open pages, refusals, and coalesced reads."""

import asyncio
import json

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.live import selectors
from apps.live.limits import MEMBER
from apps.live.models import SessionComment
from apps.live.services import comment_add
from components.parts.comments import EVERY, session_comments
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.tree import difference
from tests.apps.live.conftest import LONG_AGO, member
from tests.commanding import command
from tests.components.parts.commenting import numbered, said, shown, told
from tests.components.seen import attributes, every, one, text, tree, walk
from tests.factories import AdminFactory, SessionFactory, viewer_of
from tests.rate_limits import spend
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


def part(session):
    return tree(session_comments.markup(session.pk, language="en"))


@pytest.fixture
def appearance(db):
    """Return a session, a user who may comment, and an administrator."""
    session = SessionFactory()
    admin = AdminFactory()
    User.objects.filter(pk=admin.pk).update(created_at=timezone.now() - LONG_AGO)
    return session, member(username="una_corda"), viewer_of(admin)


def test_newest_first_with_author_and_time(appearance):
    session, fan, _ = appearance
    said(session, fan, "First", "Second\nand a line")
    rows = every(part(session), "li", "says")
    assert [text(one(row, "p", "says__text")) for row in rows] == ["Second\nand a line", "First"]
    assert text(one(rows[0], "strong")) == "una_corda"
    assert attributes(one(rows[0], "time"))["data-when"] == "ago"
    assert text(one(rows[0], "span", "disc")) == "U"


def test_a_comment_more_or_less_is_one_row_on_the_wire(appearance):
    session, fan, _ = appearance
    stored = numbered(session, fan, 5)
    before = part(session)
    said(session, fan, "One more")
    [[change]] = difference(before, after := part(session))
    [[[like, made], others]] = change["0"][0]["1"]
    assert (like, others) == (0, [0, 5])
    assert len(encode(made)) < len(encode(one(after, "ol")["children"][0])) / 2, "it repeats only what differs"
    SessionComment.objects.filter(pk=stored[2]).delete()
    assert difference(after, part(session)) == [[{"0": [{"1": [[[0, 3], [4, 6]]]}]}]]


def test_every_row_has_a_delete_button_that_names_its_author_and_asks_first(appearance):
    session, fan, _ = appearance
    [pk] = said(session, fan, "The left hand in the nocturne never once leaned on the beat.")
    button = one(part(session), "button", "says__delete")
    given = attributes(button)
    assert (given["data-slot"], given["hidden"]) == (f"author:{fan.id}", True)
    assert (given["data-command"], given["data-argument"]) == ("comment_delete", str(pk))
    assert given["data-confirm"] == "Delete the comment “The left hand in the nocturne never onc…”?"


@pytest.mark.long
def test_ten_thousand_comments_are_thirty_rows(appearance, django_assert_num_queries):
    session, fan, _ = appearance
    numbered(session, fan, 10_000)
    with django_assert_num_queries(3):
        shown = part(session)
    assert len(every(shown, "li")) == 30
    assert text(one(shown, "button", "button")) == "Show older comments"


def test_thirty_comments_have_no_older_ones(appearance):
    session, fan, _ = appearance
    numbered(session, fan, 30)
    assert not every(part(session), "button", "button")


def test_nobody_has_said_anything(appearance):
    assert text(part(appearance[0])) == "Nobody has said anything yet."


@live
async def test_a_comment_reaches_everybody_and_its_deletion_too():
    session, fan, admin = await in_thread(lambda: (SessionFactory(), member(), viewer_of(AdminFactory())))
    address = f"/sessions/{session.pk}"
    async with (
        open_page(address, user=fan) as own,
        open_page(address) as stranger,
        open_page(address, user=admin) as boss,
    ):
        assert "Comments 0" in stranger.text
        answer = await command(own, "comment_add", session.pk, content="  Did anyone else stop writing?  ")
        assert (answer["ok"], answer["text"]) == (True, "Comment added successfully")
        for screen in (own, stranger, boss):
            await screen.until("Did anyone else stop writing?")
            await screen.until("Comments 1")  # the count is a separate part
        [pk] = await in_thread(lambda: list(SessionComment.objects.values_list("pk", flat=True)))
        answer = await command(own, "comment_delete", pk)
        assert (answer["ok"], answer["text"]) == (True, "Comment deleted successfully")
        for screen in (own, stranger, boss):
            await screen.until_gone("Did anyone else stop writing?")
        await command(own, "comment_add", session.pk, content="Once more, with feeling")
        await boss.until("Once more, with feeling")
        last = await in_thread(lambda: SessionComment.objects.get().pk)
        assert (await command(boss, "comment_delete", last))["ok"]
        await stranger.until("Nobody has said anything yet.")


@live
async def test_a_repeated_message_is_one_comment():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    async with open_page(f"/sessions/{session.pk}", user=fan) as screen:
        key = "5f0c7a52b8a24be8a6d5a0c3d9b1e4f7"
        for _ in range(3):
            assert (await command(screen, "comment_add", session.pk, key=key, content="Bravo"))["ok"]
    assert await in_thread(SessionComment.objects.count) == 1


@live
async def test_refusals_are_sentences_and_store_nothing():
    session, fan, other = await in_thread(lambda: (SessionFactory(), member(), member()))
    pk = (await in_thread(lambda: comment_add(actor=other, session_id=session.pk, content="Mine"))).pk
    async with open_page(f"/sessions/{session.pk}", user=fan) as screen:
        for name, argument, fields, sentence in (
            ("comment_add", session.pk, {"content": "   "}, "Please write something first."),
            ("comment_add", session.pk, {"content": "x" * 501}, "Please write at most 500 characters."),
            ("comment_delete", pk, {}, "You can delete your own comments only."),
        ):
            answer = await command(screen, name, argument, **fields)
            assert (answer["ok"], answer["text"]) == (False, sentence)
        assert (await command(screen, "comment_add", session.pk, content="one"))["ok"]
        await in_thread(lambda: spend(MEMBER, account_id=fan.id))
        answer = await command(screen, "comment_add", session.pk, content="two")
        assert answer["text"] == "That was a little fast. Please wait a few seconds before your next comment."
    assert await in_thread(SessionComment.objects.count) == 2


@live
async def test_visitors_are_asked_in_instead_of_a_composer():
    session = await in_thread(SessionFactory)
    way_in = f"/login?next=%2Fsessions%2F{session.pk}%23comments"
    async with open_page(f"/sessions/{session.pk}") as screen:
        assert not screen.button("Comment")
        assert not every(screen.tree, "textarea", id="say")
        assert screen.link("Sign in to comment")["attributes"]["href"] == way_in
        assert "comment_add" not in json.dumps([node for node in walk(screen.model) if "eventHandlers" in node])


@live
async def test_somebody_whose_session_ended_meanwhile_is_led_to_the_sign_in():
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    async with open_page(f"/sessions/{session.pk}", user=fan) as screen:
        await in_thread(lambda: User.objects.filter(pk=fan.id).update(is_active=False))
        answer = await command(screen, "comment_add", session.pk, content="Bravo")
        assert answer["leave"] == f"/login?next=%2Fsessions%2F{session.pk}"
    assert await in_thread(SessionComment.objects.count) == 0


@live
async def test_a_flood_of_comments_is_few_readings_and_few_pictures(monkeypatch):
    session, fan = await in_thread(lambda: (SessionFactory(), member()))
    ref, loop, readings = session_comments(session.pk, language="en"), asyncio.get_running_loop(), []

    def noted(**arguments):
        readings.append(arguments)
        return comments_read(**arguments)

    comments_read = selectors.session_comments
    monkeypatch.setattr(selectors, "session_comments", noted)

    def flood():
        for number in range(60):  # one event each, as from sixty users
            said(session, fan, f"Comment {number:05d}")
            told(session)

    async with open_page(f"/sessions/{session.pk}") as screen:
        readings.clear()
        begun = loop.time()
        await in_thread(flood)
        await screen._until(lambda: shown(screen)[:1] == [59], "comments are missing")
        await screen.until("Comments 60")
        at_most = (loop.time() - begun) / EVERY + 2
        pictures = [frame for frame in screen.frames if frame["type"] == "part" and frame["key"] == ref.key]
        assert 1 <= len(pictures) <= at_most
        assert 1 <= len(readings) <= 2 * at_most  # list and count share a read after the first pause
