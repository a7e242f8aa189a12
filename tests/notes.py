"""A page for tests on which users leave notes: a real service on a real table, and its commands."""

import threading
from dataclasses import dataclass, field

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import OperationalError, transaction

from apps.accounts.actors import Viewer
from apps.core.commands import REGISTERED, Access, Answer, Arguments, command
from apps.core.edits import ConfirmationNeeded, EditConflict, FieldConflict
from apps.core.models import ErrorLog
from apps.core.rate_limits import TooMany
from apps.core.texts import Texts
from components.routes import Route
from components.runtime.commands import command_button, command_form
from components.runtime.markup import Markup, component, html
from components.runtime.page import Page, PageRequest

LONGEST = 20
FAILURES: dict[str, Exception] = {
    "away": OperationalError("the server is gone"),
    "fault": RuntimeError("secret of the database"),
    "forbidden": PermissionDenied("Only administrators leave such notes."),
    "limit": TooMany(60),
    "gone": ErrorLog.DoesNotExist("No note matches the query."),
    "changed": EditConflict((FieldConflict("text", "Text", "Bravi"),), "version 2"),
    "unconfirmed": ConfirmationNeeded(["Zofia would go with 3 ratings."]),
    "two": ValidationError({"text": ["Too plain.", "Too late."], "other": ["Too plain."]}),
}


@dataclass
class Book:
    """The service of notes: it records its actors, and can fail or delay writers."""

    actors: list[Viewer] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)  # keys of FAILURES for the next notes
    held: bool = False
    entered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    door: threading.Event = field(default_factory=threading.Event)

    @transaction.atomic
    def note_add(self, *, actor: Viewer, place: int, text: str) -> ErrorLog:
        """Store a note. Raises ValidationError for an empty note, and the next of `failing`."""
        self.actors.append(actor)
        note = ErrorLog.objects.create(message=f"{place}: {text}", user_id=actor.id)
        if self.held:
            self.entered.release()
            assert self.door.wait(20)
        if not text:
            raise ValidationError({"text": "Please write something."})
        if self.failing:
            raise FAILURES[self.failing.pop(0)]
        return note

    def notes(self) -> list[str]:
        """Return the stored notes."""
        return list(ErrorLog.objects.order_by("pk").values_list("message", flat=True))


COMMANDS = ("note_add", "stamp", "seal")


def commands_register(book: Book) -> None:
    """Register the page's commands for this book, in place of those of an earlier book."""
    for name in COMMANDS:
        REGISTERED.pop(name, None)

    @command(Access.MEMBER)
    def note_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
        note = book.note_add(actor=actor, place=given.id(), text=given.text("text", LONGEST))
        return Answer(f"Kept: {note.message}", empty=True)

    @command(Access.MEMBER)
    def stamp(actor: Viewer, given: Arguments, t: Texts) -> Answer:
        note = book.note_add(actor=actor, place=given.id(), text=given.word(1, ("quick", "slow")))
        return Answer("Stamped", data={"note": note.pk})

    @command(Access.MEMBER, confirm="Seal the page?")
    def seal(actor: Viewer, given: Arguments, t: Texts) -> Answer:
        note = book.note_add(actor=actor, place=given.id(), text=given.word(1, ("quick", "slow")))
        return Answer("Sealed", go="/elsewhere", undo=("open", note.pk))


def notes_route(book: Book, pattern: str = "/") -> Route:
    """Return the route of a page on which every viewer may leave a note, by a form or a button."""
    commands_register(book)

    @component
    def notes_page(page: Page) -> Markup:
        form = html.form(
            {**command_form("note_add", 7, draft="note:7"), "aria-label": "A note"},
            html.input({"name": "text", "aria-label": "Your note"}),
            html.button({"type": "submit", "data-busy": "Saving..."}, "Leave it"),
            html.p({"data-answer": "", "data-vanish": "600000", "role": "status"}),  # longer than a server start
        )
        button = html.button({**command_button("stamp", "7:quick", busy="Stamping...")}, "Stamp")
        sure = {"confirm": "Stamp the page of number 8?", "words": "It cannot be taken off.", "yes": "Stamp it"}
        seal = html.button({**command_button("stamp", "8:slow", **sure)}, "Seal")
        return html.main({"id": "main"}, html.h1(page.title), form, button, seal)

    def load(_: PageRequest) -> Page:
        return Page(title="Notes", description="A test.", component=notes_page)

    return Route(pattern, load)
