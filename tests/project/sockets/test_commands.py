"""Commands over a socket, from the frame to the answer."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from django.db.models.functions import Now

from apps.core.buckets import Rate
from apps.core.commands import LIFETIME
from apps.core.models import CommandAnswer
from apps.core.threads import in_thread
from project.limits.rates import COMMANDS, COMMANDS_ACCOUNT
from tests.commanding import answered, answers, command
from tests.e2e import content
from tests.factories import AdminFactory, UserFactory
from tests.notes import FAILURES, Book, notes_route
from tests.project.conftest import Table
from tests.screen import open_page
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
AGAIN = "Please try again in a moment."


@pytest.fixture
def book(table: Table) -> Book:
    """Serve two pages of notes, and return their service, which records its actors."""
    made = Book()
    table(notes_route(made), notes_route(made, "/elsewhere"))
    return made


async def notes(book: Book) -> list[str]:
    """Return the stored notes."""
    return await in_thread(book.notes)


async def fan() -> Any:
    """Return a new user."""
    return await in_thread(UserFactory)


async def test_what_was_done_is_answered_after_it_is_stored(book: Book) -> None:
    user = await fan()
    async with open_page("/", user=user) as screen:
        answer = await command(screen, "note_add", 7, text=" Bravo ")
        assert answer == {"type": "answer", "key": answer["key"], "ok": True, "text": "Kept: 7: Bravo", "empty": True}
        await screen.press("Stamp")
        await screen._until(lambda: len(answers(screen)) == 2, "no answer")
    assert await notes(book) == ["7: Bravo", "7: quick"]
    assert [actor.id for actor in book.actors] == [user.id, user.id]


async def test_the_same_key_again_is_the_first_answer_and_nothing_more(book: Book) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        first = await command(screen, "note_add", 7, key=key, text="once")
        assert await command(screen, "note_add", 7, key=key, text="another") == first
        await screen.go_online()
        assert await command(screen, "note_add", 7, key=key, text="once") == first
    assert await notes(book) == ["7: once"]


async def test_two_windows_with_one_key_at_once_are_one(book: Book) -> None:
    user, key = await fan(), uuid4().hex
    book.held = True
    async with open_page("/", user=user) as one, open_page("/", user=user) as other:
        both = [asyncio.create_task(command(screen, "note_add", 7, key=key, text="once")) for screen in (one, other)]
        await asyncio.to_thread(book.entered.acquire)
        book.door.set()
        first, second = await asyncio.gather(*both)
    assert first == second
    assert await notes(book) == ["7: once"]


async def test_a_refusal_stores_nothing_and_names_the_field(book: Book) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        answer = await command(screen, "note_add", 7, key=key, text="")
        assert (answer["ok"], answer["text"], answer["field"]) == (False, "Please write something.", "text")
        answer = await command(screen, "note_add", 7, text="twenty-one characters")
        assert (answer["text"], answer["field"]) == ("Please write at most 20 characters.", "text")
        assert not await in_thread(CommandAnswer.objects.exists)
        assert (await command(screen, "note_add", 7, key=key, text="better"))["ok"]
    assert await notes(book) == ["7: better"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("forbidden", "Only administrators leave such notes."),
        ("gone", "This is no longer there."),
        ("two", "Too plain. Too late."),
        ("away", AGAIN),
        ("limit", "Too many attempts. Please try again later. You can try again in 1 min."),
    ],
)
async def test_every_failure_has_its_sentence_and_leaves_nothing(book: Book, kind: str, text: str) -> None:
    async with open_page("/", user=await fan()) as screen:
        book.failing.append(kind)
        key = uuid4().hex
        answer = await command(screen, "note_add", 7, key=key, text="half")
        assert (answer["ok"], answer["text"], answer.get("again", False)) == (False, text, kind in {"away", "limit"})
        assert await notes(book) == []
        assert (await command(screen, "note_add", 7, key=key, text="half"))["ok"]


async def test_a_fault_of_ours_has_a_number_that_the_log_has_too(book: Book, caplog: pytest.LogCaptureFixture) -> None:
    async with open_page("/", user=await fan()) as screen:
        book.failing.append("fault")
        answer = await command(screen, "note_add", 7, text="half")
    assert answer["text"].startswith("Something went wrong.")
    assert str(FAILURES["fault"]) not in answer["text"]
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert record.getMessage().startswith("note_add failed")
    assert record.getMessage().split()[-1].rstrip(")") in answer["text"]


@pytest.fixture
def away(transactional_db: None) -> Callable[[], AbstractContextManager[None]]:
    """Return a context manager during which the database refuses every connection but the test's own."""
    connection.ensure_connection()
    mine, name = connection.connection.info.backend_pid, connection.settings_dict["NAME"]

    @contextmanager
    def taken() -> Iterator[None]:
        with psycopg.connect(content.address("postgres"), autocommit=True) as server:
            server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            try:
                end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
                server.execute(end, [name, mine])
                yield
            finally:
                server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')

    return taken


async def test_while_the_database_is_away_it_is_said_and_the_same_key_may_ask_again(
    book: Book, away: Callable[[], AbstractContextManager[None]]
) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        with away():
            answer = await command(screen, "note_add", 7, key=key, text="Bravo")
        assert (answer["ok"], answer["text"], answer["again"]) == (False, AGAIN, True)
        while not (await command(screen, "note_add", 7, key=key, text="Bravo"))["ok"]:
            pass  # the pool discovers its dead connections one at a time
    assert await notes(book) == ["7: Bravo"]


