"""Commands over a socket, from the frame to the answer."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core import mail
from django.db import connection
from django.db.models.functions import Now

from apps.accounts.models import Mail
from apps.core.buckets import Rate
from apps.core.commands import LIFETIME, Answer
from apps.core.models import CommandAnswer, ErrorLog
from apps.core.texts import texts
from apps.core.threads import in_thread
from project.limits.rates import COMMANDS, COMMANDS_ACCOUNT
from tests.commanding import answered, answers, command
from tests.e2e import content
from tests.factories import AdminFactory, UserFactory
from tests.notes import FAILURES, Book, notes_route
from tests.project.conftest import Table
from tests.screen import open_page
from tests.serving import serving
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
AGAIN = "Please try again in a moment."


@pytest.fixture
def book(table: Table) -> Book:
    """Serve two pages of notes, and return their service, which records its actors."""
    made = Book()
    table(notes_route(made), notes_route(made, "/other"))
    return made


async def notes(book: Book) -> list[str]:
    return await in_thread(book.notes)


async def fan() -> Any:
    return await in_thread(UserFactory)


async def test_command_is_answered_after_it_is_stored(book: Book) -> None:
    user = await fan()
    async with open_page("/", user=user) as screen:
        answer = await command(screen, "note_add", 7, text=" Bravo ")
        assert answer == {"type": "answer", "key": answer["key"], "ok": True, "text": "Kept: 7: Bravo", "empty": True}
        await screen.press("Stamp")
        await screen._until(lambda: len(answers(screen)) == 2, "no answer")
    assert await notes(book) == ["7: Bravo", "7: quick"]
    assert [actor.id for actor in book.actors] == [user.id, user.id]


async def test_repeated_key_gets_the_first_answer(book: Book) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        first = await command(screen, "note_add", 7, key=key, text="once")
        assert await command(screen, "note_add", 7, key=key, text="another") == first
        await screen.go_online()
        assert await command(screen, "note_add", 7, key=key, text="once") == first
    assert await notes(book) == ["7: once"]


async def test_one_key_in_two_windows_at_once_is_one_command(book: Book) -> None:
    user, key = await fan(), uuid4().hex
    book.held = True
    async with open_page("/", user=user) as one, open_page("/", user=user) as other:
        both = [asyncio.create_task(command(screen, "note_add", 7, key=key, text="once")) for screen in (one, other)]
        await asyncio.to_thread(book.entered.acquire)
        book.door.set()
        first, second = await asyncio.gather(*both)
    assert first == second
    assert await notes(book) == ["7: once"]


async def test_refusal_stores_no_row_and_names_the_field(book: Book) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        answer = await command(screen, "note_add", 7, key=key, text="")
        assert (answer["ok"], answer["text"], answer["field"]) == (False, "Please write something.", "text")
        answer = await command(screen, "note_add", 7, text="twenty-one characters")
        assert (answer["text"], answer["field"]) == ("Please write at most 20 characters.", "text")
        assert not await in_thread(CommandAnswer.objects.exists)
        assert (await command(screen, "note_add", 7, key=key, text="better"))["ok"]
    assert await notes(book) == ["7: better"]


SENTENCES = {
    "forbidden": "Only administrators leave such notes.",
    "gone": "This is no longer there.",
    "two": "Too plain. Too late.",
    "away": AGAIN,
    "limit": "Too many attempts. Please try again later. You can try again in 1 min.",
}


async def test_each_failure_has_its_sentence_and_stores_no_row(book: Book) -> None:
    stored: list[str] = []
    async with open_page("/", user=await fan()) as screen:
        for kind, text in SENTENCES.items():
            book.failing.append(kind)
            key = uuid4().hex
            answer = await command(screen, "note_add", 7, key=key, text="half")
            may_repeat = kind in {"away", "limit"}
            assert (answer["ok"], answer["text"], answer.get("again", False)) == (False, text, may_repeat)
            assert await notes(book) == stored
            assert (await command(screen, "note_add", 7, key=key, text="half"))["ok"]
            stored.append("7: half")


async def test_unexpected_error_has_the_number_of_its_log_entry(book: Book, caplog: pytest.LogCaptureFixture) -> None:
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
    own, name = connection.connection.info.backend_pid, connection.settings_dict["NAME"]

    @contextmanager
    def taken() -> Iterator[None]:
        with psycopg.connect(content.address("postgres"), autocommit=True) as server:
            server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
            try:
                end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
                server.execute(end, [name, own])
                yield
            finally:
                server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')

    return taken


async def test_outage_has_a_sentence_and_the_same_key_may_be_repeated(
    book: Book, away: Callable[[], AbstractContextManager[None]]
) -> None:
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        with away():
            answer = await command(screen, "note_add", 7, key=key, text="Bravo")
        assert (answer["ok"], answer["text"], answer["again"]) == (False, AGAIN, True)

        async def is_done() -> bool:  # the pool discovers its dead connections one at a time
            return bool((await command(screen, "note_add", 7, key=key, text="Bravo"))["ok"])

        await until(is_done, "the command succeeds")
    assert await notes(book) == ["7: Bravo"]


async def test_process_deletes_old_answers_and_sends_the_mails_of_an_ended_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.process.web_process.PRUNING", 0.01)
    await in_thread(lambda: Mail.objects.create(name="password_changed", recipient="fan@example.org", language="en"))
    old = {"user": await fan(), "key": uuid4(), "name": "n", "answer": {}, "created_at": Now() - 2 * LIFETIME}
    await in_thread(lambda: CommandAnswer.objects.create(**old))

    async def is_deleted() -> bool:
        return not await in_thread(CommandAnswer.objects.exists)

    async with serving():
        await until(is_deleted, "the old answer is deleted")
        await until(lambda: bool(mail.outbox), "the mail is sent")


async def test_anonymous_and_inactive_accounts_are_sent_to_sign_in(book: Book) -> None:
    """The open windows of a closed account need not have received the change."""
    async with open_page("/other?tab=notes") as screen:
        answer = await command(screen, "note_add", 7, text="Bravo")
    assert (answer["ok"], answer["leave"]) == (False, "/login?next=%2Fother%3Ftab%3Dnotes")
    user = await fan()
    async with open_page("/", user=user) as screen:
        user.is_active = False
        await in_thread(user.save)
        assert (await command(screen, "note_add", 7, text="Bravo"))["leave"] == "/login?next=%2F"
    assert book.actors == []


async def test_command_is_answered_after_a_navigation(book: Book) -> None:
    book.held = True
    key = uuid4().hex
    async with open_page("/", user=await fan()) as screen:
        doing = asyncio.create_task(command(screen, "note_add", 7, key=key, text="Bravo"))
        await asyncio.to_thread(book.entered.acquire)
        await screen.go("/other")
        book.door.set()
        assert (await doing)["ok"]


async def test_commands_of_one_window_run_in_order(book: Book) -> None:
    book.held = True
    async with open_page("/", user=await fan()) as screen:
        doing = [asyncio.create_task(command(screen, "note_add", 7, text=text)) for text in "abc"]
        await asyncio.to_thread(book.entered.acquire)
        doing.append(asyncio.create_task(command(screen, "stamp", "7:slow")))
        book.door.set()
        await asyncio.gather(*doing)
    assert await notes(book) == ["7: a", "7: b", "7: c", "7: slow"]


async def test_commands_above_the_rate_limit_may_be_repeated(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    # The limit never refills, however slow the test is.
    monkeypatch.setattr("project.sockets.page_socket.COMMANDS", Rate(COMMANDS.burst, 0))
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


async def test_administrators_have_a_higher_rate_limit(book: Book) -> None:
    async with open_page("/", user=await in_thread(AdminFactory)) as screen:
        commands = [command(screen, "note_add", 7, text="x") for _ in range(2 * int(COMMANDS_ACCOUNT.burst))]
        assert all(answer["ok"] for answer in await asyncio.gather(*commands))


GOOD = {"name": "note_add", "argument": "7", "fields": {"text": "x"}, "key": "0" * 32}


WRONG: list[dict[str, Any]] = [
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
]


async def test_malformed_commands_are_refused_with_a_sentence(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.sockets.page_socket.COMMANDS", Rate(1_000, 1_000))
    async with open_page("/", user=await fan()) as screen:
        for wrong in WRONG:
            known = len(screen.frames)
            screen.command(**GOOD | wrong)
            assert (await command(screen, "note_add", 7, text="after"))["ok"], wrong
            refusal, _ = [frame for frame in screen.frames[known:] if frame["type"] in ("answer", "notice")]
            assert "no longer understand" in refusal["text"], wrong
            has_key = "key" not in wrong
            assert (refusal.get("key"), refusal.get("ok")) == (("0" * 32, False) if has_key else (None, None)), wrong
    assert await notes(book) == ["7: after"] * len(WRONG)


async def test_fields_and_arguments_of_other_types_are_refused(book: Book) -> None:
    async with open_page("/", user=await fan()) as screen:
        for value in ({"name": "a.exe"}, ["a", "b"], 5):
            assert "no longer understand" in (await command(screen, "note_add", 7, text=value))["text"]
        assert "cannot be stored" in (await command(screen, "note_add", 7, text="a\0b"))["text"]
        assert "no longer understand" in (await command(screen, "note_add", "7; DROP TABLE", text="x"))["text"]
    assert await notes(book) == []


async def test_page_names_the_account_of_its_drafts(book: Book) -> None:
    user = await fan()
    async with open_page("/", user=user) as screen, open_page("/") as anonymous:
        assert f' data-account="{user.pk}"' in screen.html
        assert "data-account" not in anonymous.html


async def test_answer_has_destination_undo_and_data(book: Book) -> None:
    key = "a" * 32
    async with open_page("/", user=await fan()) as screen:
        sealed = await command(screen, "seal", "8:slow")
        note = await in_thread(ErrorLog.objects.get)
        assert (sealed["ok"], sealed["text"], sealed["go"]) == (True, "Sealed", "/elsewhere")
        assert sealed["undo"] == ["open", note.pk]
        stamped = await command(screen, "stamp", "8:slow", key=key)
        assert await command(screen, "stamp", "8:slow", key=key) == stamped, "the same key gets the same answer"
    latest = await in_thread(lambda: ErrorLog.objects.latest("pk"))
    assert stamped["data"] == {"note": latest.pk}


def test_answer_with_too_much_data_is_an_error() -> None:
    assert Answer("", data={"lines": ["a" * 100] * 100}).frame(texts("en"))["ok"]
    with pytest.raises(ValueError, match="at most"):
        Answer("", data={"lines": ["a" * 100] * 200}).frame(texts("en"))


CHANGED = "Text was changed meanwhile. It is now “Bravi”.\nSave again to keep what you wrote."
REFUSALS = {
    "changed": {"text": CHANGED, "version": "version 2", "field": "text"},
    "unconfirmed": {"text": "Zofia would go with 3 ratings.", "ask": True},
}


async def test_refusal_has_what_the_next_attempt_needs_and_stores_no_row(book: Book) -> None:
    async with open_page("/", user=await fan()) as screen:
        for kind, fields in REFUSALS.items():
            book.failing.append(kind)
            answer = await command(screen, "note_add", 7, text="Bravo")
            assert answer == {"type": "answer", "key": answer["key"], "ok": False, **fields}
    assert await notes(book) == []
