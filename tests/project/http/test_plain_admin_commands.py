"""The forms and buttons of an administrator on pages without scripts, each sent twice."""

from urllib.parse import unquote

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import User
from apps.competition.models import Participant, Piece, ProgramEntry, Session
from apps.competition.selectors.public.sessions import live_now
from apps.imports.models import ParticipantImport
from apps.news.models import BlogPost
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.deciding import deciding_set
from tests.apps.imports.participant_files import file_of
from tests.components.conftest import busy_session_with
from tests.factories import (
    AdminFactory,
    BlogPostFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    SessionFactory,
    viewer_of,
)
from tests.project.accounts.profile.posting import shown
from tests.project.plain_forms import PlainPage
from tests.reading import walk
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client():
    """A browser without scripts in which an administrator is signed in, and whose posts need a CSRF token."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(AdminFactory()).partition("=")[2]
    return client


def sure(page, command, argument):
    """Press a button that asks for confirmation, and confirm."""
    asked = page.press(command, argument)
    return asked.send(command, argument, times=2)


def test_an_article_is_written_once_kept_when_it_is_wrong_and_goes_when_asked(client):
    page = PlainPage.at(client, "/admin/blog?mode=create")
    wrong = page.send("post_create", title="", content="Four pianos wait.", excerpt="Four.")
    assert not BlogPost.objects.exists()
    assert wrong.fields("post_create")["content"] == ["Four pianos wait."]
    done = wrong.send("post_create", times=2, title="Four pianos", content="Four pianos wait.", excerpt="Four.")
    assert "Post created successfully" in done.text
    post = BlogPost.objects.get()
    edit = PlainPage.at(client, f"/admin/blog?mode=edit&id={post.pk}")
    assert "Post updated successfully" in edit.send("post_update", post.pk, title="Five pianos").text
    assert BlogPost.objects.get().title == "Five pianos"
    gone = sure(PlainPage.at(client, "/admin/blog"), "post_delete", post.pk)
    assert "Post deleted successfully" in gone.text
    assert not BlogPost.objects.exists()


def test_a_list_keeps_its_search_when_something_is_deleted(client):
    kept, goes = BlogPostFactory(title="Kept strings"), BlogPostFactory(title="Lost strings")
    gone = sure(PlainPage.at(client, "/admin/blog?q=strings"), "post_delete", goes.pk)
    assert gone.button("post_delete", kept.pk)["from"][0].startswith("/admin/blog?q=strings")
    assert list(BlogPost.objects.all()) == [kept]


def test_a_participant_is_made_once_and_changed(client):
    page = PlainPage.at(client, "/admin/participants?mode=create")
    typed = {"first_name": "Ewa", "second_name": "Nowak", "country": "Poland", "biography": "Born in Zamość."}
    done = page.send("participant_create", times=2, **typed)
    assert "Participant created successfully" in done.text
    person = Participant.objects.get()
    edit = PlainPage.at(client, f"/admin/participants?mode=edit&id={person.pk}")
    assert "Participant updated successfully" in edit.send("participant_update", person.pk, country="Japan").text
    assert Participant.objects.get().country == "Japan"


def test_a_piece_is_added_once_and_deleted(client):
    page = PlainPage.at(client, "/admin/pieces")
    added = page.send("piece_add", times=2, category="nocturn", name="Nocturne in D-flat major, Op. 27 No. 2")
    assert "Piece added successfully" in added.text
    piece = Piece.objects.get()
    assert "Piece deleted successfully" in sure(added, "piece_delete", piece.pk).text
    assert not Piece.objects.exists()


def test_the_live_session_is_run_and_a_step_taken_back(client):
    busy_session = busy_session_with(2)
    Session.objects.update(is_live=False)
    page = PlainPage.at(client, "/admin/sessions")
    live = page.press("session_set_live", busy_session.session.pk, times=2)
    assert Session.objects.get(is_live=True) == busy_session.session
    _, second = busy_session.appearances
    on = live.press("performer_set", second.pk, times=2)
    assert live_now().participant_id == second.participant_id
    undo = [
        action for each in on.all(method="post") if "live_restore" in (action := each["attributes"].get("action", ""))
    ]
    assert undo, "a step is offered to be taken back"
    back = on.send("live_restore", unquote(undo[0].partition("argument=")[2]))
    assert live_now() is None
    assert sure(back, "session_end", busy_session.session.pk).text
    assert not Session.objects.filter(is_live=True).exists()


def test_a_session_is_made_and_written_anew_and_its_order_stays(client):
    busy_session = busy_session_with(2)
    page = PlainPage.at(client, f"/admin/sessions?mode=edit&id={busy_session.session.pk}")
    done = page.send("session_update", busy_session.session.pk, times=2, title="Another evening")
    assert "Session updated successfully" in done.text
    order = busy_session.session.appearances.order_by("order_number").values_list("pk", flat=True)
    assert (Session.objects.get().title, list(order)) == (
        "Another evening",
        [each.pk for each in busy_session.appearances],
    )
    new = PlainPage.at(client, "/admin/sessions?mode=create").send(
        "session_create", times=2, title="Final", date="2027-10-12", time="17:00"
    )
    assert "Session created successfully" in new.text
    assert Session.objects.filter(title="Final").count() == 1


def test_default_pictures_are_set(client):
    page = PlainPage.at(client, "/admin?tab=avatars")
    done = page.send("default_avatars_set", times=2, user_avatar_url="https://example.org/a.png")
    assert done.fields("default_avatars_set")["user_avatar_url"] == ["https://example.org/a.png"]


def test_a_session_is_deleted_after_its_question(client):
    session = SessionFactory(title="Final")
    gone = sure(PlainPage.at(client, "/admin/sessions"), "session_delete", session.pk)
    assert "Session deleted successfully" in gone.text
    assert not Session.objects.exists()


def test_a_piece_is_chosen_for_a_program_once(client):
    busy_session = busy_session_with(1)
    ProgramEntry.objects.all().delete()
    appearance = busy_session.appearances[0]
    piece = Piece.objects.order_by("pk").first()
    place = f"/admin/programs?session={busy_session.session.pk}&appearance={appearance.pk}&slot={piece.category}"
    PlainPage.at(client, place).press("program_select", f"{appearance.pk}:{piece.pk}", times=2)
    assert [entry.piece_id for entry in ProgramEntry.objects.all()] == [piece.pk]


@pytest.mark.parametrize("both", [True, False])
def test_one_rating_is_approved_and_the_filter_stays(client, both):
    deciding_set(actor=viewer_of(User.objects.get()), kind=RatingKind.PIECE, both=both)
    appearance = busy_session_with(1).appearances[0]
    whole = PerformanceRatingFactory(session_participant=appearance, comment="The silences.")
    marks = [PieceRatingFactory(user=whole.user, entry=entry) for entry in appearance.program.all()]
    page = PlainPage.at(client, "/admin?q=silences")
    offered = [
        each["attributes"]["data-argument"]
        for each in page.all(form="do")
        if "/do/rating_decide" in each["attributes"]["formaction"]
    ]
    approve = [each for each in offered if each.startswith("approve")]
    single = [each for each in approve if f":{marks[0].pk}:" in each]
    assert len(approve) == len(marks) + 2  # each mark, the overall rating, and all together
    after = page.press("rating_decide", single[0], times=2)
    assert [mark.approved for mark in PieceRating.objects.order_by("pk")] == [True] + [False] * (len(marks) - 1)
    together = [
        each["attributes"]["data-argument"]
        for each in after.all(form="do")
        if each["attributes"].get("aria-label", "").startswith(("Approve both", "Approve the rating by"))
    ]
    done = after.press("rating_decide", together[0], times=2)
    assert all(PieceRating.objects.values_list("approved", flat=True))
    assert list(PerformanceRating.objects.values_list("approved", flat=True)) == [both]
    assert "approved" in done.text
    assert done.one(id="do")


def test_whoever_is_no_administrator_changes_nothing(client):
    participant = ParticipantFactory()
    page = PlainPage.at(client, "/admin/participants")
    fields = page.button("participant_delete", participant.pk)
    stranger = Client()
    answer = stranger.post(f"/do/participant_delete?argument={participant.pk}", {**fields, "sure": "1"})
    assert answer["Location"].startswith("/login")
    assert Participant.objects.exists()


def test_a_file_of_participants_is_sent_decided_about_saved_and_taken_back(client):
    page = PlainPage.at(client, "/admin/import")
    form = page.one(action="/participant-file")
    token = next(each for each in walk(form) if each.get("attributes", {}).get("name") == "csrfmiddlewaretoken")
    rows = ("Zofia|Nowak|Poland|Rondo in E-flat major, Op. 16||||", "Ewa|Łęcka|Poland|||||")
    sent = SimpleUploadedFile("late.csv", file_of(*rows, encoding="windows-1250"))
    answer = client.post("/participant-file", {"csrfmiddlewaretoken": token["attributes"]["value"], "file": sent})
    page = PlainPage(client, shown(client, answer))
    file = ParticipantImport.objects.get()
    assert "This is a guess" in page.text
    page = page.send("import_read_again", file.pk, encoding="windows-1252")
    assert "£êcka" in page.text
    page = page.send("import_read_again", file.pk, encoding="windows-1250")
    page = page.send("import_category_set", f"{file.pk}:1:1", category="mazurek")
    done = page.press("import_save", file.pk, times=2)
    assert "Successfully loaded 2 participants" in done.text
    assert Participant.objects.count() == 2
    assert "Taken back: 2 participants, 1 piece." in sure(done, "import_undo", file.pk).text
    assert not Participant.objects.exists()
