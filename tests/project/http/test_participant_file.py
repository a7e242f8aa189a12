"""Files of participants: uploaded by a form, and downloaded for a session."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import FormAnswer
from apps.competition.models import Participant
from apps.imports.limits import FILE_BYTES
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.table import COLUMNS
from tests.apps.imports.participant_files import KANADE, NOCTURNE, ZOFIA, file_of
from tests.factories import AdminFactory, AppearanceFactory, ProgramEntryFactory, UserFactory
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/participant-file"


def browser(user=None, **more) -> Client:
    client = Client(**more)
    if user:
        client.cookies.load(session_cookie(user))
    return client


def send(client: Client, content: bytes, name: str = "participants.csv"):
    return client.post(ADDRESS, {"file": SimpleUploadedFile(name, content)})


def answered() -> dict:
    return FormAnswer.objects.get().data["answer"]


def test_a_file_is_stored_for_the_page_that_shows_it():
    response = send(browser(AdminFactory()), file_of(ZOFIA, KANADE))
    file = ParticipantImport.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/admin/import?file={file.pk}")
    assert (file.file_name, file.new_rows) == ("participants.csv", 2)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "Error reading file"),
        (b"x" * (FILE_BYTES + 1), "Error reading file\nA file has at most 5 MB."),
        (b"FirstName|LastName|Country", "Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5"),
        (file_of('"Zofia|Łęcka'), "Error parsing file\nLine 2 cannot be read: a quotation mark is out of place."),
    ],
)
def test_what_is_no_such_file_is_answered_with_a_sentence(content, sentence):
    response = send(browser(AdminFactory()), content, "../../etc/$(reboot).csv")
    assert response["Location"].startswith("/admin/import?file=refused&answer=")
    assert answered() == {"ok": False, "text": sentence}
    assert not ParticipantImport.objects.exists()


def test_a_form_without_a_file_asks_for_one():
    browser(AdminFactory()).post(ADDRESS, {})
    assert answered()["text"] == "Please choose a file."


def test_files_are_for_administrators():
    assert send(browser(), file_of(ZOFIA))["Location"].startswith("/login?")
    assert send(browser(UserFactory()), file_of(ZOFIA))["Location"] == "/"
    assert browser(UserFactory()).get(f"{ADDRESS}?session=1")["Location"] == "/"
    assert browser(AdminFactory()).put(ADDRESS).status_code == 405
    assert not ParticipantImport.objects.exists()


def test_a_file_of_another_site_is_refused():
    response = send(browser(AdminFactory(), enforce_csrf_checks=True), file_of(ZOFIA))
    assert response.status_code == 403
    assert not ParticipantImport.objects.exists()


def test_a_session_is_taken_away_as_such_a_file():
    appearance = AppearanceFactory(participant__first_name="=Zofia", participant__second_name="Łęcka")
    ProgramEntryFactory(session_participant=appearance, piece__name=NOCTURNE)
    client = browser(AdminFactory())
    response = client.get(f"{ADDRESS}?session={appearance.session_id}")
    header, row = response.content.decode("utf-8-sig").splitlines()
    assert header.split("|") == list(COLUMNS)
    assert row == f"'=Zofia|Łęcka|Poland|{NOCTURNE}||||"
    assert response["Content-Disposition"] == f'attachment; filename="participants-{appearance.session_id}.csv"'
    assert response["Cache-Control"] == "no-store"
    assert client.get(f"{ADDRESS}?session=x")["Location"] == "/admin/participants"
    before = Participant.objects.count()
    send(client, response.content)
    assert ParticipantImport.objects.get().existing_rows == before
