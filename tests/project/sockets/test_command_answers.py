"""Answers of commands besides their text: destination, undo, data, an edit conflict, and a request for confirmation."""

import pytest

from apps.core.commands import Answer
from apps.core.models import ErrorLog
from apps.core.texts import texts
from apps.core.threads import in_thread
from tests.commanding import command
from tests.factories import UserFactory
from tests.notes import Book, notes_route
from tests.project.conftest import Table
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def book(table: Table) -> Book:
    """Serve two pages of notes, and return their service."""
    made = Book()
    table(notes_route(made), notes_route(made, "/elsewhere"))
    return made


async def test_answer_has_destination_undo_and_data(book: Book) -> None:
    key = "a" * 32
    async with open_page("/", user=await in_thread(UserFactory)) as screen:
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
    async with open_page("/", user=await in_thread(UserFactory)) as screen:
        for kind, fields in REFUSALS.items():
            book.failing.append(kind)
            answer = await command(screen, "note_add", 7, text="Bravo")
            assert answer == {"type": "answer", "key": answer["key"], "ok": False, **fields}
    assert await in_thread(book.notes) == []
