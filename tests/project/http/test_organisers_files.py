"""An organiser's own files of 84 performers, as they are: every press on the pages, in a browser without scripts.

A browser with scripts needs the same presses: each is one of a button, or of the choice of a file.
"""

import csv
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.competition.models import Appearance, Participant
from apps.competition.services.catalogue import catalogue_load
from apps.imports.models import ParticipantImport
from tests.apps.imports.jury_files import MARKS
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory
from tests.project.accounts.profile.posting import shown
from tests.project.plain_forms import PlainPage
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FILE = Path(__file__).parents[2] / "apps" / "imports" / "participants_2025.csv"
PROGRAM = "Etude in C-sharp minor, Op. 10 No. 4\nNocturne in D-flat major, Op. 27 No. 2\nScherzo in B minor, Op. 20"


@dataclass
class Organiser:
    """An administrator at a page, who counts presses."""

    client: Client
    presses: int = 0

    def read(self, address: str, content: bytes, **more: str) -> PlainPage:
        """Choose a file and press "Read the file": two presses."""
        self.presses += 2
        answer = self.client.post(address, {"file": SimpleUploadedFile("own.csv", content), **more})
        return PlainPage(self.client, shown(self.client, answer))

    def send(self, page: PlainPage, command: str, argument: object = "", **typed: str) -> PlainPage:
        self.presses += 1
        return page.send(command, str(argument), **typed)

    def press(self, page: PlainPage, command: str, argument: object = "") -> PlainPage:
        self.presses += 1
        return page.press(command, str(argument))


@pytest.fixture
def organiser() -> Organiser:
    client = Client()
    client.cookies.load(session_cookie(AdminFactory()))
    return Organiser(client)


def people() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_people_of_the_organisers_own_file_come_in_by_four_presses(organiser: Organiser) -> None:
    organiser.read("/participant-file", FILE.read_bytes())
    file = ParticipantImport.objects.get().pk
    page = PlainPage.at(organiser.client, f"/admin/import?file={file}")
    people_only = next(form for form in page.all(action=f"/do/import_read_again?argument={file}"))
    organiser.presses += 1
    page = page._posted(f"/do/import_read_again?argument={file}", page._fields(people_only), 1)
    page = organiser.press(page, "import_save", file)
    assert "Successfully loaded 84 participants" in page.text
    assert organiser.presses == 4
    numbers = dict(Participant.objects.values_list("start_number", "second_name"))
    assert numbers == {int(each["start_number"]): each["last_name"] for each in people()}


def test_numbers_drawn_for_84_come_in_by_three_presses(organiser: Organiser) -> None:
    for each in people():
        ParticipantFactory(first_name=each["first_name"], second_name=each["last_name"], country=each["country"])
    lines = [f"{each['start_number']};{each['last_name']}, {each['first_name']}" for each in reversed(people())]
    page = organiser.read("/participant-file", "\n".join(["Nr startowy;Uczestnik", *lines]).encode())
    page = organiser.press(page, "import_save", ParticipantImport.objects.get().pk)
    assert "84 existing participants were completed." in page.text
    assert organiser.presses == 3
    numbers = set(Participant.objects.values_list("start_number", "second_name"))
    assert numbers == {(int(each["start_number"]), each["last_name"]) for each in people()}


def test_programs_of_84_in_one_text_come_in_by_three_presses(organiser: Organiser) -> None:
    catalogue_load()
    session = SessionFactory(stage=StageFactory())
    for each in people():
        person = ParticipantFactory(
            first_name=each["first_name"], second_name=each["last_name"], start_number=int(each["start_number"])
        )
        AppearanceFactory(session=session, participant=person)
    text = "\n\n".join(
        f"{each['start_number']} {each['first_name']} {each['last_name']}\n{PROGRAM}" for each in people()
    )
    page = organiser.read("/participant-file?kind=programs", text.encode())
    page = organiser.send(page, "program_import", do="assign", text=text)
    assert organiser.presses == 3
    entries = [appearance.program.count() for appearance in Appearance.objects.all()]
    assert entries == [3] * 84


def test_marks_of_the_jury_come_in_by_three_presses(organiser: Organiser) -> None:
    session = SessionFactory(stage=StageFactory(name="Stage I"), starts_at=timezone.now() - timedelta(days=1))
    for each in people():
        person = ParticipantFactory(
            first_name=each["first_name"], second_name=each["last_name"], start_number=int(each["start_number"])
        )
        AppearanceFactory(session=session, participant=person)
    page = organiser.read("/participant-file?kind=jury", MARKS.read_bytes())
    page = organiser.send(page, "jury_file_save")
    assert organiser.presses == 3
    assert "Draft saved." in page.text
