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


async def test_success_may_lead_elsewhere_and_may_be_taken_back(book: Book) -> None:
    async with open_page("/", user=await in_thread(UserFactory)) as screen:
        answer = await command(screen, "seal", "8:slow")
    note = await in_thread(ErrorLog.objects.get)
    assert (answer["ok"], answer["text"], answer["go"]) == (True, "Sealed", "/elsewhere")
    assert answer["undo"] == ["open", note.pk]


async def test_success_may_bring_data_which_the_same_key_gets_again(book: Book) -> None:
    key = "a" * 32
    async with open_page("/", user=await in_thread(UserFactory)) as screen:
        answer = await command(screen, "stamp", "8:slow", key=key)
        assert await command(screen, "stamp", "8:slow", key=key) == answer
    note = await in_thread(ErrorLog.objects.get)
    assert answer["data"] == {"note": note.pk}


def test_more_data_than_a_frame_holds_is_a_fault_of_ours() -> None:
    assert Answer("", data={"lines": ["a" * 100] * 100}).frame(texts("en"))["ok"]
    with pytest.raises(ValueError, match="at most"):
        Answer("", data={"lines": ["a" * 100] * 200}).frame(texts("en"))


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (
            "changed",
            {
                "text": "Text was changed meanwhile. It is now “Bravi”.\nSave again to keep what you wrote.",
                "version": "version 2",
                "field": "text",
            },
        ),
        ("unconfirmed", {"text": "Zofia would go with 3 ratings.", "ask": True}),
    ],
)
async def test_a_refusal_says_what_the_next_try_needs_and_stores_nothing(
    book: Book, kind: str, wanted: dict[str, object]
) -> None:
    async with open_page("/", user=await in_thread(UserFactory)) as screen:
        book.failing.append(kind)
        answer = await command(screen, "note_add", 7, text="Bravo")
    assert answer == {"type": "answer", "key": answer["key"], "ok": False, **wanted}
    assert await in_thread(book.notes) == []
