"""Files of participants: uploaded by a form, and downloaded for a session."""

from urllib.parse import parse_qs

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.competition.models import Participant
from apps.imports.limits import FILE_BYTES
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.columns import COLUMNS
from project.http.upload_pages import too_large_page
from tests.apps.imports.participant_files import KANADE, NOCTURNE, ZOFIA, file_of
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ProgramEntryFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
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


def test_file_is_stored_and_shown_by_the_import_page():
    response = send(browser(AdminFactory()), file_of(ZOFIA, KANADE))
    file = ParticipantImport.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/admin/import?file={file.pk}")
    assert (file.file_name, file.new_rows) == ("participants.csv", 2)


TAKEN = "\nLine 1 was taken for the header. Its columns: "


@pytest.mark.parametrize(
    ("content", "error", "lacks_pieces"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "Error reading file", False),
        (
            b"FirstName|LastName|Country",
            f"Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5{TAKEN}FirstName, LastName, Country",
            True,
        ),
        (
            b"FirstName;LastName;Piece1",
            f"Missing required columns: Country, Piece2, Piece3, Piece4, Piece5{TAKEN}FirstName, LastName, Piece1",
            False,
        ),
        (
            file_of('"Zofia|Łęcka'),
            "Error parsing file\nLine 2 cannot be read: a quotation mark is out of place.",
            False,
        ),
    ],
)
def test_unreadable_file_is_stored_with_the_reason(content, error, lacks_pieces):
    boss = AdminFactory()
    response = send(browser(boss), content, "../../etc/$(reboot).csv")
    file = ParticipantImport.objects.get()
    assert response["Location"] == f"/admin/import?file={file.pk}"
    assert (file.state, file.refusal["lacks_pieces"], bytes(file.content)) == ("refused", lacks_pieces, content)
    page = opened(response["Location"], viewer_of(boss)).main
    field = attributes(one(page, "input", id="file"))
    assert (field["aria-invalid"], field["aria-describedby"]) == ("true", "file-error")
    assert text(one(page, "p", id="file-error")) == error
    assert "$(reboot).csv" in text(one(page, "form", action=ADDRESS))
    buttons = {text(button) for button in every(page, "button")}
    assert "Save Participants" not in buttons
    assert ("Read it as people only" in buttons) == lacks_pieces


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, "Please choose a file."), (b"x" * (FILE_BYTES + 1), "Error reading file\nA file has at most 5 MB.")],
)
def test_missing_or_large_file_is_refused_at_the_field(content, error):
    boss = AdminFactory()
    client = browser(boss)
    response = client.post(ADDRESS, {}) if content is None else send(client, content)
    page = opened(response["Location"], viewer_of(boss)).main
    assert text(one(page, "p", id="file-error")) == error
    assert not ParticipantImport.objects.exists()


@pytest.mark.parametrize("kind", ["", "jury", "programs"])
def test_pages_lead_back_after_a_sign_in_and_say_that_a_file_was_too_large(kind):
    boss, query = viewer_of(AdminFactory()), f"?kind={kind}" if kind else ""
    login = browser().post(f"{ADDRESS}{query}", {"file": SimpleUploadedFile("a.csv", b"x")})["Location"]
    back = parse_qs(login.partition("?")[2])["next"][0]
    StageFactory()
    assert every(opened(back, boss).main, "form", action=f"{ADDRESS}{query}")
    page = too_large_page(f"{ADDRESS}{query}".encode(), has_session=True)
    assert page.startswith(back)
    (said,) = [text(each) for each in every(opened(page, boss).main, "p", "drop__error")]
    assert said == "Error reading file\nA file has at most 5 MB."
    assert not every(opened(back, boss).main, "p", "drop__error")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_sample_file_can_be_imported(kind):
    client = browser(AdminFactory())
    response = client.get(f"{ADDRESS}?sample={kind}")
    assert response["Content-Disposition"] == f'attachment; filename="participants-sample.{kind}"'
    send(client, response.content, f"sample.{kind}")
    file = ParticipantImport.objects.get()
    assert (file.state, file.new_rows, file.bad_rows + file.short_rows + file.undecided_rows) == ("preview", 2, 0)
    assert list(file.rows.values_list("start_number", "birth_year")) == [(1, 2002), (2, None)]
    assert len(file.rows.get(start_number=2).pieces) == 2


def test_files_require_an_administrator_and_the_csrf_token():
    assert send(browser(), file_of(ZOFIA))["Location"].startswith("/login?")
    assert send(browser(UserFactory()), file_of(ZOFIA))["Location"] == "/"
    assert browser(UserFactory()).get(f"{ADDRESS}?session=1")["Location"] == "/"
    assert browser(AdminFactory()).put(ADDRESS).status_code == 405
    assert send(browser(AdminFactory(), enforce_csrf_checks=True), file_of(ZOFIA)).status_code == 403
    assert not ParticipantImport.objects.exists()


def test_session_is_exported_as_a_participant_file():
    appearance = AppearanceFactory(participant__first_name="=Zofia", participant__second_name="Łęcka")
    ProgramEntryFactory(appearance=appearance, piece__name=NOCTURNE)
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