async def test_old_answers_are_forgotten_by_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.process.web_process.PRUNING", 0.01)
    user = await fan()
    await in_thread(
        lambda: CommandAnswer.objects.create(
            user=user, key=uuid4(), name="n", answer={}, created_at=Now() - 2 * LIFETIME
        )
    )
    async with serving(), asyncio.timeout(20):
        while await in_thread(CommandAnswer.objects.exists):
            pass


async def test_a_stranger_is_led_to_the_door_and_back(book: Book) -> None:
    async with open_page("/elsewhere?tab=notes") as screen:
        answer = await command(screen, "note_add", 7, text="Bravo")
    assert (answer["ok"], answer["leave"]) == (False, "/login?next=%2Felsewhere%3Ftab%3Dnotes")
    assert book.actors == []


async def test_an_account_that_is_gone_acts_no_more(book: Book) -> None:
    """Its open windows need not have received the change."""
    user = await fan()
    async with open_page("/", user=user) as screen:
        user.is_active = False
        await in_thread(user.save)
        assert (await command(screen, "note_add", 7, text="Bravo"))["leave"] == "/login?next=%2F"
    assert book.actors == []


async def test_what_a_page_that_was_left_began_is_answered_all_the_same(book: Book) -> None:
    book.held = True
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        doing = asyncio.create_task(command(screen, "note_add", 7, key=key, text="Bravo"))
        await asyncio.to_thread(book.entered.acquire)
        await screen.go("/elsewhere")
        book.door.set()
        assert (await doing)["ok"]


async def test_acts_of_one_window_follow_each_other(book: Book) -> None:
    book.held = True
    async with open_page("/", user=await fan()) as screen:
        doing = [asyncio.create_task(command(screen, "note_add", 7, text=text)) for text in "abc"]
        await asyncio.to_thread(book.entered.acquire)
        doing.append(asyncio.create_task(command(screen, "stamp", "7:slow")))
        book.door.set()
        await asyncio.gather(*doing)
    assert await notes(book) == ["7: a", "7: b", "7: c", "7: slow"]


async def test_too_many_are_refused_with_a_sentence_and_may_come_again(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "project.sockets.page_socket.COMMANDS", Rate(COMMANDS.burst, 0)
    )  # the limit never refills, however slow the test is
    async with open_page("/", user=await fan()) as screen:
        keys = [uuid4().hex for _ in range(int(COMMANDS.burst) + 1)]
        for key in keys:
            screen.command("note_add", argument="7", fields={"text": "x"}, key=key)
        for key in keys:
            await answered(screen, key)
        (refused,) = [each for each in answers(screen) if not each["ok"]]
        assert refused["again"]
        assert refused["text"] == "That was a little fast. Please try again in a moment."
    assert len(await notes(book)) == COMMANDS.burst


async def test_administrators_decide_as_quickly_as_they_type(book: Book) -> None:
    async with open_page("/", user=await in_thread(AdminFactory)) as screen:
        answered_all = await asyncio.gather(
            *(command(screen, "note_add", 7, text="x") for _ in range(2 * int(COMMANDS_ACCOUNT.burst)))
        )
    assert all(each["ok"] for each in answered_all)


GOOD = {"name": "note_add", "argument": "7", "fields": {"text": "x"}, "key": "0" * 32}


@pytest.mark.parametrize(
    "changed",
    [
        {"name": None},
        {"name": ["note_add"]},
        {"name": "note_burn"},
        {"name": "__class__"},
        {"key": None},
        {"key": "no key"},
        {"key": ["0" * 32]},
        {"key": "0" * 5000},
        {"argument": None},
        {"argument": 7},
        {"fields": None},
        {"fields": []},
        {"fields": "text"},
    ],
)
async def test_what_no_client_of_ours_sends_does_nothing_and_is_told_so(book: Book, changed: dict[str, Any]) -> None:
    async with open_page("/", user=await fan()) as screen:
        screen.command(**GOOD | changed)
        assert (await command(screen, "note_add", 7, text="after"))["ok"]
        refusal, _ = [each for each in screen.frames if each["type"] in ("answer", "notice")]
        assert "no longer understand" in refusal["text"]
        assert (refusal.get("key"), refusal.get("ok")) == (("0" * 32, False) if "key" not in changed else (None, None))
    assert await notes(book) == ["7: after"]


async def test_a_field_that_is_no_text_is_refused(book: Book) -> None:
    async with open_page("/", user=await fan()) as screen:
        for strange in ({"name": "a.exe"}, ["a", "b"], 5):
            assert "no longer understand" in (await command(screen, "note_add", 7, text=strange))["text"]
        assert "cannot be stored" in (await command(screen, "note_add", 7, text="a\0b"))["text"]
        assert "no longer understand" in (await command(screen, "note_add", "7; DROP TABLE", text="x"))["text"]
    assert await notes(book) == []


async def test_answers_hold_nothing_but_what_is_said(book: Book) -> None:
    async with open_page("/", user=await fan()) as screen:
        answer = await command(screen, "note_add", 7, text="Bravo")
        assert set(answer) == {"type", "key", "ok", "text", "empty"}
        assert "listener" not in json.dumps(answers(screen))


async def test_the_page_knows_whose_drafts_it_keeps(book: Book) -> None:
    user = await fan()
    async with open_page("/", user=user) as screen, open_page("/") as stranger:
        assert f' data-account="{user.pk}"' in screen.html
        assert "data-account" not in stranger.html
